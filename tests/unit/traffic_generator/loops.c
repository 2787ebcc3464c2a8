/* SPDX-License-Identifier: MIT */
/* When requests leave: closed and open loop. */
#include "engine.h"
#include "rig.h"

#include <stdio.h>

Test(traffic_loops, closed_keeps_as_many_under_way_as_it_may)
{
    enum { LIMIT = 5, CYCLES = 2100 };
    rig *rig = rig_open((const char *[]){"outstanding=5", "duration=2100 cycles", NULL}, 0, 1, 64);
    kit_run_until(rig->kit, 4000 * CYCLE);
    /* LIMIT in a burst, and again when the first of them is answered. */
    cr_expect_eq(rig->count, CYCLES / FLIGHT * LIMIT);
    for (uint32_t i = 0; i < rig->count; i++)
        cr_assert_eq(rig->requests[i].t, (i / LIMIT * FLIGHT + i % LIMIT + LINK) * CYCLE, "request %u", i);
    cr_expect_eq(rig_statistic(rig, "outstanding_maximum"), LIMIT);
    cr_expect_eq(rig_statistic(rig, "latency_cycles"), (uint64_t)rig->count * FLIGHT);
    cr_expect_eq(rig_statistic(rig, "limit_stall_cycles"), CYCLES / FLIGHT * (FLIGHT - LIMIT));
    cr_expect_eq(rig_statistic(rig, "credit_stall_cycles"), 0);
    rig_close(rig);
}

Test(traffic_loops, closed_sends_one_a_cycle_at_most)
{
    rig *rig = rig_open((const char *[]){"outstanding=100", "duration=1000 cycles", NULL}, 0, 1, 200);
    kit_run_until(rig->kit, 4000 * CYCLE);
    cr_expect_eq(rig->count, 1000);
    cr_expect_eq(rig_statistic(rig, "accepted"), 1000);
    cr_expect_eq(rig_statistic(rig, "answered"), 1000 - FLIGHT);
    cr_expect_eq(rig_statistic(rig, "offered"), 1000);
    cr_expect_eq(rig_statistic(rig, "limit_stall_cycles"), 0);
    rig_close(rig);
}

Test(traffic_loops, without_credits_requests_wait)
{
    rig *rig = rig_open((const char *[]){"outstanding=100", "requests=10", NULL}, 0, 1, 2);
    kit_hold_credits(rig->kit, PORT_REQUEST, 0, 1);
    kit_run_until(rig->kit, 100 * CYCLE);
    cr_expect_eq(rig->count, 2);
    cr_expect_eq(kit_next(rig->kit), HD_NEVER, "a block that waits for a credit sleeps");
    cr_expect_eq(kit_release_credits(rig->kit, PORT_REQUEST, 0, 2, 100 * CYCLE), 2);
    kit_run_until(rig->kit, 200 * CYCLE);
    cr_expect_eq(rig->count, 4);
    cr_expect_eq(rig->requests[2].t, (100 + LINK + LINK) * CYCLE);
    cr_expect_geq(rig_statistic(rig, "credit_stall_cycles"), 99 + 95);
    rig_close(rig);
}

/* Within 5 standard deviations of a binomial distribution. */
static void expect_rate(uint32_t rate)
{
    enum { CYCLES = 20000 };
    char text[32];
    snprintf(text, sizeof text, "rate=%u", rate);
    rig *rig = rig_open((const char *[]){text, "outstanding=100", NULL}, 0, 1, 200);
    kit_run_until(rig->kit, 40000 * CYCLE);
    const double mean = CYCLES / 1000.0 * rate, variance = mean * (1 - rate / 1000.0);
    const double off = (double)rig->count - mean;
    cr_expect_leq(off * off, 25 * variance, "rate %u: %u requests", rate, rig->count);
    cr_expect_eq(rig_statistic(rig, "offered"), rig->count);
    cr_expect_eq(rig_statistic(rig, "latency_cycles"), (uint64_t)rig->count * FLIGHT);
    rig_close(rig);
}

Test(traffic_loops, open_offers_the_rate_by_chance)
{
    expect_rate(3);
    expect_rate(250);
    expect_rate(900);
    expect_rate(1000);
}

Test(traffic_loops, open_offers_the_rate_evenly)
{
    static const uint32_t rates[][2] = {{1, 1000}, {7, 143}, {300, 4}, {400, 3}, {1000, 1}};
    for (uint32_t r = 0; r < sizeof rates / sizeof *rates; r++) {
        char text[32];
        snprintf(text, sizeof text, "rate=%u", rates[r][0]);
        rig *rig = rig_open((const char *[]){text, "arrivals=periodic", "outstanding=100", NULL}, 0, 1, 200);
        kit_run_until(rig->kit, 40000 * CYCLE);
        cr_expect_eq(rig->count, 20 * rates[r][0]);
        for (uint32_t i = 1; i < rig->count; i++)
            cr_assert_leq(rig->requests[i].t - rig->requests[i - 1].t, rates[r][1] * CYCLE);
        rig_close(rig);
    }
}

/* Twice what five in flight can do: half of the requests wait longer and longer, and all are sent in the end. */
Test(traffic_loops, open_generates_whether_or_not_it_can_send)
{
    enum { LIMIT = 5, CYCLES = 4200, OFFERED = CYCLES * 2 * LIMIT / FLIGHT };
    rig *rig = rig_open(
        (const char *[]){"rate=476", "arrivals=periodic", "outstanding=5", "duration=4200 cycles", NULL}, 0, 1, 64);
    kit_run_until(rig->kit, 20000 * CYCLE);
    cr_expect_geq(rig->count, OFFERED - 2);
    cr_expect_leq(rig->count, OFFERED);
    cr_expect_eq(rig_statistic(rig, "offered"), rig->count);
    cr_expect_leq(rig_statistic(rig, "accepted"), CYCLES * LIMIT / FLIGHT);
    cr_expect_geq(rig_statistic(rig, "accepted"), CYCLES * LIMIT / FLIGHT - LIMIT);
    cr_expect_geq(rig_statistic(rig, "latency_maximum"), CYCLES - 2 * FLIGHT);
    cr_expect_eq(rig_statistic(rig, "flight_cycles"), (uint64_t)rig->count * FLIGHT);
    cr_expect_gt(rig_statistic(rig, "limit_stall_cycles"), CYCLES);
    rig_close(rig);
}

Test(traffic_loops, another_seed_is_another_run)
{
    hd_time first[2];
    for (uint32_t i = 0; i < 2; i++) {
        rig *rig = rig_open((const char *[]){"rate=10", NULL}, 0, 1, 8);
        kit_seed(rig->kit, 1 + i);
        kit_run_until(rig->kit, 20000 * CYCLE);
        first[i] = rig->requests[3].t;
        rig_close(rig);
    }
    cr_expect_neq(first[0], first[1]);
}

Test(traffic_loops, a_trace_shows_every_request)
{
    rig *rig = rig_open((const char *[]){"outstanding=3", "requests=40", "writes=30", "atomics=30", NULL}, 0, 1, 64);
    uint32_t count;
    uint64_t most = 0, begun = 0;
    kit_record(rig->kit);
    kit_run_until(rig->kit, 4000 * CYCLE);
    cr_expect_eq(kit_recorded_count(rig->kit, "load"), rig_statistic(rig, "load_requests"));
    cr_expect_eq(kit_recorded_count(rig->kit, "store"), rig_statistic(rig, "store_requests"));
    cr_expect_eq(kit_recorded_count(rig->kit, "atomic"), rig_statistic(rig, "atomic_requests"));
    const kit_traced *all = kit_recorded(rig->kit, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (all[i].form == HD_TRACED_COUNTER && all[i].values[0] > most)
            most = all[i].values[0];
        if (all[i].form != HD_TRACED_BEGIN)
            continue;
        cr_expect_eq(all[i].t + LINK * CYCLE, rig->requests[begun].t);
        cr_expect_eq(all[i].values[0] / HD_LINE_BYTES, (HD_GLOBAL_BASE + rig->requests[begun].address) / HD_LINE_BYTES);
        begun++;
    }
    cr_expect_eq(begun, 40);
    cr_expect_eq(most, 3);
    rig_close(rig);
}
