/* SPDX-License-Identifier: MIT */
/*
 * A plug-in: a shared object with block classes, or units of blocks (hd_unit.h), or both. It exports only one constant:
 *
 *     static const hd_block_class *const classes[] = {&my_memory};
 *     HD_PLUGIN_ENTRY = {.abi_version = HD_ABI_VERSION, .struct_bytes = sizeof(hd_plugin),
 *                        .name = "my_plugin", .version = "1.0", .licence = "MIT",
 *                        .class_count = 1, .classes = classes};
 *
 * The platform reads the entry before it calls any function of the plug-in, and refuses the whole plug-in if the ABI
 * version differs, a declaration table is invalid, a (kind, type) already exists, or no block has room for a unit. Entry, classes and tables must not
 * change or move while the shared object is loaded; it is unloaded after its last block has been destroyed.
 * A plug-in does not link against the platform: everything that a block may call is in hd_services.
 */
#ifndef HD_PLUGIN_H
#define HD_PLUGIN_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_plugin {
    uint32_t abi_version;  /* HD_ABI_VERSION */
    uint32_t struct_bytes; /* sizeof(hd_plugin) */
    const char *name;      /* of the plug-in, for messages */
    const char *version;   /* of the plug-in: "1.0" */
    const char *licence;   /* SPDX expression: "MIT" */
    uint32_t class_count;  /* >= 1, or there are units */
    uint32_t unit_count;
    const hd_block_class *const *classes;
    const struct hd_unit *const *units; /* more choices for every block with a slot of their kind */
} hd_plugin;

#define HD_PLUGIN_SYMBOL "heddle_plugin_entry"
#if defined(__GNUC__)
#define HD_PLUGIN_VISIBLE __attribute__((visibility("default")))
#else
#define HD_PLUGIN_VISIBLE
#endif

extern HD_PLUGIN_VISIBLE const hd_plugin heddle_plugin_entry;
#define HD_PLUGIN_ENTRY HD_PLUGIN_VISIBLE const hd_plugin heddle_plugin_entry

#ifdef __cplusplus
}
#endif

#endif
