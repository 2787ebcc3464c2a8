/* SPDX-License-Identifier: MIT */
#include "counting.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "hd_extension.h"

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)services, (void)values, (void)error, (void)error_bytes;
    return calloc(1, sizeof(counting_block));
}

static void reset(hd_block *block)
{
    memset(block, 0, sizeof(counting_block));
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    (void)block, (void)now, (void)horizon;
    return HD_NEVER;
}

static const uint64_t *counters(hd_block *block)
{
    return (const uint64_t *)block;
}

static void destroy(hd_block *block)
{
    free(block);
}

static void mark(hd_block *block)
{
    ((uint64_t *)block)[COUNTING_DEPTH] = 0;
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_mark marking = {.mark = mark};
    (void)block;
    return strcmp(id, HD_EXTENSION_MARK) ? NULL : &marking;
}

static void begin(hd_block *block, const hd_profile_table *table)
{
    ((counting_block *)block)->table = *table;
}

static const void *core_extension(hd_block *block, const char *id)
{
    static const hd_statistic columns[] = {
        [COUNTING_SLOTS] = {"slots_issued", "slots", HD_STATISTIC_COUNT, 0, "slots"},
        [COUNTING_ABORTS] = {"aborts", "transactions", HD_STATISTIC_COUNT, 0, "aborts"},
    };
    static const hd_profile profile = {.columns = columns, .column_count = COUNTING_COLUMNS, .begin = begin};
    return strcmp(id, HD_EXTENSION_PROFILE) ? extension(block, id) : &profile;
}

static const hd_parameter parameters[] = {
    {.name = "lanes", .type = HD_TYPE_UNSIGNED, .standard = "32", .doc = "lanes"},
    {.name = "bus_bytes", .type = HD_TYPE_UNSIGNED, .unit = HD_UNIT_BYTES, .standard = "32 B", .doc = "bus"},
};

static const hd_statistic statistics[] = {
    [COUNTING_EVENTS] = {"warp_instructions", "instructions", HD_STATISTIC_COUNT, 0, "events"},
    [COUNTING_DEPTH] = {"depth", "entries", HD_STATISTIC_MAXIMUM, 0, "depth"},
};

#define CLASS(kind_text, extension_function)                                                                           \
    {                                                                                                                  \
        .abi_version = HD_ABI_VERSION, .struct_bytes = sizeof(hd_block_class), .kind = (kind_text),                    \
        .type = "counting", .doc = "counts", .source = "", .parameter_count = 2,                                       \
        .statistic_count = COUNTING_STATISTICS, .parameters = parameters, .statistics = statistics, .create = create,  \
        .reset = reset, .advance = advance, .counters = counters, .destroy = destroy, .extension = extension_function  \
    }

static const hd_block_class core = CLASS("simt_core", core_extension), l2 = CLASS("l2_slice", extension);

void counting_open(counting *rig)
{
    *rig = (counting){.engine = hd_engine_create(),
                      .clock = {.name = "core", .hz = 1000000000},
                      .values = {{.u = 32}, {.u = 32}},
                      .endpoints = {0, 1, 2}};
    rig->blocks[0] =
        (netlist_block){.name = "core", .block_class = &core, .count = 2, .is_array = 1, .values = rig->values};
    rig->blocks[1] =
        (netlist_block){.name = "l2", .block_class = &l2, .count = 1, .first_endpoint = 2, .values = rig->values};
    rig->machine = (netlist){.name = "rig",
                             .description = "two kinds of blocks",
                             .file = "rig.yaml",
                             .clock_count = 1,
                             .block_count = 2,
                             .endpoint_count = 3,
                             .clocks = &rig->clock,
                             .blocks = rig->blocks,
                             .address_map = {.block = NETLIST_NONE},
                             .limit = HD_NEVER};
    static const char *const names[] = {"core[0]", "core[1]", "l2"};
    for (uint32_t i = 0; i < 3; i++)
        hd_engine_add_block(rig->engine, i < 2 ? &core : &l2, names[i], i < 2 ? i : 0, i < 2 ? 2 : 1,
                            (hd_clock){1000000000}, rig->values);
    cr_assert_eq(hd_engine_elaborate(rig->engine, NULL), 0);
    hd_engine_reset(rig->engine, 1);
    rig->statistics = hd_statistics_create(&rig->machine, rig->engine, rig->endpoints);
}

void counting_close(counting *rig)
{
    hd_statistics_destroy(rig->statistics);
    hd_engine_destroy(rig->engine);
}

uint64_t *counting_values(counting *rig, uint32_t endpoint)
{
    return (uint64_t *)hd_engine_block(rig->engine, endpoint);
}
