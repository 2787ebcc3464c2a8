/* SPDX-License-Identifier: MIT */
/* Virtual output queues, virtual channels, speed-up, ports that several links share. */
#include "bench.h"

#include "network_bench.h"

static const kit_event *run(kit_block *kit, uint32_t expected)
{
    uint32_t count;
    kit_run_until(kit, kit_now(kit) + 1000 * CYCLE);
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, expected);
    return events;
}

/* Behind a packet for a full output stands one for a free one. Returns how many came out. */
static uint32_t behind_a_full_output(const char *const *parameters, uint32_t packets)
{
    kit_block *kit = make(parameters, 1, 2, 2);
    kit_hold_credits(kit, OUTPUT, 0, 1);
    for (uint32_t i = 0; i < packets; i++)
        put(kit, 0, 0, 32, i, 0);
    put(kit, 0, 1, 32, 99, 0);
    kit_run_until(kit, 1000 * CYCLE);
    const uint32_t out = kit_waiting(kit, OUTPUT, 1);
    kit_destroy(kit);
    return out;
}

Test(crossbar_queues, a_queue_for_each_output_lets_packets_pass_a_full_one)
{
    cr_expect_eq(behind_a_full_output(NULL, 3), 0, "in a FIFO the head blocks");
    cr_expect_eq(behind_a_full_output((const char *[]){"queues=virtual_output", NULL}, 3), 1);
    cr_expect_eq(behind_a_full_output((const char *[]){"queues=virtual_output", NULL}, 2 + 8), 0,
                 "its 8 places are full");
    cr_expect_eq(behind_a_full_output((const char *[]){"queues=virtual_output", "queue_depth=9", NULL}, 2 + 8), 1);
}

static void put_kind(kit_block *kit, uint32_t output, uint32_t unit, uint32_t class, uint64_t tag)
{
    hd_packet *packet = kit_packet(kit, "test.packet/1", 0);
    packet->destination = (uint16_t)output;
    packet->unit = unit;
    packet->traffic_class = class;
    packet->wire_bytes = 32;
    packet->tag = tag;
    kit_send(kit, INPUT, 0, packet, 0);
}

/* Units 0 and 1 of endpoint 0 are behind outputs 0 and 1, of which 0 is full. */
static uint32_t other_unit_passes(const char *const *parameters)
{
    kit_block *kit = make(parameters, 1, 2, 2);
    network_provide_units(kit);
    kit_route(kit, OUTPUT, NETWORK_ELEMENTS, 1);
    kit_hold_credits(kit, OUTPUT, 0, 1);
    for (uint32_t i = 0; i < 4; i++)
        put_kind(kit, 0, 0, HD_CLASS_GLOBAL, i);
    put_kind(kit, 0, 1, HD_CLASS_CONSTANT, 99);
    kit_run_until(kit, 1000 * CYCLE);
    const uint32_t out = kit_waiting(kit, OUTPUT, 1);
    kit_destroy(kit);
    return out;
}

Test(crossbar_queues, channels_let_units_and_classes_pass_each_other)
{
    cr_expect_eq(other_unit_passes(NULL), 0);
    cr_expect_eq(other_unit_passes((const char *[]){"virtual_channels=2", NULL}), 1);
    cr_expect_eq(other_unit_passes((const char *[]){"virtual_channels=2", "channel_by=class", NULL}), 0,
                 "of two channels, classes 1 and 3 are in the same");
    cr_expect_eq(other_unit_passes((const char *[]){"virtual_channels=8", "channel_by=class", NULL}), 1);
}

/* Two classes to one output in different channels: the second may not pass the first, however long that waits. */
Test(crossbar_queues, classes_keep_their_order_to_one_unit)
{
    kit_block *kit = make((const char *[]){"virtual_channels=8", "channel_by=class", "queue_depth=2", NULL}, 1, 1, 4);
    for (uint32_t i = 0; i < 40; i++)
        put_kind(kit, 0, 0, i / 2 % 3, i);
    const kit_event *events = run(kit, 40);
    for (uint32_t i = 0; i < 40; i++)
        cr_expect_eq(events[i].packet.tag, i);
    kit_destroy(kit);
}

/* Four outputs wait for one input with one packet each, of four flits. */
static hd_time last_of_four(const char *const *parameters)
{
    kit_block *kit = make(parameters, 1, 4, 8);
    for (uint32_t i = 0; i < 4; i++)
        put(kit, 0, i, 4 * FLIT, i, 0);
    const kit_event *events = run(kit, 4);
    const hd_time last = events[3].t;
    kit_destroy(kit);
    return last;
}

Test(crossbar_queues, speed_up_is_the_packets_that_an_input_moves_at_once)
{
    enum { ALONE = LATENCY + 3 };
    cr_expect_eq(last_of_four(NULL), (ALONE + 12) * CYCLE);
    cr_expect_eq(last_of_four((const char *[]){"input_speedup=2", NULL}), (ALONE + 4) * CYCLE);
    cr_expect_eq(last_of_four((const char *[]){"input_speedup=4", NULL}), ALONE * CYCLE);
    cr_expect_eq(last_of_four((const char *[]){"input_speedup=4", "queues=virtual_output", NULL}), ALONE * CYCLE);
}

/* Six links in, each with three packets of two flits, for an output of its own or all for output 0. */
static const kit_event *clusters(kit_block **kit, uint32_t is_one_output, const char *const *parameters)
{
    *kit = make(parameters, 6, 6, 32);
    for (uint32_t i = 0; i < 6; i++)
        for (uint32_t k = 0; k < 3; k++)
            put(*kit, i, is_one_output ? 0 : i, 2 * FLIT, k, 0);
    return run(*kit, 18);
}

/* Two ports are used all the time, and each moves a packet in two cycles. */
static void expect_two_ports(const kit_event *events)
{
    for (uint32_t i = 0; i < 18; i++)
        cr_expect_eq(events[i].t, (LATENCY + 1 + 2 * (i / 2)) * CYCLE, "packet %u", i);
}

Test(crossbar_queues, a_cluster_shares_the_width_of_one_port)
{
    kit_block *kit;
    const kit_event *events = clusters(&kit, 0, (const char *[]){"inputs_per_port=3", NULL});
    expect_two_ports(events);
    for (uint32_t i = 0; i < 18; i += 2)
        cr_expect_neq(events[i].packet.source / 3, events[i + 1].packet.source / 3, "of 0 to 2 and of 3 to 5");
    kit_destroy(kit);
    events = clusters(&kit, 0, (const char *[]){"inputs_per_port=3", "port_sharing=stride", NULL});
    expect_two_ports(events);
    for (uint32_t i = 0; i < 18; i += 2)
        cr_expect_neq(events[i].packet.source % 2, events[i + 1].packet.source % 2, "of 0, 2, 4 and of 1, 3, 5");
    kit_destroy(kit);
}

Test(crossbar_queues, links_of_a_cluster_take_turns)
{
    static const uint32_t turns[] = {0, 3, 1, 4, 2, 5}; /* ports in turn, and links of each */
    kit_block *kit;
    const kit_event *events = clusters(&kit, 1, (const char *[]){"inputs_per_port=3", NULL});
    for (uint32_t i = 0; i < 18; i++)
        cr_expect_eq(events[i].packet.source, turns[i % 6], "packet %u", i);
    kit_destroy(kit);
}

Test(crossbar_queues, links_out_share_the_width_of_one_port_and_not_their_credits)
{
    kit_block *kit;
    const kit_event *events = clusters(&kit, 0, (const char *[]){"outputs_per_port=3", NULL});
    expect_two_ports(events);
    for (uint32_t i = 0; i < 18; i++)
        cr_expect_eq(events[i].packet.source % 3, i / 2 % 3, "the links of a port take turns");
    kit_destroy(kit);
    events = clusters(&kit, 0, (const char *[]){"outputs_per_port=3", "port_sharing=stride", NULL});
    expect_two_ports(events);
    for (uint32_t i = 0; i < 18; i++)
        cr_expect_eq(events[i].packet.source / 2, i / 2 % 3);
    kit_destroy(kit);

    kit = make((const char *[]){"outputs_per_port=2", NULL}, 2, 2, 2);
    kit_hold_credits(kit, OUTPUT, 0, 1);
    for (uint32_t i = 0; i < 6; i++) {
        put(kit, 0, 0, 32, i, 0);
        put(kit, 1, 1, 32, i, 0);
    }
    kit_run_until(kit, 1000 * CYCLE);
    cr_expect_eq(kit_waiting(kit, OUTPUT, 0), 2);
    cr_expect_eq(kit_waiting(kit, OUTPUT, 1), 6, "one without credits does not hold up the other");
    kit_destroy(kit);
}

/* The unit decides between the links of a partition. */
Test(crossbar_queues, delivers_to_the_unit_of_a_partition)
{
    kit_block *kit = make((const char *[]){"outputs_per_port=3", "port_sharing=stride", NULL}, 1, 6, 8);
    network_provide_units(kit);
    for (uint32_t unit = 1; unit < 3; unit++)
        for (uint32_t e = 0; e < 2; e++)
            kit_route(kit, OUTPUT, e + unit * NETWORK_ELEMENTS, 2 * unit + e);
    for (uint32_t i = 0; i < 6; i++)
        put_kind(kit, i % 2, i / 2, HD_CLASS_GLOBAL, i);
    run(kit, 6);
    for (uint32_t i = 0; i < 6; i++) {
        hd_packet *packet = kit_receive(kit, OUTPUT, i, kit_now(kit));
        cr_assert_not_null(packet);
        cr_expect_eq(packet->tag, i);
        kit_free(kit, packet);
    }
    kit_destroy(kit);
}

/* More links than one word of a set has. */
static void expect_wide(const hd_block_class *type, const char *const *parameters)
{
    enum { LINKS = 200 };
    kit_block *kit = kit_create(type, parameters);
    for (uint32_t i = 0; i < LINKS; i++) {
        kit_connect(kit, INPUT, i, LINK, 8);
        kit_connect(kit, OUTPUT, i, LINK, 8);
        kit_route(kit, OUTPUT, i, i);
    }
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t i = 0; i < LINKS; i++)
            put(kit, i, (i * 67 + 130 * k) % LINKS, 2 * FLIT, k, 0);
    const kit_event *events = run(kit, 3 * LINKS);
    uint32_t next[LINKS] = {0};
    for (uint32_t i = 0; i < 3 * LINKS; i++) {
        const hd_packet *packet = &events[i].packet;
        cr_assert_eq(packet->destination, events[i].element);
        cr_assert_eq(packet->destination, (packet->source * 67 + 130 * packet->tag) % LINKS);
        next[packet->source]++;
    }
    for (uint32_t i = 0; i < LINKS; i++)
        cr_assert_eq(next[i], 3);
    kit_destroy(kit);
}

Test(crossbar_queues, two_hundred_links)
{
    expect_wide(&hd_crossbar_round_robin, NULL);
    expect_wide(&hd_crossbar_round_robin, (const char *[]){"queues=virtual_output", "inputs_per_port=2", NULL});
    expect_wide(&hd_crossbar_islip, (const char *[]){"outputs_per_port=4", "port_sharing=stride", NULL});
    expect_wide(&hd_crossbar_ideal, NULL);
    expect_wide(&hd_crossbar_mesh_2d, (const char *[]){"columns=16", "rows=13", NULL});
}

Test(crossbar_queues, refuses_what_does_not_go_together)
{
    char error[1024];
    cr_expect(kit_refuses(&hd_crossbar_round_robin, (const char *[]){"inputs_per_port=16", "virtual_channels=8", NULL},
                          error, sizeof error));
    cr_expect_not_null(strstr(error, "exceeds 64 queues"), "%s", error);
    cr_expect(kit_refuses(&hd_crossbar_islip,
                          (const char *[]){"latency=1000 cycles", "multicast_fanout=8", "input_speedup=8", NULL}, error,
                          sizeof error));
    cr_expect_not_null(strstr(error, "exceeds 16384 packets"), "%s", error);
    cr_expect(kit_refuses(&hd_crossbar_ideal, (const char *[]){"latency=1000 cycles", "multicast_fanout=17", NULL},
                          error, sizeof error));
}

/* ---- Which output chooses first ---------------------------------------------------------------------------------------- */

enum { WIDE_OUTPUTS = 130 };

/* Of an input that has packets for several outputs, the order in which they go; the first of these cycles chooses from
 * output 0 on. */
static const kit_event *served_from(kit_block **kit, uint32_t cycle, const uint32_t *outputs, uint32_t count)
{
    uint32_t events;
    *kit = make((const char *[]){"queues=virtual_output", NULL}, 1, WIDE_OUTPUTS, 8);
    for (uint32_t i = 0; i < count; i++)
        kit_route(*kit, OUTPUT, outputs[i] % 64, outputs[i]);
    for (uint32_t i = 0; i < cycle; i++)
        put(*kit, 0, 9, FLIT, 99, i * CYCLE);
    for (uint32_t i = 0; i < count; i++)
        put(*kit, 0, outputs[i] % 64, FLIT, i, cycle * CYCLE);
    kit_run_until(*kit, 1000 * CYCLE);
    const kit_event *trace = kit_trace(*kit, &events);
    cr_assert_eq(events, cycle + count);
    return trace + cycle;
}

/* One word of outputs after the other, the one in whose middle the turn is in two parts: its end first, its begin last. */
Test(crossbar_queues, outputs_choose_from_the_one_whose_turn_it_is)
{
    static const uint32_t outputs[] = {65, 69, 3, 128};
    static const struct {
        uint32_t cycle, first;
    } turns[] = {{0, 3}, {3, 3}, {4, 65}, {64, 65}, {66, 69}, {70, 128}, {128, 128}};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        kit_block *kit;
        const kit_event *events = served_from(&kit, turns[i].cycle, outputs, 4);
        cr_expect_eq(events[0].element, turns[i].first, "turn of output %u: %u", turns[i].cycle, events[0].element);
        kit_destroy(kit);
    }
}

/* The turn is with 70: 65 comes after all others of its word and of the words before. */
Test(crossbar_queues, the_begin_of_the_word_in_turn_chooses_last)
{
    static const uint32_t outputs[] = {65, 3};
    kit_block *kit;
    const kit_event *events = served_from(&kit, 70, outputs, 2);
    cr_expect_eq(events[0].element, 3);
    cr_expect_eq(events[1].element, 65);
    kit_destroy(kit);
}

/* Both outputs want the port that two inputs share: the one whose turn it is has it. */
Test(crossbar_queues, outputs_take_turns_at_an_input_port_that_is_shared)
{
    enum { EACH = 6 };
    uint32_t count;
    kit_block *kit = make((const char *[]){"inputs_per_port=2", NULL}, 2, 2, EACH);
    for (uint32_t i = 0; i < EACH; i++) {
        put(kit, 0, 0, FLIT, i, 0);
        put(kit, 1, 1, FLIT, i, 0);
    }
    kit_run_until(kit, 100 * CYCLE);
    const kit_event *events = kit_trace(kit, &count);
    cr_assert_eq(count, 2 * EACH);
    for (uint32_t i = 0; i < count; i++)
        cr_expect_eq(events[i].element, i % 2, "packet %u", i);
    kit_destroy(kit);
}
