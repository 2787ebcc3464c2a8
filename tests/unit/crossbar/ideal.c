/* SPDX-License-Identifier: MIT */
#include "bench.h"

static kit_block *ideal(const char *const *parameters, uint32_t inputs, uint32_t outputs, uint32_t credits)
{
    return make_of(&hd_crossbar_ideal, parameters, inputs, outputs, credits);
}

Test(crossbar_ideal, takes_latency_and_width_from_its_parameters)
{
    kit_block *kit = ideal((const char *[]){"latency=12 cycles", "flit_bytes=8 B", NULL}, 1, 1, 8);
    put(kit, 0, 0, 136, 0, 0);
    kit_run_until(kit, 100 * CYCLE);
    uint32_t count;
    cr_expect_eq(kit_trace(kit, &count)[0].t, (12 + 136 / 8 - 1) * CYCLE);
    cr_expect_eq(kit_statistic(kit, "flits"), 136 / 8);
    kit_destroy(kit);
}

Test(crossbar_ideal, sources_do_not_disturb_each_other)
{
    enum { INPUTS = 6, BYTES = 136 };
    kit_block *kit = ideal(NULL, INPUTS, 1, 8);
    for (uint32_t i = 0; i < INPUTS; i++)
        put(kit, i, 0, BYTES, i, 0);
    kit_run_until(kit, 100 * CYCLE);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, INPUTS);
    for (uint32_t i = 0; i < INPUTS; i++) {
        cr_expect_eq(events[i].t, (LATENCY + flits_of(BYTES) - 1) * CYCLE, "packet %u", i);
        cr_expect_eq(events[i].packet.source, i);
    }
    cr_expect_eq(kit_statistic(kit, "queueing_cycles"), 0);
    cr_expect_eq(kit_statistic(kit, "contention_maximum"), INPUTS);
    cr_expect_eq(kit_statistic(kit, "busy_cycles"), flits_of(BYTES));
    kit_destroy(kit);
}

Test(crossbar_ideal, an_input_moves_one_flit_a_cycle)
{
    enum { PACKETS = 50, BYTES = 136 };
    kit_block *kit = ideal(NULL, 1, 2, 64);
    for (uint32_t i = 0; i < PACKETS; i++)
        put(kit, 0, i % 2, BYTES, i, 0);
    kit_run_until(kit, 1000 * CYCLE);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    const uint32_t flits = flits_of(BYTES);
    cr_assert_eq(count, PACKETS);
    for (uint32_t i = 0; i < PACKETS; i++) {
        cr_expect_eq(events[i].packet.tag, i);
        cr_expect_eq(events[i].t, (uint64_t)(LATENCY + flits - 1 + i * flits) * CYCLE);
    }
    cr_expect_eq(kit_statistic(kit, "busy_cycles"), PACKETS * flits);
    kit_destroy(kit);
}

/* Inputs 2, 1 and 0 have waited since 10, 11 and 12; each further credit lets one go. */
Test(crossbar_ideal, credits_go_to_the_packet_that_has_waited_longest)
{
    enum { CREDITS = 2 };
    kit_block *kit = ideal(NULL, 3, 1, CREDITS);
    kit_hold_credits(kit, OUTPUT, 0, 1);
    for (uint32_t i = 0; i < CREDITS; i++)
        put(kit, 0, 0, 32, 0, 0);
    for (uint32_t i = 0; i < 3; i++)
        put(kit, i, 0, 32, 1, (12 - i) * CYCLE);
    kit_run_until(kit, 100 * CYCLE);
    cr_expect_eq(kit_waiting(kit, OUTPUT, 0), CREDITS);
    for (uint32_t i = 0; i < 3; i++) {
        cr_expect_eq(kit_release_credits(kit, OUTPUT, 0, 1, (100 + 50 * i) * CYCLE), 1);
        kit_run_until(kit, (150 + 50 * i) * CYCLE);
    }
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, CREDITS + 3);
    for (uint32_t i = 0; i < 3; i++) {
        cr_expect_eq(events[CREDITS + i].packet.source, 2 - i);
        cr_expect_eq(events[CREDITS + i].t, (100 + 50 * i + LINK + LATENCY) * CYCLE);
    }
    cr_expect_eq(kit_statistic(kit, "queueing_cycles"), 1 + (101 - 10) + (151 - 11) + (201 - 12));
    cr_expect_gt(kit_statistic(kit, "credit_stalls"), 0);
    cr_expect_gt(kit_statistic(kit, "credit_stall_cycles"), 0);
    kit_destroy(kit);
}

/* An input that has packets for both outputs at any time: they go in the order in which they came. */
Test(crossbar_ideal, the_oldest_packet_of_an_input_goes_first_whatever_its_output)
{
    enum { PACKETS = 40 };
    kit_block *kit = ideal((const char *[]){"queues=virtual_output", "queue_depth=64", NULL}, 1, 2, 64);
    for (uint32_t i = 0; i < PACKETS; i++)
        put(kit, 0, i % 8 == 0, 64, i, i * CYCLE);
    kit_run_until(kit, 1000 * CYCLE);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, PACKETS);
    for (uint32_t i = 0; i < PACKETS; i++) {
        cr_expect_eq(events[i].packet.tag, i);
        cr_expect_eq(events[i].t, (LATENCY + 1 + 2 * i) * CYCLE);
    }
    kit_destroy(kit);
}

/* Both have waited since 10: the lowest input goes first. */
Test(crossbar_ideal, of_packets_that_have_waited_as_long_the_lowest_input_goes_first)
{
    enum { INPUTS = 3 };
    kit_block *kit = ideal(NULL, INPUTS, 1, 1);
    kit_hold_credits(kit, OUTPUT, 0, 1);
    put(kit, 0, 0, FLIT, 0, 0);
    for (uint32_t i = INPUTS; i-- > 0;)
        put(kit, i, 0, FLIT, 1, 10 * CYCLE);
    for (uint32_t i = 0; i < INPUTS; i++) {
        kit_run_until(kit, (100 + 50 * i) * CYCLE);
        kit_release_credits(kit, OUTPUT, 0, 1, (100 + 50 * i) * CYCLE);
    }
    kit_run_until(kit, 400 * CYCLE);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, 1 + INPUTS);
    for (uint32_t i = 0; i < INPUTS; i++)
        cr_expect_eq(events[1 + i].packet.source, i);
    kit_destroy(kit);
}

/* Two inputs of one port, which moves one packet at a time, have packets for two outputs since the same time. */
Test(crossbar_ideal, of_packets_that_have_waited_as_long_the_lowest_output_goes_first)
{
    kit_block *kit = ideal((const char *[]){"inputs_per_port=2", NULL}, 2, 2, 8);
    put(kit, 1, 0, FLIT, 0, 10 * CYCLE);
    put(kit, 0, 1, FLIT, 1, 10 * CYCLE);
    kit_run_until(kit, 100 * CYCLE);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, 2);
    cr_expect_eq(events[0].element, 0);
    cr_expect_eq(events[0].t, (10 + LATENCY) * CYCLE);
    cr_expect_eq(events[1].element, 1);
    cr_expect_eq(events[1].t, (11 + LATENCY) * CYCLE);
    kit_destroy(kit);
}

/* Two queues of one input, by the unit of the packets, hold packets for one output since the same time. */
Test(crossbar_ideal, of_packets_that_have_waited_as_long_the_lowest_channel_goes_first)
{
    kit_block *kit = ideal((const char *[]){"virtual_channels=2", NULL}, 1, 1, 8);
    for (uint32_t unit = 2; unit-- > 0;) {
        hd_packet *packet = kit_packet(kit, "test.packet/1", 0);
        packet->unit = (uint8_t)unit;
        packet->wire_bytes = 2 * FLIT;
        kit_send(kit, INPUT, 0, packet, 10 * CYCLE);
    }
    kit_run_until(kit, 100 * CYCLE);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, 2);
    for (uint32_t i = 0; i < 2; i++)
        cr_expect_eq(events[i].packet.unit, i);
    kit_destroy(kit);
}
