/* SPDX-License-Identifier: MIT */
/* One load at a time: micro_chain, by the formulas of path.h. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "chase.h"
#include "known.h"
#include "micro_chain/args.h"
#include "path.h"

/* From one row of a bank to the next: all channels, banks and bytes of a row in between. */
static void row_step(const card *of, char text[24])
{
    snprintf(text, 24, "%.0f",
             card_count(of, "dram") * card_value(of, "dram", "banks") * card_value(of, "dram", "row_bytes"));
}

/* Between the readings two moves issue besides the loads. */
static double per_load(const hd_machine *machine, double cycles)
{
    path *p = path_new(machine);
    const double moves = 2 * (double)path_next_issue(p);
    path_free(p);
    return (cycles - moves) / MICRO_CHAIN_TIMED;
}

/* Without a hash, so that chunks of equal distance are of the same partition. */
static double chase_value(const card *of, const chase *chase, int by_formula)
{
    hd_machine *machine = chase_run(of->path, chase, "address_map.hash=none");
    const uint64_t cycles = by_formula ? chase_expected(chase, machine) : chase_measured(machine);
    const double value = per_load(machine, (double)cycles);
    hd_machine_close(machine);
    return value;
}

static const chase in_scratchpad = {SCRATCHPAD, "4", "5", "5", NULL};
static const chase in_l1 = {L1_HIT, "128", "3", "3", NULL};
static const chase in_l2 = {L2_HIT, "256", "7", "7", NULL};

#define CHASE(name, chase)                                                                                             \
    static double name##_measured(const card *of, const char *argument)                                                \
    {                                                                                                                  \
        (void)argument;                                                                                                \
        return chase_value(of, &chase, 0);                                                                             \
    }                                                                                                                  \
    static double name##_formula(const card *of, const char *argument)                                                 \
    {                                                                                                                  \
        (void)argument;                                                                                                \
        return chase_value(of, &chase, 1);                                                                             \
    }
CHASE(scratchpad, in_scratchpad)
CHASE(l1, in_l1)
CHASE(l2, in_l2)

/* Every load finds another row open in its bank. */
static double dram_value(const card *of, int by_formula)
{
    char step[24];
    row_step(of, step);
    const chase in_rows = {L2_MISS, step, "32", "0", NULL};
    return chase_value(of, &in_rows, by_formula);
}

static double dram_measured(const card *of, const char *argument)
{
    (void)argument;
    return dram_value(of, 0);
}

static double dram_formula(const card *of, const char *argument)
{
    (void)argument;
    return dram_value(of, 1);
}

/* Nanoseconds of a load on one channel whose slices hold next to nothing, so that every load goes to its banks. */
static double channel_nanoseconds(const card *of, const char *step, const char *length, const char *warm)
{
    char slices[24];
    snprintf(slices, sizeof slices, "l2.count=%.0f", card_count(of, "l2") / card_count(of, "dram"));
    const char *const changes[] = {"dram.trefi=0 s",   "core.l1.global=bypass", "address_map.hash=none",
                                   "core.count=1",     "dram.count=1",          slices,
                                   "l2.bytes=1 KiB",   "l2.ways=8",             "l2.set_hash=linear",
                                   NULL};
    const hd_host_option options[] = {{"step", step}, {"length", length}, {"warm", warm}, {NULL, NULL}};
    hd_machine *machine = card_run(of, "micro_chain", changes, options);
    const double cycles = per_load(machine, (double)(micro_report(machine, "end") - micro_report(machine, "begin")));
    hd_machine_close(machine);
    return cycles / card_hertz(of, "core") * 1e9;
}

/* Rows one after the other, less the lines of open rows: of the second time that a run of 4 KiB is gone through. */
static double row_measured(const card *of, const char *argument)
{
    (void)argument;
    char step[24];
    snprintf(step, sizeof step, "%.0f", card_value(of, "dram", "banks") * card_value(of, "dram", "row_bytes"));
    return channel_nanoseconds(of, step, "32", "32") - channel_nanoseconds(of, "128", "32", "32");
}

static double row_formula(const card *of, const char *argument)
{
    (void)argument;
    return (card_value(of, "dram", "trp") + card_value(of, "dram", "trcd")) / card_hertz(of, "dram") * 1e9;
}

/* Passes over the banks of a load, of each group of lanes. One access makes the chains, one is in front. */
static double passes_measured(const card *of, const char *stride)
{
    char bytes[16], threads[16];
    unsigned words = 0;
    cr_assert_eq(sscanf(stride, "%u", &words), 1);
    snprintf(bytes, sizeof bytes, "%u", words * 4);
    snprintf(threads, sizeof threads, "%.0f", card_value(of, "core", "lanes"));
    const hd_host_option options[] = {
        {"threads", threads}, {"lane_stride", bytes}, {"scratchpad", "1"}, {"warm", "1"}, {NULL, NULL}};
    hd_machine *machine = card_run(of, "micro_chain", NULL, options);
    const double passes = (double)hd_machine_count(machine, "simt_core", "scratchpad_passes");
    hd_machine_close(machine);
    const double lanes = card_value(of, "core", "lanes"), group = card_value(of, "core", "scratchpad.group");
    return passes / (MICRO_CHAIN_TIMED + 2) / (group > 0 && group < lanes ? lanes / group : 1);
}

/* Where a warp issues two instructions at once, a move between the readings takes no cycle. */
const known known_latencies[] = {
    {"K8", "scratchpad, a chase", "core cycles a load", scratchpad_measured, scratchpad_formula, 0.002, 0, 0},
    {"K10", "scratchpad, words %s apart", "passes", passes_measured, NULL, 0, 0, 0},
    {"K11", "L1, a chase", "core cycles a load", l1_measured, l1_formula, 0.002, 0, 0},
    {"K14", "L2, a chase", "core cycles a load", l2_measured, l2_formula, 0.002, 0, 0},
    {"K15", "DRAM, a chase of rows that are not open", "core cycles a load", dram_measured, dram_formula, 0, 0, 0},
    {"K16", "DRAM, a row that is not open, more than one that is", "ns a load", row_measured, row_formula, 0.1, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0, 0},
};
