/* SPDX-License-Identifier: MIT */
#include "bench.h"

static uint32_t line_count;
static void count_line(void *context, const char *format, ...)
{
    (void)context;
    (void)format;
    line_count++;
}

Test(crossbar, serves_inputs_in_turn)
{
    enum { INPUTS = 5, EACH = 20 };
    kit_block *kit = make(NULL, INPUTS, 1, 8);
    for (uint32_t i = 0; i < INPUTS; i++)
        for (uint32_t k = 0; k < EACH; k++)
            put(kit, i, 0, 64, k, 0);
    kit_run_until(kit, 1000 * CYCLE);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, INPUTS * EACH);
    for (uint32_t i = 0; i < count; i++) {
        cr_expect_eq(events[i].packet.source, i % INPUTS, "packet %u", i);
        cr_expect_eq(events[i].packet.tag, i / INPUTS);
        cr_expect_eq(events[i].t, (uint64_t)(LATENCY + 1 + 2 * i) * CYCLE);
    }
    cr_expect_eq(kit_statistic(kit, "contention_maximum"), INPUTS);
    cr_expect_gt(kit_statistic(kit, "queueing_cycles"), 0);
    kit_destroy(kit);
}

Test(crossbar, queueing_counts_the_cycles_from_arrival_to_grant)
{
    kit_block *kit = make(NULL, 2, 1, 8);
    put(kit, 0, 0, 96, 0, 0); /* granted at 0, three flits */
    put(kit, 1, 0, 32, 0, 0); /* granted at 3 */
    put(kit, 1, 0, 32, 0, 0); /* granted at 4 */
    kit_run_until(kit, 100 * CYCLE);
    cr_expect_eq(kit_statistic(kit, "queueing_cycles"), 0 + 3 + 4);
    kit_destroy(kit);
}

Test(crossbar, a_head_that_waits_holds_up_only_its_own_input)
{
    kit_block *kit = make(NULL, 2, 2, 8);
    put(kit, 0, 0, 320, 0, 0); /* ten cycles of output 0 */
    put(kit, 1, 0, 32, 1, 0);  /* waits for it */
    put(kit, 1, 1, 32, 2, 0);  /* behind it in the same queue */
    kit_run_until(kit, 100 * CYCLE);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, 3);
    cr_expect_eq(events[0].t, (LATENCY + 9) * CYCLE);
    cr_expect_eq(events[1].t, (10 + LATENCY) * CYCLE);
    cr_expect_eq(events[2].t, (11 + LATENCY) * CYCLE);
    kit_destroy(kit);
}

Test(crossbar, waits_for_a_credit_and_loses_nothing)
{
    enum { CREDITS = 3, PACKETS = 10 };
    kit_block *kit = make(NULL, 1, 1, CREDITS);
    kit_hold_credits(kit, OUTPUT, 0, 1);
    for (uint32_t i = 0; i < PACKETS; i++)
        put(kit, 0, 0, 32, i, 0);
    kit_run_until(kit, 100 * CYCLE);
    cr_expect_eq(kit_waiting(kit, OUTPUT, 0), CREDITS);
    cr_expect_eq(kit_unsent(kit, INPUT, 0), PACKETS - 2 * CREDITS);
    cr_expect_eq(kit_next(kit), HD_NEVER, "a block that waits for a credit sleeps");

    /* One credit leaves at 100, is here at 101, and lets one packet go. */
    cr_expect_eq(kit_release_credits(kit, OUTPUT, 0, 1, 100 * CYCLE), 1);
    kit_run_until(kit, 200 * CYCLE);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, CREDITS + 1);
    cr_expect_eq(events[CREDITS].t, (100 + LINK + LATENCY) * CYCLE);
    cr_expect_eq(kit_statistic(kit, "credit_stall_cycles"), 100 + LINK - CREDITS);
    /* A new stall began at once behind it. */
    cr_expect_eq(kit_statistic(kit, "credit_stalls"), 2);

    kit_hold_credits(kit, OUTPUT, 0, 0);
    kit_release_credits(kit, OUTPUT, 0, PACKETS, 200 * CYCLE);
    kit_run_until(kit, 400 * CYCLE);
    events = kit_trace(kit, &count);
    cr_assert_eq(count, PACKETS);
    for (uint32_t i = 0; i < PACKETS; i++)
        cr_expect_eq(events[i].packet.tag, i);
    kit_destroy(kit);
}

Test(crossbar, a_full_output_does_not_hinder_another)
{
    kit_block *kit = make(NULL, 2, 2, 2);
    kit_hold_credits(kit, OUTPUT, 0, 1);
    for (uint32_t i = 0; i < 6; i++) {
        put(kit, 0, 0, 32, i, 0);
        put(kit, 1, 1, 32, i, 0);
    }
    kit_run_until(kit, 100 * CYCLE);
    cr_expect_eq(kit_waiting(kit, OUTPUT, 0), 2);
    cr_expect_eq(kit_waiting(kit, OUTPUT, 1), 6);
    const hd_pending *pending = hd_crossbar_round_robin.extension(kit_instance(kit), HD_EXTENSION_PENDING);
    cr_assert_not_null(pending);
    cr_expect(pending->has_work(kit_instance(kit)));
    const hd_text_sink sink = {NULL, count_line};
    pending->describe(kit_instance(kit), &sink);
    cr_expect_eq(line_count, 1);
    kit_destroy(kit);
}

Test(crossbar, aligned_arbiters_start_at_input_0_again)
{
    kit_block *kit = make(NULL, 3, 1, 8);
    put(kit, 0, 0, 32, 0, 0);
    kit_run_until(kit, 50 * CYCLE);
    kit_align(kit);
    for (uint32_t i = 0; i < 3; i++)
        put(kit, i, 0, 32, 1, 100 * CYCLE);
    kit_run_until(kit, 200 * CYCLE);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, 4);
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_eq(events[1 + i].packet.source, i);

    const hd_mark *mark = hd_crossbar_round_robin.extension(kit_instance(kit), HD_EXTENSION_MARK);
    cr_expect_eq(kit_statistic(kit, "contention_maximum"), 3);
    mark->mark(kit_instance(kit));
    cr_expect_eq(kit_statistic(kit, "contention_maximum"), 0);
    kit_destroy(kit);
}

Test(crossbar, without_aligning_the_round_robin_goes_on)
{
    kit_block *kit = make(NULL, 3, 1, 8);
    put(kit, 0, 0, 32, 0, 0);
    kit_run_until(kit, 50 * CYCLE);
    for (uint32_t i = 0; i < 3; i++)
        put(kit, i, 0, 32, 1, 100 * CYCLE);
    kit_run_until(kit, 200 * CYCLE);
    uint32_t count;
    cr_expect_eq(kit_trace(kit, &count)[1].packet.source, 1);
    kit_destroy(kit);
}

Test(crossbar, reports_a_packet_that_leads_nowhere)
{
    kit_block *kit = make(NULL, 1, 1, 8);
    kit_expect_fault(kit);
    put(kit, 0, 5000, 32, 0, 0);
    kit_run_until(kit, 50 * CYCLE);
    cr_assert_not_null(kit_fault_text(kit));
    cr_expect_not_null(strstr(kit_fault_text(kit), "endpoint 5000"));
    kit_destroy(kit);
}
