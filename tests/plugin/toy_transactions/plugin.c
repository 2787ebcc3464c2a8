/* SPDX-License-Identifier: MIT */
/* A unit of cores, and the block that it talks to. */
#include "hd_plugin.h"
#include "hd_unit.h"
#include "ticket.h"

static const hd_block_class *const classes[] = {&ticket_office};
static const hd_unit *const units[] = {&ticket_unit};

HD_PLUGIN_ENTRY = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_plugin),
    .name = "toy_transactions",
    .version = "0.1",
    .licence = "MIT",
    .class_count = sizeof classes / sizeof *classes,
    .classes = classes,
    .unit_count = sizeof units / sizeof *units,
    .units = units,
};
