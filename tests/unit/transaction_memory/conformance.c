/* SPDX-License-Identifier: MIT */
#include "bench.h"

static uint32_t answer_stores(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet,
                              hd_time t)
{
    (void)context;
    if (port != STORE)
        return 0;
    hd_packet *answer = kit_packet(kit, HD_GLOBAL_STORE_ACK, 0);
    answer->tag = packet->tag;
    kit_send(kit, STORED, element, answer, t + 30 * CYCLE);
    return 0;
}

static void connect_ports(kit_block *kit)
{
    for (uint32_t core = 0; core < CORES; core++) {
        kit_connect(kit, REQUEST, core, 1 + core % 2, 2 + core);
        kit_connect(kit, REPLY, core, 1 + core, 1 + core);
        kit_route(kit, REPLY, FIRST_CORE + core, core);
    }
    for (uint32_t partition = 0; partition < PARTITIONS; partition++) {
        kit_connect(kit, STORE, partition, 1 + partition, 1 + 2 * partition);
        kit_connect(kit, STORED, partition, 1, 2);
        kit_route(kit, STORE, 1 + partition, partition);
    }
    kit_respond(kit, answer_stores, NULL);
}

static hd_packet *random_read(kit_block *kit, uint64_t *seed)
{
    hd_packet *packet = kit_packet(kit, HD_IDEAL_READ, sizeof(hd_ideal_read));
    hd_ideal_read *body = hd_body(packet);
    body->lanes = kit_random(seed);
    for (uint32_t lane = 0; lane < HD_IDEAL_LANES; lane++)
        body->word[lane] = (uint8_t)(kit_random(seed) % 32);
    packet->address = 128 * (kit_random(seed) % 6);
    return packet;
}

static hd_packet *random_commit(kit_block *kit, uint64_t *seed)
{
    const uint32_t count = (uint32_t)(kit_random(seed) % 9);
    hd_packet *packet =
        kit_packet(kit, HD_IDEAL_COMMIT, (uint32_t)(sizeof(hd_ideal_commit) + count * sizeof(hd_ideal_write)));
    hd_ideal_commit *body = hd_body(packet);
    hd_ideal_write *writes = (hd_ideal_write *)(body + 1);
    *body = (hd_ideal_commit){.lanes = kit_random(seed), .is_last = 1};
    for (uint32_t i = 0; i < count; i++)
        writes[i] = (hd_ideal_write){.address = 4 * (kit_random(seed) % 192),
                                     .value = (uint32_t)kit_random(seed),
                                     .byte_mask = (uint8_t)(1 + kit_random(seed) % 15),
                                     .lane = (uint8_t)(7 * i)};
    packet->argument = count;
    return packet;
}

static void random_load(kit_block *kit, uint64_t seed)
{
    hd_time t = kit_now(kit);
    for (uint32_t i = 0; i < 400; i++) {
        hd_packet *packet = kit_random(&seed) % 3 ? random_read(kit, &seed) : random_commit(kit, &seed);
        const uint32_t warp = (uint32_t)(kit_random(&seed) % 9);
        packet->source = (uint16_t)(FIRST_CORE + warp % CORES);
        packet->flow = warp;
        packet->epoch = 1 + i / 50;
        packet->tag = i;
        t += kit_random(&seed) % 3 ? 0 : kit_random(&seed) % 20 * CYCLE;
        kit_send(kit, REQUEST, warp % CORES, packet, t);
    }
}

Test(transaction_memory, conforms, .timeout = 60)
{
    static const char *const small[] = {"warps=9", "readers=2000", "words=192", "stores=4000", "commit_words=8", NULL};
    cr_expect_eq(kit_conformance(&hd_transaction_memory_ideal, NULL, connect_ports, random_load), 0);
    cr_expect_eq(kit_conformance(&hd_transaction_memory_ideal, small, connect_ports, random_load), 0);
}
