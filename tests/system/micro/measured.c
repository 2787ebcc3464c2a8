/* SPDX-License-Identifier: MIT */
#include "measured.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chase.h"
#include "hd_message.h"
#include "micro_chain/args.h"

/* ---- One load alone ------------------------------------------------------------------------------------------------ */

static double chase_alone(const char *netlist, const chase *chase)
{
    hd_machine *machine = chase_run(netlist, chase, NULL);
    const uint64_t cycles = chase_measured(machine), expected = chase_expected(chase, machine);
    cr_expect_eq(cycles, expected, "%s, chase %d: %llu cycles, expected %llu", netlist, (int)chase->kind,
                 (unsigned long long)cycles, (unsigned long long)expected);
    hd_machine_close(machine);
    return (double)cycles / MICRO_CHAIN_TIMED;
}

/* From one row of a bank to the next: all partitions, banks and bytes of a row in between. */
static void row_step(const hd_machine *machine, char text[24])
{
    snprintf(text, 24, "%llu",
             (unsigned long long)(micro_block(machine, "l2")->count * micro_parameter(machine, "dram", "banks") *
                                  micro_parameter(machine, "dram", "row_bytes")));
}

void measure_latencies(const char *netlist, const hd_machine *machine, double measured[FIGURE_COUNT])
{
    static const chase in_scratchpad = {SCRATCHPAD, "4", "5", "5"};
    static const chase in_l1 = {L1_HIT, "128", "3", "3"};
    static const chase in_l2 = {L2_HIT, "256", "7", "7"};
    char step[24];
    row_step(machine, step);
    const chase in_rows = {L2_MISS, step, "32", "0"};
    measured[FIGURE_SCRATCHPAD_LOAD] = chase_alone(netlist, &in_scratchpad);
    measured[FIGURE_L1_LOAD] = chase_alone(netlist, &in_l1);
    measured[FIGURE_L2_LOAD] = chase_alone(netlist, &in_l2);
    measured[FIGURE_DRAM_LOAD] = chase_alone(netlist, &in_rows);
}

/* ---- One core ------------------------------------------------------------------------------------------------------ */

/* What a longer run counts more than a shorter one, in a second, of as many cores as the machine has. */
static double core_rate(const char *netlist, const char *app, const char *scratchpad, const char *statistic)
{
    uint64_t counted[2], cycles[2];
    double hertz = 0;
    for (int i = 0; i < 2; i++) {
        const micro_setup setup = {
            .netlist = netlist,
            .app = app,
            .changes = {"core.count=1", "core.l1.global=cache"},
            .options = {{"rounds", i ? "36" : "12"}, {"blocks", "2"}, {"block", "512"}, {scratchpad, "1"}}};
        hd_machine *machine = micro_run(&setup);
        counted[i] = hd_machine_count(machine, "simt_core", statistic);
        cycles[i] = micro_report(machine, "cycles");
        hertz = (double)micro_clock(machine, "core").hz;
        hd_machine_close(machine);
    }
    return (double)(counted[1] - counted[0]) / (double)(cycles[1] - cycles[0]) * hertz;
}

static void measure_core(const char *netlist, const hd_machine *machine, double measured[FIGURE_COUNT])
{
    const double cores = (double)micro_block(machine, "core")->count;
    const double word = 4 * (double)micro_parameter(machine, "core", "lanes") * cores;
    measured[FIGURE_IPC] =
        cores * core_rate(netlist, "micro_peak", NULL, "warp_instructions") / (double)micro_clock(machine, "core").hz;
    measured[FIGURE_THREADS] = cores * core_rate(netlist, "micro_peak", NULL, "thread_instructions");
    measured[FIGURE_SCRATCHPAD] = word * core_rate(netlist, "micro_reads", "scratchpad", "loads");
    measured[FIGURE_L1] = word * core_rate(netlist, "micro_reads", NULL, "loads");
}

/* ---- Generated traffic --------------------------------------------------------------------------------------------- */

static double traffic_rate(const char *netlist, const char *const *changes)
{
    uint32_t count = 0;
    char *error;
    while (changes[count])
        count++;
    const hd_machine_setup setup = {.netlist = netlist, .overrides = changes, .override_count = count, .seed = 1};
    hd_machine *machine = hd_machine_open(&setup, &error);
    cr_assert_not_null(machine, "%s", error);
    const uint32_t outcome = hd_machine_run(machine, NULL);
    cr_assert_eq(outcome, HD_OUTCOME_PASS, "%s: %s", hd_outcome_name(outcome), hd_machine_message(machine));
    const double bytes = (double)(hd_machine_count(machine, "simt_core", "bytes_read") +
                                  hd_machine_count(machine, "simt_core", "bytes_written"));
    const double cycles =
        (double)hd_machine_count(machine, "simt_core", "cycles") / (double)micro_block(machine, "core")->count;
    const double hertz = (double)micro_clock(machine, "core").hz;
    hd_machine_close(machine);
    return bytes / cycles * hertz;
}

/* Lines of a small footprint, the same part of every slice, in the L2 after the first time. */
static double measure_l2(const char *netlist, const hd_machine *machine, const char *writes, const char *duration,
                         const char *network)
{
    char ways[2][48], footprint[48];
    snprintf(footprint, sizeof footprint, "core.footprint=%u KiB", 8 * micro_block(machine, "l2")->count);
    snprintf(ways[0], sizeof ways[0], "request_network.type=%s", network);
    snprintf(ways[1], sizeof ways[1], "reply_network.type=%s", network);
    const char *const changes[] = {"core.type=traffic",
                                   "core.pattern=random",
                                   "core.region=shared",
                                   footprint,
                                   "core.outstanding=256",
                                   "core.warm_up=4000 cycles",
                                   duration,
                                   writes,
                                   *network ? ways[0] : NULL,
                                   ways[1],
                                   NULL};
    return traffic_rate(netlist, changes);
}

/* Each generator's lines in turn, more than the L2 holds; each begins at another partition and bank than the one before. */
static double measure_dram(const char *netlist, const hd_machine *machine)
{
    char footprint[48];
    const uint32_t chunk = hd_machine_netlist(machine)->address_map.interleave_bytes;
    snprintf(footprint, sizeof footprint, "core.footprint=%u B",
             (4u << 20) + (micro_block(machine, "l2")->count + 1) * chunk);
    const char *const changes[] = {
        "core.type=traffic",        "core.pattern=stride",        footprint, "core.outstanding=256",
        "core.warm_up=3000 cycles", "core.duration=12000 cycles", NULL};
    return traffic_rate(netlist, changes);
}

void measure_rates(const char *netlist, const hd_machine *machine, double measured[FIGURE_COUNT])
{
    measure_core(netlist, machine, measured);
    measured[FIGURE_L2] = measure_l2(netlist, machine, "core.writes=0", "core.duration=4000 cycles", "");
    measured[FIGURE_L2_WRITES] = measure_l2(netlist, machine, "core.writes=100", "core.duration=4000 cycles", "");
    measured[FIGURE_DRAM_READS] = measure_dram(netlist, machine);
}

double measure_l2_without_contention(const char *netlist, const hd_machine *machine)
{
    /* So long that the slices have the same load, by chance. */
    return measure_l2(netlist, machine, "core.writes=0", "core.duration=16000 cycles", "ideal");
}
