/* SPDX-License-Identifier: MIT */
#include "bench.h"

static uint32_t answer_all(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    (void)context, (void)element;
    if (port == PORT_ACK)
        return 0;
    hd_packet *answer = kit_packet(kit, port == PORT_STORE ? HD_GLOBAL_STORE_ACK : HD_GETM_RELEASED, 0);
    answer->tag = packet->tag;
    kit_send(kit, port == PORT_STORE ? PORT_STORED : PORT_RELEASED, 0, answer,
             t + (port == PORT_STORE ? 30 : 5) * CYCLE);
    return 0;
}

static void connect_ports(kit_block *kit)
{
    for (uint32_t port = 0; port < PORT_COUNT; port++)
        kit_connect(kit, port, 0, 1 + port % 3, 2 + port % 2);
    kit_respond(kit, answer_all, NULL);
}

static void random_load(kit_block *kit, uint64_t seed)
{
    hd_time t = kit_now(kit);
    for (uint32_t i = 0; i < 300; i++) {
        const uint32_t count = 1 + (uint32_t)(kit_random(&seed) % 6), warp = (uint32_t)(kit_random(&seed) % 3);
        hd_packet *packet = kit_packet(kit, HD_GETM_LOG, count * (uint32_t)sizeof(hd_getm_region));
        hd_getm_region *regions = hd_body(packet);
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t is_clean = kit_random(&seed) % 3 == 0;
            regions[k] = (hd_getm_region){.address = 32 * (kit_random(&seed) % 5), .count = 1, .warp = warp};
            regions[k].byte_mask = is_clean ? 0 : (uint32_t)kit_random(&seed);
            packet->wire_bytes += hd_getm_region_wire_bytes(&regions[k]);
        }
        packet->source = CORE;
        packet->tag = i;
        packet->epoch = 1 + i / 50;
        packet->argument = count;
        t += kit_random(&seed) % 3 ? 0 : kit_random(&seed) % 20 * CYCLE;
        kit_send(kit, PORT_LOG, 0, packet, t);
    }
}

Test(commit_unit, conforms)
{
    static const char *const small[] = {"bytes=640 B", "bytes_per_cycle=5 B", "logs=4", NULL};
    cr_expect_eq(kit_conformance(&hd_commit_unit_getm, NULL, connect_ports, random_load), 0);
    cr_expect_eq(kit_conformance(&hd_commit_unit_getm, small, connect_ports, random_load), 0);
}
