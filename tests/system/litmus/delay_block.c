/* SPDX-License-Identifier: MIT */
/* The block that injects delays is itself a block like any other. */
#include "delay.h"

#include <criterion/criterion.h>

#include "kit.h"

#define MESSAGE "global.load/1"
enum { FLOWS = 6, PACKETS = 400 };

static void connect_ports(kit_block *kit)
{
    kit_connect(kit, DELAY_IN, 0, 2, 8);
    kit_connect(kit, DELAY_OUT, 0, 3, 4);
}

static void send_packet(kit_block *kit, uint32_t flow, uint64_t number, hd_time t)
{
    hd_packet *packet = kit_packet(kit, MESSAGE, 0);
    packet->destination = (uint16_t)(flow % 3);
    packet->unit = flow / 3;
    packet->tag = number;
    kit_send(kit, DELAY_IN, 0, packet, t);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    hd_time t = kit_now(kit);
    for (uint32_t i = 0; i < PACKETS; i++) {
        t += kit_random(&seed) % 4 ? 0 : kit_random(&seed) % 30000;
        send_packet(kit, (uint32_t)(kit_random(&seed) % FLOWS), i, t);
    }
}

Test(delay, conforms)
{
    cr_expect_eq(kit_conformance(&delay_random, NULL, connect_ports, random_load), 0);
    cr_expect_eq(kit_conformance(&delay_random, (const char *const[]){"most=7 cycles", "room=3", NULL}, connect_ports,
                                 random_load),
                 0);
}

static uint64_t order_of(uint64_t seed)
{
    kit_block *kit = kit_create(&delay_random, NULL);
    kit_seed(kit, seed);
    connect_ports(kit);
    random_load(kit, 1);
    kit_drain(kit, 10000000);
    uint64_t latest[FLOWS] = {0}, order = 0;
    uint32_t received = 0;
    for (hd_packet *packet; (packet = kit_receive(kit, DELAY_OUT, 0, 10000000)) != NULL; received++) {
        const uint32_t flow = packet->unit * 3 + packet->destination;
        cr_expect_geq(packet->tag + 1, latest[flow], "flow %u", flow);
        latest[flow] = packet->tag + 1;
        order = order * UINT64_C(0x100000001B3) + packet->tag;
        kit_free(kit, packet);
    }
    cr_expect_eq(received, PACKETS);
    cr_expect_gt(kit_statistic(kit, "overtaken"), PACKETS / 10);
    kit_destroy(kit);
    return order;
}

Test(delay, lets_flows_overtake_each_other_by_seed_and_keeps_each_in_order)
{
    cr_expect_eq(order_of(1), order_of(1));
    cr_expect_neq(order_of(1), order_of(2));
}
