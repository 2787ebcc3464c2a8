// SPDX-License-Identifier: MIT
// SystemC keeps its simulation in a global. A machine owns a context of its own; this guard installs it, under one lock
// for the whole process, for as long as the machine is being built, run or taken apart. Its first guard
// makes the context, which is deleted inside of its last.
#ifndef HD_TLM_CONTEXT_H
#define HD_TLM_CONTEXT_H

#include <mutex>
#include <systemc>

namespace heddle
{

class context_guard
{
  public:
    explicit context_guard(sc_core::sc_simcontext *&context);
    ~context_guard();
    context_guard(const context_guard &) = delete;
    context_guard &operator=(const context_guard &) = delete;

  private:
    std::unique_lock<std::recursive_mutex> lock;
    sc_core::sc_simcontext *before;
};

} // namespace heddle

#endif
