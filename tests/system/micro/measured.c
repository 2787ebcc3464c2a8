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
    static const chase in_scratchpad = {SCRATCHPAD, "4", "5", "5", NULL};
    static const chase in_l1 = {L1_HIT, "128", "3", "3", NULL};
    static const chase in_l2 = {L2_HIT, "256", "7", "7", NULL};
    char step[24];
    row_step(machine, step);
    const chase in_rows = {L2_MISS, step, "32", "0", NULL};
    measured[FIGURE_SCRATCHPAD_LOAD] = chase_alone(netlist, &in_scratchpad);
    measured[FIGURE_L1_LOAD] = chase_alone(netlist, &in_l1);
    measured[FIGURE_L2_LOAD] = chase_alone(netlist, &in_l2);
    measured[FIGURE_DRAM_LOAD] = chase_alone(netlist, &in_rows);
}

/* ---- One core ------------------------------------------------------------------------------------------------------ */

/* What a longer run counts more than a shorter one, in a second, of one core; for each of `count` statistics. */
static void core_rates(const micro_setup *setup, const char *const *statistics, uint32_t count, double *rates)
{
    uint64_t counted[2][2], cycles[2];
    double hertz = 0;
    cr_assert_leq(count, 2);
    for (int i = 0; i < 2; i++) {
        micro_setup longer = *setup;
        longer.options[0] = (hd_host_option){"rounds", i ? "8" : "3"};
        hd_machine *machine = micro_run(&longer);
        for (uint32_t s = 0; s < count; s++)
            counted[i][s] = hd_machine_count(machine, "simt_core", statistics[s]);
        cycles[i] = micro_report(machine, "cycles");
        hertz = (double)micro_clock(machine, "core").hz;
        hd_machine_close(machine);
    }
    for (uint32_t s = 0; s < count; s++)
        rates[s] = (double)(counted[1][s] - counted[0][s]) / (double)(cycles[1] - cycles[0]) * hertz;
}

static micro_setup on_one_core(const char *netlist, const char *app, const char *scratchpad)
{
    return (micro_setup){
        .netlist = netlist,
        .app = app,
        .changes = {"core.count=1", "core.l1.global=cache"},
        .options = {{"rounds", "1"}, {"blocks", "2"}, {"block", "512"}, {scratchpad, "1"}},
    };
}

static void measure_core(const char *netlist, const hd_machine *machine, double measured[FIGURE_COUNT])
{
    static const char *const instructions[] = {"warp_instructions", "thread_instructions"}, *const loads[] = {"loads"};
    const double cores = (double)micro_block(machine, "core")->count;
    const double word = 4 * (double)micro_parameter(machine, "core", "lanes") * cores;
    const micro_setup peak = on_one_core(netlist, "micro_peak", NULL);
    const micro_setup scratchpad = on_one_core(netlist, "micro_reads", "scratchpad");
    const micro_setup l1 = on_one_core(netlist, "micro_reads", NULL);
    double rates[2];
    core_rates(&peak, instructions, 2, rates);
    measured[FIGURE_IPC] = cores * rates[0] / (double)micro_clock(machine, "core").hz;
    measured[FIGURE_THREADS] = cores * rates[1];
    core_rates(&scratchpad, loads, 1, rates);
    measured[FIGURE_SCRATCHPAD] = word * rates[0];
    core_rates(&l1, loads, 1, rates);
    measured[FIGURE_L1] = word * rates[0];
}

/* ---- Generated traffic --------------------------------------------------------------------------------------------- */

double measure_traffic(const char *netlist, const char *const *changes)
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

/* Lines of a small footprint, the same part of every slice, in the L2 after the first time; `more` may be NULL. */
static double measure_l2(const char *netlist, const hd_machine *machine, const char *writes, const char *const *more)
{
    char footprint[48];
    const char *changes[MICRO_CHANGES] = {"core.type=traffic",
                                          "core.pattern=random",
                                          "core.region=shared",
                                          "core.outstanding=256",
                                          "core.warm_up=4000 cycles",
                                          "core.duration=4000 cycles",
                                          writes,
                                          footprint};
    snprintf(footprint, sizeof footprint, "core.footprint=%u KiB", 8 * micro_block(machine, "l2")->count);
    for (uint32_t i = 8; more && *more; i++)
        changes[i] = *more++;
    return measure_traffic(netlist, changes);
}

/* Each generator's lines in turn, more than the L2 holds; each begins at another partition and bank than the one before. */
static double measure_dram(const char *netlist, const hd_machine *machine)
{
    char footprint[48];
    const uint32_t chunk = hd_machine_netlist(machine)->address_map.interleave_bytes;
    const uint32_t row_bytes = (uint32_t)micro_parameter(machine, "dram", "row_bytes");
    /* All mappings have a bank bit for chunks or none, and the others above: two rows further on is another bank. */
    snprintf(footprint, sizeof footprint, "core.footprint=%u B",
             (4u << 20) + (micro_block(machine, "l2")->count + 1) * chunk +
                 2 * micro_block(machine, "dram")->count * row_bytes);
    const char *const changes[] = {
        "core.type=traffic",        "core.pattern=stride",        footprint, "core.outstanding=256",
        "core.warm_up=3000 cycles", "core.duration=12000 cycles", NULL};
    return measure_traffic(netlist, changes);
}

void measure_rates(const char *netlist, const hd_machine *machine, double measured[FIGURE_COUNT])
{
    measure_core(netlist, machine, measured);
    measured[FIGURE_L2] = measure_l2(netlist, machine, "core.writes=0", NULL);
    measured[FIGURE_L2_WRITES] = measure_l2(netlist, machine, "core.writes=100", NULL);
    measured[FIGURE_DRAM_READS] = measure_dram(netlist, machine);
}

double measure_l2_without_contention(const char *netlist, const hd_machine *machine)
{
    static const char *const ideal[] = {"request_network.type=ideal",          "request_network.queues=virtual_output",
                                        "request_network.queue_depth=64",      "reply_network.type=ideal",
                                        "reply_network.queues=virtual_output", NULL};
    return measure_l2(netlist, machine, "core.writes=0", ideal);
}
