/* SPDX-License-Identifier: MIT */
/* A plug-in with a unit, and with the mistake that FAULT_* names. FAULT_UNIT_OWN_CLASS is none: it brings the block, too. */
#include "hd_plugin.h"
#include "hd_unit.h"

#ifdef FAULT_UNIT_VERSION
#define VERSION (HD_ABI_VERSION + 6)
#else
#define VERSION HD_ABI_VERSION
#endif
#ifdef FAULT_UNIT_BYTES
#define BYTES 24
#else
#define BYTES sizeof(hd_unit)
#endif
#ifdef FAULT_UNIT_NAME
#define NAME "two words"
#elif defined(FAULT_UNIT_BUILT_IN)
#define NAME "plain"
#else
#define NAME "wound_up"
#endif
#if defined(FAULT_UNIT_KIND) || defined(FAULT_UNIT_OWN_CLASS)
#define KIND "puzzle"
#else
#define KIND "toy"
#endif
#ifdef FAULT_UNIT_INTERFACE
#define INTERFACE "test.toy/2"
#else
#define INTERFACE "test.toy/1"
#endif
#ifdef FAULT_UNIT_STATISTIC
#define KIND_OF_STATISTIC 9
#else
#define KIND_OF_STATISTIC HD_STATISTIC_COUNT
#endif

#ifndef FAULT_UNIT_TABLE
static const hd_parameter parameters[] = {
    {.name = "turns", .type = HD_TYPE_UNSIGNED, .standard = "3", .doc = "how often it turns"},
};
#endif
static const hd_statistic statistics[] = {
    {.name = "toy_turns", .unit = "turns", .kind = KIND_OF_STATISTIC, .doc = "turns so far"},
};

/* As test.toy/1 has them. */
static void function(void)
{
}
static const struct toy_unit {
    void (*turn)(void);
    void (*wind)(void);
    void (*unwind)(void);
    void (*sing)(void);
} functions = {
#ifdef FAULT_UNIT_FUNCTION
    .wind = function,
    .unwind = function,
#else
    .turn = function,
#endif
#ifdef FAULT_UNIT_HALF
    .wind = function,
#endif
};

static const hd_unit unit = {.abi_version = VERSION,
                             .struct_bytes = BYTES,
                             .kind = KIND,
                             .name = NAME,
                             .doc = "turns until it stops",
                             .interface = INTERFACE,
                             .functions = &functions,
#ifdef FAULT_UNIT_ABILITY
                             .abilities = "dances|songs",
#endif
                             .parameter_count = 1,
#ifndef FAULT_UNIT_TABLE
                             .parameters = parameters,
#endif
                             .statistic_count = 1,
                             .statistics = statistics};

static const hd_unit *const units[] = {&unit,
#ifdef FAULT_UNIT_TWICE
                                       &unit
#endif
};

#ifdef FAULT_UNIT_OWN_CLASS
static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)services, (void)values, (void)error, (void)error_bytes;
    return NULL;
}

static void connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    (void)block, (void)port, (void)element, (void)out, (void)in;
}

static void nothing(hd_block *block)
{
    (void)block;
}

static hd_time never(hd_block *block, hd_time now, hd_time horizon)
{
    (void)block, (void)now, (void)horizon;
    return HD_NEVER;
}

static const uint64_t *counters(hd_block *block)
{
    (void)block;
    return NULL;
}

static const hd_parameter choice[] = {
    {.name = "puzzle", .type = HD_TYPE_CHOICE, .standard = "none", .doc = "which puzzle"},
};
static const hd_unit_slot slots[] = {{.kind = "puzzle", .interface = "test.toy/1", .none = "none"}};
static const hd_block_class puzzled = {.abi_version = HD_ABI_VERSION,
                                       .struct_bytes = sizeof(hd_block_class),
                                       .kind = "test_block",
                                       .type = "puzzled",
                                       .doc = "has a puzzle",
                                       .source = "a test",
                                       .parameters = choice,
                                       .parameter_count = 1,
                                       .create = create,
                                       .connect = connect,
                                       .reset = nothing,
                                       .advance = never,
                                       .counters = counters,
                                       .destroy = nothing,
                                       .unit_slots = slots,
                                       .unit_slot_count = 1};
static const hd_block_class *const classes[] = {&puzzled};
#endif

HD_PLUGIN_ENTRY = {.abi_version = HD_ABI_VERSION,
                   .struct_bytes = sizeof(hd_plugin),
                   .name = "units",
                   .version = "1.0",
                   .licence = "MIT",
#ifdef FAULT_UNIT_OWN_CLASS
                   .class_count = 1,
                   .classes = classes,
#endif
                   .unit_count = sizeof units / sizeof *units,
                   .units = units};
