/* SPDX-License-Identifier: MIT */
#include "structures.h"

/* Fields of entries: Ren & Lis 2018, Tables I, II and V. Sizes of the two tables are given for all partitions together. */
#define PRECISE_ENTRY_BYTES 16
#define FILTER_ENTRY_BYTES 8
#define CLOCK_BYTES 4
#define STALL_LINE_BITS 32
#define STALL_ENTRY_BITS 52

static double precise_bytes(const netlist_block *block)
{
    return (double)(structure_number(block, "precise.entries") * PRECISE_ENTRY_BYTES);
}

static double filter_bytes(const netlist_block *block)
{
    return (double)(structure_number(block, "approximate.entries") * FILTER_ENTRY_BYTES);
}

static double stall_bytes(const netlist_block *block)
{
    const uint64_t bits = STALL_LINE_BITS + structure_number(block, "stall.entries") * STALL_ENTRY_BITS;
    return (double)(structure_number(block, "stall.lines") * bits * block->count) / 8;
}

static double write_buffer_bytes(const netlist_block *block)
{
    return (double)(structure_number(block, "bytes") * block->count);
}

static double clock_bytes(const netlist_block *block)
{
    return (double)(structure_number(block, "warps") * CLOCK_BYTES * block->count);
}

#define KIB 1024.0
const structure structures[] = {
    {"write buffers of the commit units", "commit_unit", "getm", NULL, NULL, write_buffer_bytes, 6 * 16 * KIB, 0.522,
     85.56, 700},
    {"precise metadata tables", "validation_unit", "getm", NULL, NULL, precise_bytes, 64 * KIB, 0.181, 69.59, 1400},
    {"approximate metadata tables", "validation_unit", "getm", "approximate", "bloom", filter_bytes, 8 * KIB, 0.018,
     8.51, 1400},
    {"clocks of warps", "simt_core", "timed", "tx", "getm", clock_bytes, 15 * 192, 0.015, 10.65, 1400},
    {"stall buffers", "validation_unit", "getm", NULL, NULL, stall_bytes, 6 * 4 * 30, 0.0004, 2.67, 1400},
};
const uint32_t structure_count = sizeof structures / sizeof *structures;
