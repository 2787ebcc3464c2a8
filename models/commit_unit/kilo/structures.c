/* SPDX-License-Identifier: MIT */
/* Area and power of what the unit consists of: 6 units at 700 MHz, in 40 nm (Fung 2015, Table 6.3) and in 32 nm (Ren & Lis 2018, Table V). */
#include "structures.h"

#include "hd_kilo.h"
#include "parameters.h"

#define UNITS 6
#define TABLE_ENTRY_BYTES 6  /* an address and a commit ID of 16 bits */
#define FILTER_ENTRY_BYTES 2 /* a commit ID */
#define RING_ENTRY_BYTES 10
#define RING_ENTRIES 1920 /* of an unlimited ring: what the thesis builds */
#define BUFFER_BYTES (500 * 64)
#define TIME_BYTES 8
#define COUNT_ENTRY_BYTES 5 /* an address, and how many read and write it */

/* HISTORY_*; who validates nothing looks for no hazards. */
static uint64_t history_of(const hd_value *values)
{
    return values[PARAMETER_VALIDATE].u == HD_KILO_VALIDATE_NOTHING ? HISTORY_PERFECT : values[PARAMETER_HISTORY].u;
}

static uint64_t table_entries(const hd_value *values)
{
    switch (history_of(values)) {
    case HISTORY_LWH5K: return 512;
    case HISTORY_LWH512: return 64;
    case HISTORY_LWH: return values[PARAMETER_HISTORY_ENTRIES].u;
    default: return 0;
    }
}

static uint64_t filter_entries(const hd_value *values)
{
    switch (history_of(values)) {
    case HISTORY_LWH5K: return 1024;
    case HISTORY_LWH512: return 64;
    case HISTORY_LWH: return values[PARAMETER_HISTORY_FILTER].u;
    default: return 0;
    }
}

static double table_bytes(const hd_structure_use *use)
{
    return (double)(table_entries(use->values) * TABLE_ENTRY_BYTES * use->count);
}

static double filter_bytes(const hd_structure_use *use)
{
    return (double)(filter_entries(use->values) * FILTER_ENTRY_BYTES * use->count);
}

static double ring_bytes(const hd_structure_use *use)
{
    const uint64_t entries = use->values[PARAMETER_ENTRIES].u;
    return (double)((entries ? entries : RING_ENTRIES) * RING_ENTRY_BYTES * use->count);
}

static double narrow_bytes(const hd_structure_use *use)
{
    return use->values[PARAMETER_COALESCE].u ? 0 : (double)(BUFFER_BYTES * use->count);
}

static double wide_bytes(const hd_structure_use *use)
{
    return use->values[PARAMETER_COALESCE].u ? (double)(BUFFER_BYTES * use->count) : 0;
}

static double times_bytes(const hd_structure_use *use)
{
    return use->values[PARAMETER_TCD].u ? (double)(use->values[PARAMETER_TCD_ENTRIES].u * TIME_BYTES * use->count) : 0;
}

static double count_bytes(const hd_structure_use *use)
{
    const uint32_t counts_words = use->values[PARAMETER_BROADCAST].u != BROADCAST_NOTHING;
    return counts_words ? (double)(use->values[PARAMETER_BROADCAST_ENTRIES].u * COUNT_ENTRY_BYTES * use->count) : 0;
}

/* Area and power of one unit in the one, of all in the other. */
#define TABLE_6_3(name_, bytes_, area, power, function)                                                                \
    {                                                                                                                  \
        .name = name_, .source = "Fung 2015, Table 6.3", .process = "40 nm", .reference_bytes = UNITS * (bytes_),      \
        .square_millimetres = UNITS * (area), .milliwatts = UNITS * (power), .megahertz = 700, .bytes = function       \
    }
#define TABLE_V(name_, bytes_, area, power, function)                                                                  \
    {                                                                                                                  \
        .name = name_, .source = "Ren & Lis 2018, Table V", .process = "32 nm", .reference_bytes = bytes_,             \
        .square_millimetres = area, .milliwatts = power, .megahertz = 700, .bytes = function                           \
    }
#define TABLES "tables of last writers"
#define FILTERS "recency filters of last writers"
#define ENTRIES "commit entries"
#define WIDE_BUFFERS "read and write buffers with a port of 64 B"
#define TIMES "last-written tables"
const hd_structure kilo_unit_structures[KILO_STRUCTURES] = {
    TABLE_6_3(TABLES, 512 * TABLE_ENTRY_BYTES, 0.010, 6.3, table_bytes),
    TABLE_V(TABLES, UNITS * 512 * TABLE_ENTRY_BYTES, 0.108, 21.84, table_bytes),
    TABLE_6_3(FILTERS, 1024 * FILTER_ENTRY_BYTES, 0.010, 6.6, filter_bytes),
    TABLE_V(FILTERS, UNITS * 1024 * FILTER_ENTRY_BYTES, 0.03, 12, filter_bytes),
    TABLE_6_3(ENTRIES, RING_ENTRIES *RING_ENTRY_BYTES, 0.094, 57.5, ring_bytes),
    TABLE_V(ENTRIES, UNITS *RING_ENTRIES *RING_ENTRY_BYTES, 0.402, 100.62, ring_bytes),
    TABLE_6_3("read and write buffers", BUFFER_BYTES, 0.128, 82.5, narrow_bytes),
    TABLE_6_3(WIDE_BUFFERS, BUFFER_BYTES, 0.731, 260, wide_bytes),
    TABLE_V(WIDE_BUFFERS, UNITS *BUFFER_BYTES, 1.734, 132.48, wide_bytes),
    TABLE_6_3(TIMES, 2048 * TIME_BYTES, 0.078, 52.3, times_bytes),
    TABLE_V(TIMES, 2048 * TIME_BYTES, 0.031, 9.86, times_bytes), /* of all units together */
    TABLE_V("reference count tables", UNITS * 3072 * COUNT_ENTRY_BYTES, 0.294, 75.6, count_bytes),
};
