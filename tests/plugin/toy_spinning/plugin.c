/* SPDX-License-Identifier: MIT */
#include "hd_plugin.h"
#include "hd_unit.h"

extern const hd_unit toy_repeats, toy_behind;

static const hd_unit *const units[] = {&toy_repeats, &toy_behind};

HD_PLUGIN_ENTRY = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_plugin),
    .name = "toy_spinning",
    .version = "0.1",
    .licence = "MIT",
    .unit_count = sizeof units / sizeof *units,
    .units = units,
};
