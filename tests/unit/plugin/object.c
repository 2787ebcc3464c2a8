/* SPDX-License-Identifier: MIT */
/* A plug-in with one class that does nothing, and with the mistake that FAULT_* names. */
#include "hd_plugin.h"

#ifdef FAULT_ENTRY_VERSION
#define ENTRY_VERSION (HD_ABI_VERSION + 1)
#else
#define ENTRY_VERSION HD_ABI_VERSION
#endif
#ifdef FAULT_ENTRY_BYTES
#define ENTRY_BYTES 16
#else
#define ENTRY_BYTES sizeof(hd_plugin)
#endif
#ifdef FAULT_NO_NAME
#define NAME NULL
#else
#define NAME "object"
#endif
#ifdef FAULT_NO_VERSION
#define VERSION ""
#else
#define VERSION "1.0"
#endif
#ifdef FAULT_NO_LICENCE
#define LICENCE NULL
#else
#define LICENCE "MIT"
#endif
#ifdef FAULT_CLASS_VERSION
#define CLASS_VERSION (HD_ABI_VERSION + 6)
#else
#define CLASS_VERSION HD_ABI_VERSION
#endif
#ifdef FAULT_CLASS_BYTES
#define CLASS_BYTES (sizeof(hd_block_class) - 8)
#else
#define CLASS_BYTES sizeof(hd_block_class)
#endif
#ifdef FAULT_BUILT_IN
#define TYPE "built_in"
#else
#define TYPE "plugged"
#endif

#ifdef FAULT_SYMBOL
extern void nobody_defines_this(void);
#endif

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)services, (void)values, (void)error, (void)error_bytes;
#ifdef FAULT_SYMBOL
    nobody_defines_this();
#endif
    return NULL;
}

static void connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    (void)block, (void)port, (void)element, (void)out, (void)in;
}

static void reset(hd_block *block)
{
    (void)block;
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    (void)block, (void)now, (void)horizon;
    return HD_NEVER;
}

static const uint64_t *counters(hd_block *block)
{
    (void)block;
    return NULL;
}

static void destroy(hd_block *block)
{
    (void)block;
}

#ifdef FAULT_TABLES
static const hd_parameter parameters[] = {
    {"depth", HD_TYPE_UNSIGNED, HD_UNITLESS, "0", 1, 8, NULL, "entries"},
    {"depth", HD_TYPE_CHOICE, HD_UNITLESS, "c", 0, 0, "a|b", "entries again"},
};
#endif

static const hd_block_class plugged = {
    .abi_version = CLASS_VERSION,
    .struct_bytes = CLASS_BYTES,
    .kind = "test_block",
    .type = TYPE,
    .doc = "does nothing",
    .source = "written for these tests",
#ifdef FAULT_TABLES
    .parameters = parameters,
    .parameter_count = 2,
#endif
#ifdef FAULT_TABLE_MISSING
    .port_count = 3,
#endif
    .create = create,
    .connect = connect,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .destroy = destroy,
};

static const hd_block_class *const classes[] = {
    &plugged,
#ifdef FAULT_TWICE
    &plugged,
#endif
#ifdef FAULT_CLASS_MISSING
    NULL,
#endif
};

#ifdef FAULT_NO_ENTRY
HD_PLUGIN_VISIBLE const hd_block_class *const *const something_else = classes;
#else
HD_PLUGIN_ENTRY = {
    .abi_version = ENTRY_VERSION,
    .struct_bytes = ENTRY_BYTES,
    .name = NAME,
    .version = VERSION,
    .licence = LICENCE,
#ifndef FAULT_NO_CLASSES
    .class_count = sizeof classes / sizeof *classes,
#endif
    .classes = classes,
};
#endif

#ifdef FAULT_BOTH
extern HD_PLUGIN_VISIBLE const uint32_t heddle_systemc_entry;
const uint32_t heddle_systemc_entry = 0;
#endif
