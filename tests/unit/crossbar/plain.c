/* SPDX-License-Identifier: MIT */
/*
 * Crossbars with few links take a short way (models/crossbar/plain.c). One that has more outputs than a word has bits, which nobody uses,
 * takes the long one: both do the same.
 */
#include "bench.h"

enum { INPUTS = 7, OUTPUTS = 4, MANY_OUTPUTS = 65, PACKETS = 4000, LONE = 50 };

static void put_any(kit_block *kit, uint64_t *random, uint32_t sets, uint32_t i, hd_time t)
{
    hd_packet *packet = kit_packet(kit, "test.packet/1", 16);
    packet->destination_set = sets && kit_random(random) % sets == 0 ? 1 + kit_random(random) % 15 : 0;
    packet->destination = packet->destination_set ? 0 : (uint16_t)(kit_random(random) % OUTPUTS);
    packet->wire_bytes = (uint32_t)(kit_random(random) % 200);
    packet->traffic_class = (uint32_t)(kit_random(random) % HD_CLASS_COUNT);
    packet->tag = i;
    kit_send(kit, INPUT, (uint32_t)(kit_random(random) % INPUTS), packet, t);
}

static kit_block *loaded(const char *const *parameters, uint32_t outputs, uint32_t sets, uint64_t seed)
{
    kit_block *kit = make(parameters, INPUTS, outputs, 4);
    hd_time t = 0;
    for (uint32_t i = 0; i < PACKETS; i++) {
        put_any(kit, &seed, sets, i, t);
        if (kit_random(&seed) % 8)
            continue;
        t += 1 + kit_random(&seed) % 40000;
        const uint32_t output = (uint32_t)(kit_random(&seed) % OUTPUTS);
        kit_run_until(kit, t);
        kit_hold_credits(kit, OUTPUT, output, kit_random(&seed) % 2);
        kit_release_credits(kit, OUTPUT, output, (uint32_t)(kit_random(&seed) % 4), t);
    }
    for (uint32_t i = 0; i < OUTPUTS; i++) {
        kit_hold_credits(kit, OUTPUT, i, 0);
        kit_release_credits(kit, OUTPUT, i, UINT32_MAX, kit_now(kit));
    }
    kit_run_until(kit, t + UINT64_C(1000000) * CYCLE);
    return kit;
}

static void expect_same(kit_block *plain, kit_block *other, uint32_t packets)
{
    uint32_t count, others;
    const kit_event *events = kit_trace(plain, &count), *expected = kit_trace(other, &others);
    cr_assert_eq(count, others);
    cr_assert_geq(count, packets);
    for (uint32_t i = 0; i < count; i++) {
        cr_assert_eq(events[i].t, expected[i].t, "packet %u", i);
        cr_assert_eq(events[i].element, expected[i].element);
        cr_assert_eq(events[i].packet.tag, expected[i].packet.tag);
        cr_assert_eq(events[i].packet.destination, expected[i].packet.destination);
    }
    for (uint32_t i = 0; i < hd_crossbar_round_robin.statistic_count; i++) {
        const char *name = hd_crossbar_round_robin.statistics[i].name;
        cr_expect_eq(kit_statistic(plain, name), kit_statistic(other, name), "%s", name);
    }
}

Test(crossbar, takes_a_short_way_to_the_same)
{
    static const char *const settings[][3] = {
        {NULL}, {"latency=40 cycles", "flit_bytes=7 B", NULL}, {"multicast_fanout=3", NULL}};
    static const uint32_t one_in[] = {0, 20, 3}; /* of so many packets is for several outputs */
    for (uint32_t i = 0; i < 9; i++) {
        kit_block *plain = loaded(settings[i / 3], OUTPUTS, one_in[i % 3], 11 + i);
        kit_block *other = loaded(settings[i / 3], MANY_OUTPUTS, one_in[i % 3], 11 + i);
        expect_same(plain, other, PACKETS);
        cr_expect_gt(kit_statistic(plain, "credit_stall_cycles"), 0);
        cr_expect_gt(kit_statistic(plain, "queueing_cycles"), 0);
        kit_destroy(plain);
        kit_destroy(other);
    }
}

/* Each is through before the next one comes. */
static kit_block *lone(uint32_t outputs, uint64_t seed)
{
    static const char *const none[] = {NULL};
    kit_block *kit = make(none, INPUTS, outputs, 4);
    for (uint32_t i = 0; i < LONE; i++) {
        put_any(kit, &seed, 0, i, kit_now(kit) + kit_random(&seed) % CYCLE);
        kit_run_until(kit, kit_now(kit) + UINT64_C(100) * CYCLE);
    }
    return kit;
}

Test(crossbar, lets_a_lone_packet_through_as_it_would_among_others)
{
    kit_block *plain = lone(OUTPUTS, 5), *other = lone(MANY_OUTPUTS, 5);
    expect_same(plain, other, LONE);
    cr_expect_eq(kit_statistic(plain, "contention_maximum"), 1);
    kit_destroy(plain);
    kit_destroy(other);
}
