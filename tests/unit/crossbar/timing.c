/* SPDX-License-Identifier: MIT */
#include "bench.h"

Test(crossbar, moves_a_lone_packet_in_latency_plus_its_further_flits)
{
    static const uint32_t sizes[] = {1, 8, 32, 33, 64, 136};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        kit_block *kit = make(NULL, 1, 1, 8);
        put(kit, 0, 0, sizes[i], 7, 3 * CYCLE);
        hd_packet *packet = kit_receive(kit, OUTPUT, 0, 100 * CYCLE);
        cr_assert_not_null(packet);
        cr_expect_eq(packet->tag, 7);
        cr_expect_eq(kit_received_at(kit), (3 + LATENCY + flits_of(sizes[i]) - 1 + LINK) * CYCLE, "%u bytes", sizes[i]);
        cr_expect_eq(kit_next(kit), HD_NEVER);
        kit_free(kit, packet);
        kit_destroy(kit);
    }
}

Test(crossbar, takes_its_latency_from_the_parameter)
{
    kit_block *kit = make((const char *[]){"latency=12 cycles", NULL}, 1, 1, 8);
    put(kit, 0, 0, 8, 0, 0);
    kit_run_until(kit, 100 * CYCLE);
    uint32_t count;
    cr_expect_eq(kit_trace(kit, &count)[0].t, 12 * CYCLE);
    kit_destroy(kit);
}

Test(crossbar, takes_its_width_from_the_parameter)
{
    kit_block *kit = make((const char *[]){"flit_bytes=8 B", NULL}, 1, 1, 8);
    put(kit, 0, 0, 136, 0, 0);
    kit_run_until(kit, 100 * CYCLE);
    uint32_t count;
    cr_expect_eq(kit_trace(kit, &count)[0].t, (LATENCY + 136 / 8 - 1) * CYCLE);
    cr_expect_eq(kit_statistic(kit, "flits"), 136 / 8);
    kit_destroy(kit);
}

Test(crossbar, a_saturated_port_moves_one_flit_a_cycle)
{
    enum { PACKETS = 50, BYTES = 136 };
    kit_block *kit = make(NULL, 1, 1, 16);
    for (uint32_t i = 0; i < PACKETS; i++)
        put(kit, 0, 0, BYTES, i, 0);
    kit_run_until(kit, 1000 * CYCLE);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, PACKETS);
    const uint32_t flits = flits_of(BYTES);
    for (uint32_t i = 0; i < PACKETS; i++) {
        cr_expect_eq(events[i].t, (uint64_t)(i * flits + LATENCY + flits - 1) * CYCLE, "packet %u", i);
        cr_expect_eq(events[i].packet.tag, i);
    }
    cr_expect_eq(kit_statistic(kit, "packets"), PACKETS);
    cr_expect_eq(kit_statistic(kit, "flits"), PACKETS * flits);
    cr_expect_eq(kit_statistic(kit, "busy_cycles"), PACKETS * flits);
    cr_expect_eq(kit_statistic(kit, "bytes.global"), PACKETS * BYTES);
    kit_destroy(kit);
}

Test(crossbar, moves_one_flit_packets_every_cycle)
{
    kit_block *kit = make(NULL, 1, 1, 16);
    for (uint32_t i = 0; i < 40; i++)
        put(kit, 0, 0, 8, i, 0);
    kit_run_until(kit, 200 * CYCLE);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, 40);
    for (uint32_t i = 0; i < 40; i++)
        cr_expect_eq(events[i].t, (LATENCY + i) * CYCLE);
    kit_destroy(kit);
}

Test(crossbar, an_input_moves_one_flit_a_cycle_whatever_the_outputs)
{
    kit_block *kit = make(NULL, 1, 2, 8);
    put(kit, 0, 0, 96, 0, 0); /* three flits */
    put(kit, 0, 1, 32, 1, 0);
    kit_run_until(kit, 100 * CYCLE);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, 2);
    cr_expect_eq(events[0].t, (LATENCY + 2) * CYCLE);
    cr_expect_eq(events[1].t, (3 + LATENCY) * CYCLE);
    kit_destroy(kit);
}

Test(crossbar, pairs_of_ports_do_not_disturb_each_other)
{
    kit_block *kit = make(NULL, 4, 4, 8);
    for (uint32_t i = 0; i < 4; i++)
        put(kit, i, 3 - i, 136, i, 0);
    kit_run_until(kit, 100 * CYCLE);
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        cr_expect_eq(events[i].t, (LATENCY + flits_of(136) - 1) * CYCLE);
        cr_expect_eq(events[i].packet.source, 3 - events[i].element);
    }
    cr_expect_eq(kit_statistic(kit, "busy_cycles"), flits_of(136));
    cr_expect_eq(kit_statistic(kit, "flits"), 4 * flits_of(136));
    kit_destroy(kit);
}

Test(crossbar, keeps_to_the_edges_of_an_odd_clock)
{
    kit_block *kit = kit_create(&hd_crossbar_round_robin, NULL);
    kit_clock(kit, UINT64_C(1400000000));
    kit_connect(kit, INPUT, 0, 1, 8);
    kit_connect(kit, OUTPUT, 0, 1, 8);
    const hd_time arrival = kit_edge(kit, 1000003) + 1; /* just missed edge 1000003 */
    put(kit, 0, 0, 8, 0, arrival);
    kit_run_until(kit, kit_edge(kit, 1000100));
    uint32_t count;
    cr_expect_eq(kit_trace(kit, &count)[0].t, kit_edge(kit, 1000004 + LATENCY));
    kit_destroy(kit);
}

Test(crossbar, counts_bytes_by_class)
{
    static const char *const names[] = {"bytes.control", "bytes.global",  "bytes.private", "bytes.constant",
                                        "bytes.atomic",  "bytes.host",    "bytes.code",    "bytes.transaction",
                                        "bytes.texture", "bytes.context", "bytes.other"};
    kit_block *kit = make(NULL, 1, 1, 16);
    for (uint32_t class = 0; class <= HD_CLASS_COUNT; class ++) {
        hd_packet *packet = kit_packet(kit, "test.packet/1", 0);
        packet->traffic_class = class;
        packet->wire_bytes = 10 + class;
        kit_send(kit, INPUT, 0, packet, 0);
    }
    kit_run_until(kit, 100 * CYCLE);
    for (uint32_t class = 0; class <= HD_CLASS_COUNT; class ++)
        cr_expect_eq(kit_statistic(kit, names[class]), 10 + class, "%s", names[class]);
    kit_destroy(kit);
}
