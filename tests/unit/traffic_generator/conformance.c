/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <string.h>

/* No memory behind it, so that any number of instances may be under test: nothing was ever written. */
static uint32_t respond(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    static const char *const replies[][2] = {{HD_GLOBAL_LOAD, HD_GLOBAL_LOAD_REPLY},
                                             {HD_GLOBAL_STORE, HD_GLOBAL_STORE_ACK},
                                             {HD_GLOBAL_ATOMIC, HD_GLOBAL_ATOMIC_REPLY}};
    (void)context;
    (void)element;
    if (port != PORT_REQUEST)
        return 0;
    uint32_t i = 0;
    while (packet->message != kit_message(kit, replies[i][0]))
        i++;
    hd_packet *reply = kit_packet(kit, replies[i][1],
                                  i == 0   ? packet->argument
                                  : i == 2 ? (uint32_t)sizeof(hd_atomic_result)
                                           : 0);
    reply->tag = packet->tag;
    reply->argument = packet->argument;
    kit_send(kit, PORT_REPLY, 0, reply, t + kit_cycles(kit, 7));
    return 0;
}

static void connect_ports(kit_block *kit)
{
    kit_connect(kit, PORT_REQUEST, 0, 2, 3);
    kit_connect(kit, PORT_REPLY, 0, 1, 4);
    kit_connect(kit, PORT_DISPATCH, 0, 1, 4);
    kit_connect(kit, PORT_EVENT, 0, 1, 1);
    kit_respond(kit, respond, NULL);
}

/* It needs none, but some time. */
static void no_load(kit_block *kit, uint64_t seed)
{
    kit_run_until(kit, kit_edge(kit, 100 + seed % 100));
}

#define EXPECT_CONFORMS(...)                                                                                           \
    cr_expect_eq(kit_conformance(&hd_simt_core_traffic,                                                                \
                                 (const char *[]){"duration=900 cycles", "region=shared", __VA_ARGS__, NULL},          \
                                 connect_ports, no_load),                                                              \
                 0)

Test(traffic_generator, conforms, .timeout = 120)
{
    EXPECT_CONFORMS("writes=40", "atomics=20");
    EXPECT_CONFORMS("rate=300", "writes=40");
    EXPECT_CONFORMS("rate=900", "outstanding=2", "warm_up=100 cycles", "pattern=random");
    EXPECT_CONFORMS("rate=70", "arrivals=periodic", "pattern=hot_spot", "bytes=16 B");
    EXPECT_CONFORMS("outstanding=1", "pattern=stride");
}
