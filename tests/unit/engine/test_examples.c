/* SPDX-License-Identifier: MIT */
/* The example blocks pass the conformance suite, or nobody could. */
#include <criterion/criterion.h>
#include <string.h>

#include "example_blocks.h"
#include "kit.h"

static void send_some(kit_block *kit, uint32_t port, uint32_t element, uint64_t seed, uint32_t destinations)
{
    uint64_t state = seed;
    hd_time t = 0;
    for (uint32_t i = 0; i < 40; i++) {
        hd_packet *packet = kit_packet(kit, EXAMPLE_MESSAGE, 16);
        packet->tag = i;
        packet->destination = (uint16_t)(kit_random(&state) % destinations);
        t += kit_random(&state) % 4000;
        kit_send(kit, port, element, packet, t);
    }
}

static void no_load(kit_block *kit, uint64_t seed)
{
    (void)kit;
    (void)seed;
}

static void sink_load(kit_block *kit, uint64_t seed)
{
    send_some(kit, EXAMPLE_SINK_IN, 0, seed, 1);
}

static void forwarder_ports(kit_block *kit)
{
    for (uint32_t i = 0; i < 3; i++)
        kit_connect_ps(kit, EXAMPLE_FORWARDER_IN, i, 1000, 700 + 900 * i, 1 + i);
    for (uint32_t i = 0; i < 3; i++)
        kit_connect(kit, EXAMPLE_FORWARDER_OUT, i, 2, 1);
}

static void forwarder_load(kit_block *kit, uint64_t seed)
{
    for (uint32_t i = 0; i < 3; i++)
        send_some(kit, EXAMPLE_FORWARDER_IN, i, seed + 10 * i, 3);
}

static void delayer_load(kit_block *kit, uint64_t seed)
{
    send_some(kit, EXAMPLE_DELAYER_IN, 0, seed, 1);
}

Test(examples, the_source_conforms)
{
    cr_expect_eq(kit_conformance(&example_source, (const char *[]){"packets=50", "gap=7 cycles", NULL}, NULL, no_load),
                 0);
}

Test(examples, the_sink_conforms)
{
    cr_expect_eq(kit_conformance(&example_sink, (const char *[]){"interval=3 cycles", NULL}, NULL, sink_load), 0);
}

Test(examples, the_forwarder_conforms)
{
    cr_expect_eq(kit_conformance(&example_forwarder, NULL, forwarder_ports, forwarder_load), 0);
}

Test(examples, the_delayer_conforms)
{
    cr_expect_eq(kit_conformance(&example_delayer, NULL, NULL, delayer_load), 0);
}

static void memory_load(kit_block *kit, uint64_t seed)
{
    uint64_t state = seed;
    hd_time t = 0;
    for (uint32_t i = 0; i < 40; i++) {
        const uint64_t random = kit_random(&state);
        const uint32_t writes = random % 2;
        hd_packet *packet = kit_packet(kit, writes ? HD_MEMORY_WRITE : HD_MEMORY_READ, writes ? 8 : 0);
        packet->address = random / 2 % 8 * 8;
        packet->argument = 8;
        packet->tag = i;
        memcpy(hd_body(packet), &random, packet->body_bytes);
        t += random / 16 % 9000;
        kit_send(kit, EXAMPLE_MEMORY_HOST, 0, packet, t);
    }
}

Test(examples, the_memory_conforms)
{
    cr_expect_eq(kit_conformance(&example_memory, NULL, NULL, memory_load), 0);
}

/* Answers what the requester itself has put into the tag: what a read has to give. */
static uint32_t answer(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    const uint32_t reads = packet->message == kit_message(kit, HD_MEMORY_READ);
    hd_packet *response = kit_packet(kit, HD_MEMORY_RESPONSE, reads ? 8 : 0);
    (void)context;
    response->tag = packet->tag;
    memcpy(hd_body(response), &packet->tag, response->body_bytes);
    kit_send(kit, port, element, response, t + 2500);
    kit_free(kit, packet);
    return 1;
}

static void requester_ports(kit_block *kit)
{
    kit_other_clock(kit, 924000000);
    kit_connect(kit, EXAMPLE_REQUESTER_MEMORY, 0, 2, 2);
    kit_respond(kit, answer, NULL);
}

Test(examples, the_requester_conforms)
{
    cr_expect_eq(kit_conformance(&example_requester, NULL, requester_ports, no_load), 0);
}
