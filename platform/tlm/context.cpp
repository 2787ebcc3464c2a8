// SPDX-License-Identifier: MIT
#include "context.h"

// SystemC's library asks for it by name; machines are made by hd_tlm_create instead.
extern "C" __attribute__((visibility("default"))) int sc_main(int, char **)
{
    return 0;
}

namespace heddle
{

static std::recursive_mutex &process_lock()
{
    static std::recursive_mutex lock;
    return lock;
}

context_guard::context_guard(sc_core::sc_simcontext *&context)
    : lock(process_lock()), before(sc_core::sc_curr_simcontext)
{
    if (!context)
        context = new sc_core::sc_simcontext;
    sc_core::sc_curr_simcontext = context;
}

context_guard::~context_guard()
{
    sc_core::sc_curr_simcontext = before;
}

} // namespace heddle
