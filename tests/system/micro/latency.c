/* SPDX-License-Identifier: MIT */
/* Pointer chase: one thread, every load needs the value of the one before. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "chase.h"
#include "micro_chain/args.h"

/* 16 banks with rows of 4 KiB in 6 partitions: the next row of a bank comes after 384 KiB. With the chunks of a row 16 chunks
 * apart, every 24 KiB, 16 times, one of the same row. */
static const chase in_scratchpad = {SCRATCHPAD, "4", "5", "5", NULL};
static const chase in_l1 = {L1_HIT, "128", "3", "3", NULL};
static const chase in_l2 = {L2_HIT, "256", "7", "7", NULL};
static const chase in_other_rows = {L2_MISS, "393216", "32", "0", NULL};
static const chase in_few_rows = {L2_MISS, "24576", "32", "0",
                                  "dram.mapping=row column[..8] bank bank_group column[7..0]"};

/* Compares; returns the cycles of all timed loads. */
static int64_t chase_with(const chase *chase, const char *change)
{
    hd_machine *machine = chase_run(NULL, chase, change);
    const uint64_t cycles = chase_measured(machine), expected = chase_expected(chase, machine);
    cr_expect_eq(cycles, expected, "%s: %llu cycles, expected %llu", change ? change : "as it is",
                 (unsigned long long)cycles, (unsigned long long)expected);
    hd_machine_close(machine);
    return (int64_t)cycles;
}

/* Adding `more` to the parameter makes every load longer by this many core cycles. */
static void expect_longer(const chase *chase, const char *block, const char *parameter, int64_t more,
                          int64_t cycles_per_load)
{
    const int64_t standard = chase_with(chase, NULL);
    hd_machine *machine = chase_run(NULL, chase, NULL);
    const uint64_t value = micro_parameter(machine, block, parameter);
    char change[96];
    snprintf(change, sizeof change, "%s.%s=%llu cycles", block, parameter, (unsigned long long)value + more);
    hd_machine_close(machine);
    const int64_t moved = chase_with(chase, change) - standard;
    cr_expect_eq(moved, cycles_per_load * MICRO_CHAIN_TIMED, "%s: %lld", change, (long long)moved);
}

Test(micro_latency, of_the_scratchpad)
{
    expect_longer(&in_scratchpad, "core", "scratchpad.latency", 7, 7);
    expect_longer(&in_scratchpad, "core", "register_read.latency", 3, 3);
}

Test(micro_latency, of_an_l1_hit)
{
    expect_longer(&in_l1, "core", "l1.latency", -13, -13);
    expect_longer(&in_l1, "core", "register_read.latency", 5, 5);
}

/* The slices' clock is half the cores': what they wait for takes an even number of core cycles. */
Test(micro_latency, of_an_l2_hit)
{
    expect_longer(&in_l2, "l2", "latency", 7, 14);
    expect_longer(&in_l2, "request_network", "latency", 6, 6);
    expect_longer(&in_l2, "reply_network", "latency", 4, 4);
    expect_longer(&in_l2, "core", "register_read.latency", 2, 2);
    static const char *const changes[] = {"request_network.flit_bytes=3 B",
                                          "request_network.latency=12 cycles",
                                          "reply_network.flit_bytes=5 B",
                                          "l2.port_bytes=8 B",
                                          "core.memory.sector=128 B",
                                          "clocks.network=1000 MHz",
                                          "clocks.l2=666 MHz"};
    for (uint32_t i = 0; i < sizeof changes / sizeof *changes; i++)
        cr_expect_neq(chase_with(&in_l2, changes[i]), chase_with(&in_l2, NULL), "%s", changes[i]);
}

Test(micro_latency, of_a_row_conflict_in_dram)
{
    const int64_t standard = chase_with(&in_other_rows, NULL);
    static const char *const changes[] = {"dram.trp=19 cycles",   "dram.trcd=23 cycles",  "dram.tcl=20 cycles",
                                          "dram.burst=4 cycles",  "dram.tccd_l=9 cycles", "dram.latency=140 cycles",
                                          "dram.bus_bytes=16 B",  "dram.trc=900 cycles",  "dram.tras=700 cycles",
                                          "dram.trtp=600 cycles", "clocks.memory=462 MHz"};
    for (uint32_t i = 0; i < sizeof changes / sizeof *changes; i++)
        cr_expect_neq(chase_with(&in_other_rows, changes[i]), standard, "%s", changes[i]);
}

/* Fifteen of sixteen loads find their row open: only the others feel precharge and activate. */
Test(micro_latency, of_rows_left_open_in_dram)
{
    const int64_t hits = chase_with(&in_few_rows, NULL);
    cr_expect_lt(hits, chase_with(&in_other_rows, NULL));
    cr_expect_gt(chase_with(&in_few_rows, "dram.trp=30 cycles"), hits);
    cr_expect_gt(chase_with(&in_few_rows, "dram.trcd=40 cycles"), hits);
    cr_expect_gt(chase_with(&in_few_rows, "dram.row_bytes=1 KiB"), hits);
}

/* The standard parameters stand for a published machine: 330 core cycles to the L2 at least, 200 more to memory. */
Test(micro_latency, of_the_standard_machine)
{
    const int64_t hit = chase_with(&in_l2, NULL) / MICRO_CHAIN_TIMED;
    const int64_t miss = chase_with(&in_other_rows, NULL) / MICRO_CHAIN_TIMED;
    printf("hit %lld, miss %lld core cycles\n", (long long)hit, (long long)miss);
    cr_expect(hit >= 325 && hit <= 335, "%lld", (long long)hit);
    cr_expect(miss - hit >= 190 && miss - hit <= 230, "%lld", (long long)(miss - hit));
}
