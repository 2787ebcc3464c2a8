/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <string.h>

/* No memory behind it, so that any number of instances may be under test: bytes of the address. */
static uint32_t respond(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    (void)context;
    (void)element;
    if (port != PORT_REQUEST)
        return 0;
    const uint32_t is_load = packet->message == kit_message(kit, HD_GLOBAL_LOAD);
    hd_packet *reply =
        kit_packet(kit, is_load ? HD_GLOBAL_LOAD_REPLY : HD_GLOBAL_STORE_ACK, is_load ? packet->argument : 0);
    reply->tag = packet->tag;
    reply->address = packet->address;
    reply->argument = packet->argument;
    memset(hd_body(reply), (int)(packet->address >> 7), reply->body_bytes);
    kit_send(kit, PORT_REPLY, 0, reply, t + kit_cycles(kit, 13));
    return 0;
}

static void connect_ports(kit_block *kit)
{
    kit_connect(kit, PORT_MEMORY, 0, 3, 2);
    kit_connect(kit, PORT_REQUEST, 0, 2, 3);
    kit_connect(kit, PORT_REPLY, 0, 1, 4);
    kit_respond(kit, respond, NULL);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    hd_time t = 0;
    for (uint32_t i = 0; i < 80; i++) {
        const uint32_t is_read = kit_random(&seed) % 2 == 0;
        const uint32_t bytes = 1 + (uint32_t)(kit_random(&seed) % 512);
        const uint32_t masked = !is_read && kit_random(&seed) % 4 == 0;
        hd_packet *packet =
            kit_packet(kit, is_read ? HD_MEMORY_READ : HD_MEMORY_WRITE, is_read ? 0 : bytes * (masked ? 2 : 1));
        packet->address = HD_GLOBAL_BASE - (kit_random(&seed) % 16 == 0) + kit_random(&seed) % 0x4000;
        packet->argument = bytes;
        packet->tag = i;
        for (uint32_t b = bytes; b < packet->body_bytes; b++)
            ((uint8_t *)hd_body(packet))[b] = kit_random(&seed) % 2 ? 0xFF : 0;
        t += kit_random(&seed) % 2 ? 0 : kit_random(&seed) % 30000;
        kit_send(kit, PORT_MEMORY, 0, packet, t);
    }
}

Test(network_bridge, conforms, .timeout = 120)
{
    cr_expect_eq(kit_conformance(&hd_network_bridge_lines, NULL, connect_ports, random_load), 0);
    cr_expect_eq(
        kit_conformance(&hd_network_bridge_lines, (const char *[]){"requests=1", NULL}, connect_ports, random_load), 0);
}
