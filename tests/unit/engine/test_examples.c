/* SPDX-License-Identifier: MIT */
/* The example blocks pass the conformance suite, or nobody could. */
#include <criterion/criterion.h>

#include "example_blocks.h"
#include "kit.h"

static void send_some(kit_block *kit, uint32_t port, uint64_t seed, uint32_t destinations)
{
    uint64_t state = seed;
    hd_time t = 0;
    for (uint32_t i = 0; i < 40; i++) {
        hd_packet *packet = kit_packet(kit, EXAMPLE_MESSAGE, 16);
        packet->tag = i;
        packet->destination = (uint16_t)(kit_random(&state) % destinations);
        t += kit_random(&state) % 4000;
        kit_send(kit, port, 0, packet, t);
    }
}

static void no_load(kit_block *kit, uint64_t seed)
{
    (void)kit;
    (void)seed;
}

static void sink_load(kit_block *kit, uint64_t seed)
{
    send_some(kit, EXAMPLE_SINK_IN, seed, 1);
}

static void forwarder_ports(kit_block *kit)
{
    kit_connect(kit, EXAMPLE_FORWARDER_IN, 0, 1, 2);
    for (uint32_t i = 0; i < 3; i++)
        kit_connect(kit, EXAMPLE_FORWARDER_OUT, i, 2, 1);
}

static void forwarder_load(kit_block *kit, uint64_t seed)
{
    send_some(kit, EXAMPLE_FORWARDER_IN, seed, 3);
}

static void delayer_load(kit_block *kit, uint64_t seed)
{
    send_some(kit, EXAMPLE_DELAYER_IN, seed, 1);
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
