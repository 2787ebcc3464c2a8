/* SPDX-License-Identifier: MIT */
/*
 * Bandwidth: many warps load lines of 128 bytes, each as fast as its registers allow. Two runs differ in their length
 * only; what the longer one loads more and takes longer is the rate, without start and end.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "hd_message.h"
#include "micro.h"
#include "micro_stream/args.h"

/* In lines per core cycle. */
struct rates {
    double measured;
    double reply_port; /* of the network: one slice in, or one core out */
    double slice;      /* one slice: its data port, or its way into the reply network */
    double channel;    /* one DRAM channel: its data bus */
    double partitions; /* how many there are */
};

struct load {
    const char *blocks;
    const char *threads;    /* of a block; every warp has MICRO_STREAM_LOADS lines in flight */
    const char *pair_bytes; /* 256: all partitions; 256 * 6: one of the 6 */
    uint32_t warps;
    uint32_t few, many; /* passes of the two runs */
    uint32_t cold;      /* 1: every line is loaded once, from DRAM; 0: again and again, from the L2 */
};

static const struct load one_core = {"1", "512", "256", .warps = 16, .few = 8, .many = 24};
static const struct load one_slice = {"15", "64", "1536", .warps = 30, .few = 8, .many = 24};
static const struct load all_slices = {"15", "256", "256", .warps = 120, .few = 4, .many = 12};
static const struct load all_channels = {"15", "256", "256", .warps = 120, .few = 4, .many = 12, .cold = 1};

static double divide_up(uint64_t a, uint64_t b)
{
    return (double)((a + b - 1) / b);
}

/* What each part could do if it never waited for another. */
static void compute_bounds(const hd_machine *machine, struct rates *rates)
{
    const double core = (double)micro_clock(machine, "core").hz;
    const uint64_t reply_bytes = HD_HEADER_WIRE_BYTES + HD_LINE_BYTES;
    const double flits = divide_up(reply_bytes, micro_parameter(machine, "reply_network", "flit_bytes"));
    const double port = divide_up(HD_LINE_BYTES, micro_parameter(machine, "l2", "port_bytes"));
    const uint64_t burst = micro_parameter(machine, "dram", "burst");
    const double columns = divide_up(HD_LINE_BYTES, burst * micro_parameter(machine, "dram", "bus_bytes"));
    const uint64_t column = micro_parameter(machine, "dram", "tccd_s");
    rates->partitions = micro_block(machine, "l2")->count;
    rates->reply_port = (double)micro_clock(machine, "reply_network").hz / flits / core;
    rates->slice = (double)micro_clock(machine, "l2").hz / port / core;
    if (rates->reply_port < rates->slice)
        rates->slice = rates->reply_port;
    rates->channel =
        (double)micro_clock(machine, "dram").hz / (columns * (double)(burst > column ? burst : column)) / core;
}

static uint64_t cycles_of(const struct load *load, uint32_t passes, const char *change, struct rates *rates)
{
    char count[16];
    snprintf(count, sizeof count, "%u", passes);
    const micro_setup setup = {.app = "micro_stream",
                               .changes = {change},
                               .options = {{"blocks", load->blocks},
                                           {"block", load->threads},
                                           {"pair_bytes", load->pair_bytes},
                                           {"passes", count},
                                           {"groups", load->cold ? count : "1"}}};
    hd_machine *machine = micro_run(&setup);
    compute_bounds(machine, rates);
    const uint64_t cycles = micro_report(machine, "cycles");
    hd_machine_close(machine);
    return cycles;
}

static struct rates measure(const struct load *load, const char *change)
{
    struct rates rates;
    const uint64_t few = cycles_of(load, load->few, change, &rates);
    const uint64_t many = cycles_of(load, load->many, change, &rates);
    rates.measured = (double)((load->many - load->few) * load->warps * MICRO_STREAM_LOADS) / (double)(many - few);
    return rates;
}

static void expect_share(const char *change, double measured, double bound, double least)
{
    printf("%-30s %.4f lines per cycle, %5.1f %% of %.4f\n", change ? change : "as it is", measured,
           100 * measured / bound, bound);
    /* The last warps of the two runs need not end alike. */
    cr_expect_leq(measured, 1.01 * bound, "%s: %f of %f", change, measured, bound);
    cr_expect_geq(measured, least * bound, "%s: %f of %f", change, measured, bound);
}

#define LENGTH(table) (sizeof(table) / sizeof *(table))

/* Nothing competes for the one port that all replies pass: it never rests. */
Test(micro_bandwidth, of_one_core_is_its_reply_port)
{
    static const char *const changes[] = {NULL, "reply_network.flit_bytes=16 B", "reply_network.flit_bytes=24 B"};
    for (uint32_t i = 0; i < LENGTH(changes); i++) {
        const struct rates rates = measure(&one_core, changes[i]);
        expect_share(changes[i], rates.measured, rates.reply_port, 0.98);
    }
}

/* Likewise; whichever is narrower, the data port or the way into the network. */
Test(micro_bandwidth, of_one_slice_is_its_narrowest_port)
{
    static const char *const changes[] = {NULL, "reply_network.flit_bytes=64 B", "l2.port_bytes=32 B",
                                          "reply_network.flit_bytes=16 B"};
    for (uint32_t i = 0; i < LENGTH(changes); i++) {
        const struct rates rates = measure(&one_slice, changes[i]);
        expect_share(changes[i], rates.measured, rates.slice, 0.98);
    }
}

/* At both crossbars a packet for a free output waits behind one for a busy output. Input queues cost the sum of all
 * slices up to 30 %, most where the network itself is the bound. */
Test(micro_bandwidth, of_the_l2_is_nearly_that_of_all_slices)
{
    static const char *const changes[] = {NULL, "reply_network.flit_bytes=16 B", "l2.port_bytes=32 B"};
    for (uint32_t i = 0; i < LENGTH(changes); i++) {
        const struct rates rates = measure(&all_slices, changes[i]);
        expect_share(changes[i], rates.measured, rates.partitions * rates.slice, 0.70);
    }
}

/* Refreshes take 65 of 3900 ns and close all rows; and the queue of 32 requests does not always hold one for an open row,
 * and of another bank group than the last. */
Test(micro_bandwidth, of_memory_is_nearly_that_of_all_channels)
{
    static const char *const changes[] = {NULL, "dram.bus_bytes=16 B", "dram.tccd_s=4 cycles", "clocks.memory=462 MHz"};
    for (uint32_t i = 0; i < LENGTH(changes); i++) {
        const struct rates rates = measure(&all_channels, changes[i]);
        expect_share(changes[i], rates.measured, rates.partitions * rates.channel, 0.88);
    }
}
