/* SPDX-License-Identifier: MIT */
/* Sets, misses and sectors of L1 and L2: micro_chain and micro_sectors. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "known.h"
#include "statistics.h"

/* ---- Sets of the L1 ------------------------------------------------------------------------------------------------- */

/* Of five lines so far apart, from an address that has none of these bits, those that are there at a second pass. */
static double hits_measured(const card *of, const char *step)
{
    enum { ALIGNED = 1 << 21 };
    char offset[24] = "0";
    static const char *const changes[] = {"core.count=1", "core.l1.global=cache", NULL};
    static const char *const warm[] = {"5", "5", "10"};
    double hits[3];
    for (uint32_t i = 0; i < 3; i++) {
        const hd_host_option options[] = {
            {"step", step}, {"length", "5"}, {"warm", warm[i]}, {"offset", offset}, {NULL, NULL}};
        hd_machine *machine = card_run(of, "micro_chain", changes, options);
        hits[i] = (double)hd_machine_count(machine, "simt_core", "l1_hits");
        if (i == 0)
            snprintf(offset, sizeof offset, "%u", (uint32_t)(ALIGNED - micro_report(machine, "start") % ALIGNED));
        hd_machine_close(machine);
    }
    return hits[2] - hits[1];
}

/* ---- Misses under way ------------------------------------------------------------------------------------------------ */

/* Does something wait for an MSHR? Replies come so late that none of them frees one. */
static uint32_t waits(const card *of, const char *app, const char *statistic, const hd_host_option *options)
{
    static const char *const changes[] = {"core.count=1", "core.l1.global=cache", "l2.latency=20000 cycles", NULL};
    hd_machine *machine = card_run(of, app, changes, options);
    const uint64_t cycles = hd_machine_count(machine, "simt_core", statistic);
    hd_machine_close(machine);
    return cycles > 1000;
}

static uint32_t line_waits(const card *of, uint32_t lines)
{
    char blocks[16], block[16];
    snprintf(block, sizeof block, "%u", lines > 512 ? (lines + 1) / 2 : lines);
    snprintf(blocks, sizeof blocks, "%u", lines > 512 ? 2u : 1u);
    const hd_host_option options[] = {{"blocks", blocks}, {"block", block}, {"step", "128"}, {NULL, NULL}};
    return waits(of, "micro_sectors", "stall_mshr_full", options);
}

static uint32_t merge_waits(const card *of, uint32_t loads)
{
    char threads[16];
    snprintf(threads, sizeof threads, "%u", loads * (uint32_t)card_value(of, "core", "lanes"));
    const hd_host_option options[] = {{"threads", threads}, {"lane_stride", "0"}, {NULL, NULL}};
    return waits(of, "micro_chain", "stall_merge_full", options);
}

/* The most with which nothing waits. */
static double most(const card *of, uint32_t (*waits_with)(const card *of, uint32_t n), uint32_t low, uint32_t high)
{
    while (low + 1 < high) {
        const uint32_t middle = (low + high) / 2;
        if (waits_with(of, middle))
            high = middle;
        else
            low = middle;
    }
    return low;
}

static double lines_measured(const card *of, const char *argument)
{
    (void)argument;
    return most(of, line_waits, 1, 1023);
}

static double lines_formula(const card *of, const char *argument)
{
    (void)argument;
    return card_value(of, "core", "l1.mshrs");
}

static double merges_measured(const card *of, const char *argument)
{
    (void)argument;
    return most(of, merge_waits, 1, 16);
}

static double merges_formula(const card *of, const char *argument)
{
    (void)argument;
    return card_value(of, "core", "l1.mshr_merges");
}

/* ---- Sectors --------------------------------------------------------------------------------------------------------- */

/* A statistic of the slices, of so many threads. */
static double l2_count(const card *of, const char *const *changes, const char *statistic, const char *threads,
                       const char *step, const char *stores, const char *loads)
{
    const hd_host_option options[] = {{"blocks", threads}, {"block", "256"},  {"step", step},
                                      {"stores", stores},  {"loads", loads}, {NULL, NULL}};
    hd_machine *machine = card_run(of, "micro_sectors", changes, options);
    const double count = (double)hd_machine_count(machine, "l2_slice", statistic);
    hd_machine_close(machine);
    return count;
}

/* Each thread loads a word of a line of its own. */
static double requested_measured(const card *of, const char *argument)
{
    (void)argument;
    static const char *const changes[] = {"core.count=1", "core.l1.global=cache", NULL};
    const double bytes = l2_count(of, changes, "bytes_out.global", "3", "128", "0", "1") -
                         l2_count(of, changes, "bytes_out.global", "1", "128", "0", "1");
    /* A load's request is a header, and so is what its reply has besides. */
    const double headers = l2_count(of, changes, "bytes_in.global", "3", "128", "0", "1") -
                           l2_count(of, changes, "bytes_in.global", "1", "128", "0", "1");
    return (bytes - headers) / (2 * 256);
}

static double requested_formula(const card *of, const char *argument)
{
    (void)argument;
    const double sector = card_value(of, "core", "l1.sector");
    return sector > 0 ? sector : card_value(of, "core", "l1.line");
}

/* A word of every 32 B is written, and then read or not. */
static double filled_measured(const card *of, const char *which)
{
    const char *loads = which[0] == 'l' ? "1" : "0";
    return (l2_count(of, NULL, "bytes_filled", "40", "32", "1", loads) -
            l2_count(of, NULL, "bytes_filled", "8", "32", "1", loads)) /
           (32 * 256 * 32);
}

static double filled_formula(const card *of, const char *which)
{
    return which[0] == 'l' || card_value(of, "l2", "partial_writes") == 0;
}

const known known_misses[] = {
    {"K22", "L1, 5 lines %s B apart", "hits of the second pass", hits_measured, NULL, 0, 0, 0},
    {"K23", "lines that the L1 of an SM awaits", "before the next waits", lines_measured, lines_formula, 0, 0, 0},
    {"K24", "loads that wait for one line", "before the next waits", merges_measured, merges_formula, 0, 0, 0},
    {"K37", "a word of every 32 B: %s", "B filled a byte", filled_measured, filled_formula, 0, 0, 0},
    {"K38", "a word of each line, through the L1", "B requested a line", requested_measured, requested_formula, 0, 0,
     0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0, 0},
};
