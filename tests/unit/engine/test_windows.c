/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "engine_internal.h"
#include "network.h"

#define NETWORKS 25u
#define DISTURBANCES 6u

Test(windows, order_of_calls_and_length_of_windows_change_nothing)
{
    for (uint64_t seed = 1; seed <= NETWORKS; seed++) {
        hd_engine *engine = network_random(seed, WIRE_NONE);
        const uint64_t expected = network_run(engine);
        for (uint64_t disturbance = 1; disturbance <= DISTURBANCES; disturbance++) {
            hd_engine_disturb(engine, disturbance * UINT64_C(0xD1B54A32D192ED03));
            hd_engine_reset(engine, seed);
            cr_expect_eq(network_run(engine), expected, "network %llu, disturbance %llu", (unsigned long long)seed,
                         (unsigned long long)disturbance);
        }
        hd_engine_destroy(engine);
    }
}

Test(windows, every_packet_reaches_its_sink_and_nothing_is_lost)
{
    for (uint64_t seed = 1; seed <= NETWORKS; seed++) {
        hd_engine *engine = network_random(seed, WIRE_NONE);
        network_run(engine);
        uint64_t sent = 0, taken = 0;
        for (uint32_t b = 0; b < hd_engine_block_count(engine); b++) {
            if (hd_engine_block_class(engine, b) == &example_source)
                sent += hd_engine_counters(engine, b)[0];
            if (hd_engine_block_class(engine, b) == &example_sink)
                taken += hd_engine_counters(engine, b)[0];
        }
        cr_expect_eq(sent, taken, "network %llu", (unsigned long long)seed);
        cr_expect_eq(sent % 60, 0);
        cr_expect_gt(sent, 0);
        const hd_conservation packets = hd_engine_packets(engine);
        cr_expect_eq(packets.held, 0);
        cr_expect_eq(packets.in_links, 0);
        cr_expect_eq(packets.allocated, packets.freed);
        cr_expect_eq(hd_engine_check_credits(engine, NULL), 0);
        hd_engine_destroy(engine);
    }
}

Test(windows, another_seed_of_the_run_gives_another_run)
{
    hd_engine *engine = network_random(3, WIRE_NONE);
    const uint64_t first = network_run(engine);
    hd_engine_reset(engine, 4);
    cr_expect_neq(network_run(engine), first);
    hd_engine_reset(engine, 3);
    cr_expect_eq(network_run(engine), first);
    hd_engine_destroy(engine);
}

Test(windows, a_block_with_nothing_to_do_is_not_called)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t source = network_add(engine, &example_source, "source", 1000000000,
                                        (const char *[]){"packets=1", "first_destination=1", NULL});
    const uint32_t sink = network_add(engine, &example_sink, "sink", 1000000000, NULL);
    const uint32_t busy =
        network_add(engine, &example_requester, "requester", 1000000000, (const char *[]){"requests=100000", NULL});
    const uint32_t memory = network_add(engine, &example_memory, "memory", 1000000000, NULL);
    network_link(engine, source, 0, 0, sink, 0, 0, 5000, 1000, 1);
    network_link(engine, busy, 0, 0, memory, 0, 0, 1000, 1000, 2);
    cr_assert_eq(hd_engine_elaborate(engine, NULL), 0);
    hd_engine_reset(engine, 1);
    while (hd_engine_next(engine) < 3000000)
        hd_engine_step(engine, 3000000);
    cr_expect_eq(hd_engine_counters(engine, sink)[0], 1);
    cr_expect_gt(hd_engine_calls(engine, busy), 300);
    cr_expect_eq(hd_engine_calls(engine, source), 1, "at time 0");
    cr_expect_eq(hd_engine_calls(engine, sink), 2, "at time 0 and when the packet arrived");
    hd_engine_settle(engine, 3000000);
    const uint64_t calls = hd_engine_calls(engine, source);
    hd_engine_step(engine, 3000001);
    cr_expect_eq(hd_engine_calls(engine, source), calls);
    hd_engine_settle(engine, 3000001);
    hd_engine_wake(engine, source);
    cr_expect_eq(hd_engine_next(engine), 3000001);
    hd_engine_step(engine, 3000002);
    cr_expect_geq(hd_engine_calls(engine, source), calls + 1, "woken from outside");
    hd_engine_destroy(engine);
}

/* Sender and receiver of 1400 MHz: 3 cycles of latency are rounded down to 2142 ps, edge 3 is at 2142 ps; for edges where
 * the sum lies before the edge, the receiver is nevertheless called at the edge. */
Test(windows, a_receiver_is_woken_at_an_edge_of_its_own_clock)
{
    const hd_clock clock = {1400000000};
    hd_engine *engine = hd_engine_create();
    const uint32_t source = network_add(engine, &example_source, "source", clock.hz,
                                        (const char *[]){"packets=30", "first_destination=1", "gap=1 cycle", NULL});
    const uint32_t sink = network_add(engine, &example_sink, "sink", clock.hz, NULL);
    network_link(engine, source, 0, 0, sink, 0, 0, hd_clock_cycles(clock, 3), hd_clock_cycles(clock, 3), 32);
    cr_assert_eq(hd_engine_elaborate(engine, NULL), 0);
    hd_engine_reset(engine, 1);
    network_run(engine);
    uint64_t times = 0;
    for (uint64_t n = 0; n < 30; n++)
        times += hd_clock_edge(clock, n + 3);
    cr_expect_eq(hd_engine_counters(engine, sink)[2], times);
    cr_expect_leq(hd_engine_calls(engine, sink), 31, "once at time 0 and once per packet");
    hd_engine_destroy(engine);
}

Test(windows, a_run_in_pieces_is_the_same_as_in_one)
{
    hd_engine *whole = network_random(7, WIRE_NONE);
    hd_engine *pieces = network_random(7, WIRE_NONE);
    hd_engine_run(whole, 400000);
    for (hd_time t = 0; t <= 400000; t += 777)
        hd_engine_run(pieces, t);
    hd_engine_run(pieces, 400000);
    cr_expect_eq(hd_engine_now(whole), 400000);
    cr_expect_eq(hd_engine_now(pieces), 400000);
    cr_expect_eq(network_run(whole), network_run(pieces));
    hd_engine_destroy(whole);
    hd_engine_destroy(pieces);
}

static void count_window(void *context)
{
    ++*(uint64_t *)context;
}

Test(windows, that_are_limited_change_nothing_and_are_no_longer)
{
    uint64_t windows = 0;
    for (uint64_t seed = 1; seed <= NETWORKS; seed++) {
        hd_engine *engine = network_random(seed, WIRE_NONE);
        const uint64_t expected = network_run(engine);
        hd_engine_limit_windows(engine, 1, &(hd_window_watch){&windows, count_window});
        hd_engine_reset(engine, seed);
        for (uint32_t i = 0; i < 100 && hd_engine_next(engine) != HD_NEVER; i++) {
            const hd_time next = hd_engine_next(engine);
            hd_engine_step(engine, HD_NEVER);
            cr_assert_leq(hd_engine_now(engine), next + 1, "network %llu", (unsigned long long)seed);
        }
        cr_assert_gt(windows, 0, "who watches is called");
        hd_engine_reset(engine, seed);
        cr_expect_eq(network_run(engine), expected, "network %llu", (unsigned long long)seed);
        hd_engine_limit_windows(engine, 0, NULL);
        hd_engine_reset(engine, seed);
        windows = 0;
        cr_expect_eq(network_run(engine), expected, "network %llu", (unsigned long long)seed);
        cr_assert_eq(windows, 0, "and not afterwards");
        hd_engine_destroy(engine);
    }
}

/* Wakes come at edges, which are found without the divisions that define them. */
Test(windows, begin_at_the_first_edge_at_or_after_what_arrives)
{
    uint64_t seed = 1;
    for (uint32_t i = 0; i < 2000; i++) {
        const hd_clock clock = {1 + kit_random(&seed) % (i % 4 ? UINT64_C(4000000000) : HD_PS_PER_SECOND)};
        node block = {0};
        node_set_clock(&block, clock);
        hd_time t = 0;
        for (uint32_t j = 0; j < 50; j++) {
            const hd_time distance = kit_random(&seed) >> (24 + kit_random(&seed) % 40);
            t = j % 8 == 7 ? t - t / 3 : t + distance;
            if (j % 3 == 0)
                t = hd_clock_edge(clock, hd_clock_index_at_or_after(clock, t)) + j % 2; /* an edge, or just after one */
            cr_assert_eq(node_edge(&block, t), hd_clock_edge(clock, hd_clock_index_at_or_after(clock, t)),
                         "%llu Hz, %llu ps", (unsigned long long)clock.hz, (unsigned long long)t);
        }
    }
}
