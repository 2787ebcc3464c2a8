/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <stdio.h>

static const hd_block_class *const types[] = {&hd_crossbar_round_robin, &hd_crossbar_islip, &hd_crossbar_ideal};
#define TYPES (sizeof types / sizeof *types)

static void put_set(kit_block *kit, uint16_t base, uint64_t set, uint32_t flits, uint64_t tag)
{
    hd_packet *packet = kit_packet(kit, "test.packet/1", 4);
    packet->destination = base;
    packet->destination_set = set;
    packet->wire_bytes = flits * FLIT;
    packet->tag = tag;
    kit_send(kit, INPUT, 0, packet, 0);
}

/* A packet of two flits for all of eight outputs takes ceil(8 / fanout) passes of its input. */
static void expect_passes(const hd_block_class *type, uint32_t fanout)
{
    enum { OUTPUTS = 8, FLITS = 2 };
    char text[40];
    snprintf(text, sizeof text, "multicast_fanout=%u", fanout);
    kit_block *kit = make_of(type, (const char *[]){text, NULL}, 1, OUTPUTS, 8);
    put_set(kit, 0, 0xFF, FLITS, 7);
    kit_run_until(kit, 1000 * CYCLE);
    const uint32_t passes = (OUTPUTS + fanout - 1) / fanout;
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, OUTPUTS);
    uint64_t reached = 0;
    for (uint32_t i = 0; i < OUTPUTS; i++) {
        reached |= UINT64_C(1) << events[i].element;
        cr_expect_eq(events[i].packet.destination, events[i].element);
        cr_expect_eq(events[i].packet.destination_set, 0);
        cr_expect_eq(events[i].packet.tag, 7);
        cr_expect_eq(events[i].t, (LATENCY + FLITS - 1 + i / fanout * FLITS) * CYCLE, "%s, fanout %u, copy %u",
                     type->type, fanout, i);
    }
    cr_expect_eq(reached, 0xFF);
    cr_expect_eq(kit_statistic(kit, "flits"), passes * FLITS);
    cr_expect_eq(kit_statistic(kit, "packets"), OUTPUTS);
    cr_expect_eq(kit_statistic(kit, "multicast_packets"), 1);
    cr_expect_eq(kit_statistic(kit, "multicast_copies"), OUTPUTS);
    cr_expect_eq(kit_statistic(kit, "multicast_bytes"), (OUTPUTS - 1) * FLITS * FLIT, "of all copies but one");
    cr_expect_eq(kit_statistic(kit, "shared_copies"), OUTPUTS - passes);
    kit_destroy(kit);
}

Test(crossbar_multicast, costs_a_pass_of_its_input_for_as_many_outputs_as_take_it_at_once)
{
    static const uint32_t fanouts[] = {1, 2, 3, 8, 64};
    for (size_t i = 0; i < TYPES; i++)
        for (size_t f = 0; f < sizeof fanouts / sizeof *fanouts; f++)
            expect_passes(types[i], fanouts[f]);
}

Test(crossbar_multicast, a_mesh_counts_copies_and_their_bytes)
{
    enum { OUTPUTS = 4, FLITS = 2 };
    kit_block *kit = make_of(&hd_crossbar_mesh_2d, (const char *[]){"columns=2", "rows=2", NULL}, 1, OUTPUTS, 8);
    put_set(kit, 0, 0xF, FLITS, 7);
    kit_run_until(kit, 1000 * CYCLE);
    uint32_t count;
    kit_trace(kit, &count);
    cr_expect_eq(count, OUTPUTS);
    cr_expect_eq(kit_statistic(kit, "packets"), OUTPUTS);
    cr_expect_eq(kit_statistic(kit, "multicast_packets"), 1);
    cr_expect_eq(kit_statistic(kit, "multicast_copies"), OUTPUTS);
    cr_expect_eq(kit_statistic(kit, "multicast_bytes"), (OUTPUTS - 1) * FLITS * FLIT);
    kit_destroy(kit);
}

Test(crossbar_multicast, goes_at_once_where_it_can_and_later_where_it_must_wait)
{
    kit_block *kit = make((const char *[]){"multicast_fanout=8", NULL}, 1, 3, 2);
    kit_hold_credits(kit, OUTPUT, 1, 1);
    put(kit, 0, 1, 32, 0, 0);
    put(kit, 0, 1, 32, 1, 0);
    put_set(kit, 0, 7, 1, 2);
    put(kit, 0, 0, 32, 3, 0);
    kit_run_until(kit, 100 * CYCLE);
    cr_expect_eq(kit_waiting(kit, OUTPUT, 0), 1, "the packet behind waits until the last copy has left");
    cr_expect_eq(kit_waiting(kit, OUTPUT, 2), 1);
    kit_release_credits(kit, OUTPUT, 1, 1, kit_now(kit));
    kit_run_until(kit, 200 * CYCLE);
    cr_expect_eq(kit_waiting(kit, OUTPUT, 0), 2);
    cr_expect_eq(kit_waiting(kit, OUTPUT, 1), 3);
    cr_expect_eq(kit_statistic(kit, "shared_copies"), 1);
    kit_destroy(kit);
}

/* Endpoints 5, 6 and 9, of which 6 and 9 are behind one output: one copy goes there, and is for both. */
Test(crossbar_multicast, endpoints_behind_one_output_get_one_copy)
{
    kit_block *kit = make(NULL, 1, 2, 8);
    kit_route(kit, OUTPUT, 6, 1);
    kit_route(kit, OUTPUT, 9, 1);
    put_set(kit, 5, 1 | 2 | 16, 1, 0);
    kit_run_until(kit, 100 * CYCLE);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, 2);
    cr_expect_eq(events[0].packet.destination, 5);
    cr_expect_eq(events[0].packet.destination_set, 0);
    cr_expect_eq(events[1].packet.destination, 5);
    cr_expect_eq(events[1].packet.destination_set, 2 | 16);
    kit_destroy(kit);
}

Test(crossbar_multicast, one_endpoint_that_cannot_be_reached_is_named)
{
    for (size_t i = 0; i < TYPES; i++) {
        kit_block *kit = make_of(types[i], NULL, 1, 2, 8);
        kit_expect_fault(kit);
        kit_route(kit, OUTPUT, 3, UINT32_MAX);
        put_set(kit, 1, 1 | 4, 1, 0);
        kit_run_until(kit, 50 * CYCLE);
        cr_assert_not_null(kit_fault_text(kit));
        cr_expect_not_null(strstr(kit_fault_text(kit), "endpoint 3,"), "%s", kit_fault_text(kit));
        kit_destroy(kit);
    }
}
