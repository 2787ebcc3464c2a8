/* SPDX-License-Identifier: MIT */
#include "bench.h"

/* A slice that takes each load at once, and answers on behalf of nobody. */
static uint32_t play(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    (void)context, (void)element;
    uint64_t note = 0;
    if (port == PORT_LOAD) {
        if (kit_tap_sample(kit, PORT_TAP, 0, &(hd_tap_access){.request = packet, .t = t}, &note) == HD_TAP_PASS)
            kit_free(kit, packet);
        return 1;
    }
    if (port == PORT_NEXT) {
        kit_send(kit, PORT_PREVIOUS, 0, packet, t + 3 * CYCLE);
        return 1;
    }
    if (port != PORT_REPLY)
        return 0;
    if (packet->message == kit_message(kit, HD_GETM_STORE_OK)) { /* given back a while later */
        hd_packet *release = kit_packet(kit, HD_GETM_RELEASE, sizeof(hd_getm_release));
        *(hd_getm_release *)hd_body(release) = (hd_getm_release){.count = {1}};
        release->address = packet->address;
        release->flow = packet->flow;
        release->epoch = packet->epoch;
        kit_send(kit, PORT_RELEASE, 0, release, t + 200 * CYCLE);
    }
    return 0;
}

/* Nothing is given back, so that nothing is left of it when clocks begin anew. */
static uint32_t play_without_end(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet,
                                 hd_time t)
{
    return port == PORT_REPLY ? 0 : play(kit, context, port, element, packet, t);
}

static void connect_ports(kit_block *kit)
{
    kit_connect(kit, PORT_REQUEST, 0, 1, 4);
    kit_connect(kit, PORT_REPLY, 0, 2, 2);
    kit_connect(kit, PORT_LOAD, 0, 3, 2);
    kit_connect(kit, PORT_RELEASE, 0, 1, 4);
    kit_connect(kit, PORT_RELEASED, 0, 1, 1);
    kit_connect(kit, PORT_NEXT, 0, 2, 1);
    kit_connect(kit, PORT_PREVIOUS, 0, 2, 1);
    kit_respond(kit, play, NULL);
}

static void connect_without_end(kit_block *kit)
{
    connect_ports(kit);
    kit_respond(kit, play_without_end, NULL);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    hd_time t = kit_now(kit);
    for (uint32_t i = 0; i < 400; i++) {
        const uint32_t is_store = kit_random(&seed) % 2;
        const uint32_t warp = (uint32_t)(kit_random(&seed) % 7), epoch = 1 + i / 16;
        hd_packet *packet = kit_packet(kit, is_store ? HD_GETM_STORE : HD_GETM_LOAD, sizeof(hd_getm_access));
        *(hd_getm_access *)hd_body(packet) = (hd_getm_access){
            .timestamp = 6 * epoch + (warp * 29 + epoch) % 31, .warp = warp, .count = is_store, .era = i == 99};
        packet->source = 9;
        packet->traffic_class = HD_CLASS_TRANSACTION;
        packet->tag = i;
        packet->address = G(kit_random(&seed) % 12);
        packet->argument = is_store ? 0 : 8;
        packet->flow = warp;
        packet->epoch = epoch;
        t += kit_random(&seed) % 3 ? 0 : kit_random(&seed) % 20 * CYCLE;
        kit_send(kit, PORT_REQUEST, 0, packet, t);
    }
}

#define SMALL                                                                                                          \
    "precise.entries=2", "precise.ways=2", "stash=1", "approximate.entries=4", "overflow_latency=7 cycles",            \
        "stall.lines=2", "stall.entries=2", "loads=3", "replies=2"

Test(validation_unit, conforms)
{
    cr_expect_eq(kit_conformance(&hd_validation_unit_getm, NULL, connect_ports, random_load), 0);
}

Test(validation_unit, conforms_when_short_of_everything)
{
    static const char *const parameters[] = {SMALL, "warp_bits=0", NULL};
    cr_expect_eq(kit_conformance(&hd_validation_unit_getm, parameters, connect_ports, random_load), 0);
}

/* With no core to tell: the unit rolls over by itself, and what is asked after that is of an old era. */
Test(validation_unit, conforms_when_it_rolls_over)
{
    static const char *const parameters[] = {SMALL,          "precise.eviction=late", "warp_bits=0",
                                             "clock_bits=8", "rollover_margin=100",   NULL};
    cr_expect_eq(kit_conformance(&hd_validation_unit_getm, parameters, connect_without_end, random_load), 0);
}
