// SPDX-License-Identifier: MIT
#ifndef TLM_FOREIGN_MODELS_H
#define TLM_FOREIGN_MODELS_H

#include <memory>
#include <systemc>

#include "foreign.h"

struct foreign_models {
    virtual ~foreign_models() = default;
    // Makes the module, returns its socket.
    virtual sc_core::sc_object *make(const char *name) = 0;
    std::unique_ptr<sc_core::sc_module> module;
    uint32_t violations = 0;
    uint32_t requests = 0;
};

#endif
