// SPDX-License-Identifier: MIT
#include "systemc_side.h"

#include "heddle_module.h"

static heddle_guest *guest_open(const void *settings, const void *doors)
{
    return heddle_guest_open(static_cast<const heddle::module_settings *>(settings),
                             static_cast<const heddle_guest_doors *>(doors));
}

const hd_systemc_side heddle_systemc_side = {
    HEDDLE_VERSION,
    sizeof heddle_systemc_side,
    0,
    hd_tlm_create,
    hd_tlm_end,
    hd_tlm_destroy,
    hd_tlm_engine,
    hd_tlm_run,
    hd_tlm_retire,
    hd_tlm_is_interrupted,
    hd_tlm_stopped_at,
    hd_tlm_describe_owed,
    hd_tlm_transport_calls,
    hd_tlm_monitored_calls,
    hd_foreign_modules_create,
    hd_foreign_modules_destroy,
    hd_foreign_modules_options,
    hd_foreign_modules_failure,
    systemc_entry_check,
    systemc_entry_count,
    systemc_entry_class,
    guest_open,
    heddle_guest_uses_memory,
    heddle_guest_end,
    heddle_guest_close,
};
