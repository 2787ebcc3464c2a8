/* SPDX-License-Identifier: MIT */
#include "delay.h"
#include "hd_plugin.h"

static const hd_block_class *const classes[] = {&delay_random};

HD_PLUGIN_ENTRY = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_plugin),
    .name = "litmus_delay",
    .version = "0.1",
    .licence = "MIT",
    .class_count = sizeof classes / sizeof *classes,
    .classes = classes,
};
