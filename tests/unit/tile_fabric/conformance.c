/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <string.h>

/* No memory behind it, so that any number of instances may be under test: bytes of the address. */
static uint32_t respond(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    (void)context, (void)element;
    if (port != TILE_FABRIC_MEMORY)
        return 0;
    const uint32_t is_load = packet->message == kit_message(kit, HD_GLOBAL_LOAD);
    const uint32_t is_atomic = packet->message == kit_message(kit, HD_GLOBAL_ATOMIC);
    const uint32_t bytes = is_load     ? packet->argument
                           : is_atomic ? packet->argument * (uint32_t)sizeof(hd_atomic_result)
                                       : 0;
    hd_packet *reply = kit_packet(kit,
                                  is_load     ? HD_GLOBAL_LOAD_REPLY
                                  : is_atomic ? HD_GLOBAL_ATOMIC_REPLY
                                              : HD_GLOBAL_STORE_ACK,
                                  bytes);
    reply->tag = packet->tag;
    reply->address = packet->address;
    reply->argument = packet->argument;
    memset(hd_body(reply), (int)(packet->address >> 6), bytes);
    kit_send(kit, TILE_FABRIC_FILL, 0, reply, t + kit_cycles(kit, 13));
    return 0;
}

static void connect_ports(kit_block *kit)
{
    for (uint32_t p = 0; p < TILES * PES; p++) {
        kit_connect(kit, TILE_FABRIC_REQUEST, p, 1 + p % 3, 2 + p % 4);
        kit_connect(kit, TILE_FABRIC_REPLY, p, 1 + p % 2, 1 + p % 5);
    }
    for (uint32_t b = 0; b < 2; b++)
        kit_connect(kit, TILE_FABRIC_MEMORY, b, 2, 3);
    kit_connect(kit, TILE_FABRIC_FILL, 0, 2, 64);
    kit_respond(kit, respond, NULL);
}

static hd_packet *store(kit_block *kit, uint64_t address, uint32_t value)
{
    hd_packet *packet = kit_packet(kit, HD_GLOBAL_STORE, sizeof(hd_store) + 4);
    hd_store *body = hd_body(packet);
    packet->address = address;
    packet->argument = 4;
    body->byte_mask[0] = 0xF;
    memcpy(hd_store_data(body), &value, 4);
    return packet;
}

static hd_packet *load(kit_block *kit, uint64_t address)
{
    hd_packet *packet = kit_packet(kit, HD_GLOBAL_LOAD, 0);
    packet->address = address & ~UINT64_C(31);
    packet->argument = 32;
    return packet;
}

static hd_packet *atomic(kit_block *kit, uint64_t address)
{
    hd_packet *packet = kit_packet(kit, HD_GLOBAL_ATOMIC, sizeof(hd_atomic_operation));
    packet->address = address & ~UINT64_C(127);
    packet->argument = 1;
    *(hd_atomic_operation *)hd_body(packet) = (hd_atomic_operation){.word = (uint8_t)(address / 4 % 32), .operand = 7};
    return packet;
}

/* Settings that let every PE go on. */
static hd_packet *set(kit_block *kit, uint64_t *seed)
{
    switch (kit_random(seed) % 4) {
    case 0: return store(kit, REGISTER(HD_TILE_BANK_MODE + kit_random(seed) % BANKS), kit_random(seed) % 2);
    case 1: return store(kit, REGISTER(HD_TILE_MAP + kit_random(seed) % PES), kit_random(seed) % 16);
    case 2: return store(kit, REGISTER(HD_TILE_SECOND_LEVEL), 1 + kit_random(seed) % 3);
    default: return store(kit, REGISTER(HD_TILE_BANK_SCOPE + kit_random(seed) % BANKS), kit_random(seed) % 16);
    }
}

static hd_packet *request(kit_block *kit, uint64_t *seed)
{
    static const uint32_t actions[] = {HD_TILE_COMMIT,           HD_TILE_FLUSH,         HD_TILE_WRITE_BACK,
                                       HD_TILE_INVALIDATE,       HD_TILE_ITEM,          HD_TILE_MACHINE_ITEM,
                                       HD_TILE_SCRATCHPAD_BYTES, HD_TILE_COMMIT_FLUSHED};
    const uint64_t address = AT(kit_random(seed) % 4096 & ~UINT64_C(3));
    const uint64_t choice = kit_random(seed) % 100;
    if (choice < 45)
        return load(kit, address);
    if (choice < 80)
        return store(kit, address, (uint32_t)kit_random(seed));
    if (choice < 86)
        return atomic(kit, address);
    if (choice < 90)
        return load(kit, HD_TILE_SCRATCHPAD + address % 2048);
    if (choice < 95)
        return set(kit, seed);
    return load(kit, REGISTER(actions[kit_random(seed) % (sizeof actions / sizeof *actions)]));
}

static void random_load(kit_block *kit, uint64_t seed)
{
    hd_time t = 0;
    for (uint32_t i = 0; i < 400; i++) {
        hd_packet *packet = request(kit, &seed);
        const uint32_t pe = (uint32_t)(kit_random(&seed) % (TILES * PES));
        packet->tag = i;
        packet->source = (uint16_t)(10 + pe);
        packet->traffic_class = kit_random(&seed) % 10 ? HD_CLASS_GLOBAL : HD_CLASS_PRIVATE;
        t += kit_random(&seed) % 3 ? 0 : kit_random(&seed) % 6000;
        kit_send(kit, TILE_FABRIC_REQUEST, pe, packet, t);
    }
}

Test(tile_fabric, conforms, .timeout = 240)
{
    static const char *const wide[] = {"tiles=2",    "pes=4",          "l0.banks=4",        "l0.bytes=4 KiB",
                                       "l1.banks=2", "l1.bytes=1 KiB", "stale_reads=count", NULL};
    static const char *const narrow[] = {"tiles=2",           "pes=4",      "l0.banks=4",        "l0.bytes=1 KiB",
                                         "l0.mshrs=1",        "l1.banks=2", "l1.bytes=128 B",    "l1.mshrs=1",
                                         "l0.mshr_targets=1", "l1.ports=1", "stale_reads=fault", NULL};
    static const char *const through[] = {"tiles=2",          "pes=4", "l0.banks=4", "l0.bytes=4 KiB", "l1.banks=2",
                                          "l0.write=through", NULL};
    cr_expect_eq(kit_conformance(&hd_tile_fabric_reconfigurable, wide, connect_ports, random_load), 0);
    cr_expect_eq(kit_conformance(&hd_tile_fabric_reconfigurable, through, connect_ports, random_load), 0);
    cr_expect_eq(kit_conformance(&hd_tile_fabric_reconfigurable, narrow, connect_ports, random_load), 0);
}
