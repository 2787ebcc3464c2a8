/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <string.h>

#define LIMIT (UINT64_C(1000000) * CYCLE)

static void carry_out_store(rig *rig, const hd_packet *packet)
{
    const hd_store *store = hd_body_const(packet);
    rig->stores++;
    for (uint32_t i = 0; i < packet->argument; i++)
        if (store->byte_mask[i / 32] >> i % 32 & 1)
            rig->memory[packet->address - HD_GLOBAL_BASE + i] = hd_store_data_const(store)[i];
}

static void carry_out_atomics(rig *rig, const hd_packet *packet, hd_atomic_result *results)
{
    const hd_atomic_operation *operations = hd_body_const(packet);
    rig->atomics++;
    for (uint32_t i = 0; i < packet->argument; i++) {
        const uint32_t offset = (uint32_t)(packet->address - HD_GLOBAL_BASE) + operations[i].word * 4;
        results[i] = (hd_atomic_result){.value = rig_memory(rig, offset)};
        rig_put(
            rig, offset,
            hd_atomic_apply(operations[i].operation, results[i].value, operations[i].operand, operations[i].compare));
    }
}

static uint32_t respond(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    rig *rig = context;
    hd_packet *reply;
    (void)element;
    if (port != TILE_FABRIC_MEMORY)
        return 0;
    if (packet->message == kit_message(kit, HD_GLOBAL_LOAD)) {
        reply = kit_packet(kit, HD_GLOBAL_LOAD_REPLY, packet->argument);
        memcpy(hd_body(reply), rig->memory + (packet->address - HD_GLOBAL_BASE), packet->argument);
        rig->loads++;
    } else if (packet->message == kit_message(kit, HD_GLOBAL_STORE)) {
        reply = kit_packet(kit, HD_GLOBAL_STORE_ACK, 0);
        carry_out_store(rig, packet);
    } else {
        reply = kit_packet(kit, HD_GLOBAL_ATOMIC_REPLY, packet->argument * (uint32_t)sizeof(hd_atomic_result));
        carry_out_atomics(rig, packet, hd_body(reply));
    }
    reply->tag = packet->tag;
    reply->address = packet->address;
    reply->argument = packet->argument;
    kit_send(kit, TILE_FABRIC_FILL, 0, reply, t + MEMORY * CYCLE);
    return 1 + 0 * (uint32_t)(kit_free(kit, packet), 0);
}

void rig_open(rig *rig, const char *const *extra)
{
    const char *parameters[16] = {"tiles=2",    "pes=4",      "l0.banks=4",    "l0.bytes=4 KiB",
                                  "l0.mshrs=8", "l1.banks=2", "l1.bytes=1 KiB"};
    uint32_t count = 7;
    memset(rig, 0, sizeof *rig);
    for (; extra && *extra; extra++)
        parameters[count++] = *extra;
    rig->kit = kit_create(&hd_tile_fabric_reconfigurable, parameters);
    for (uint32_t p = 0; p < TILES * PES; p++) {
        kit_connect(rig->kit, TILE_FABRIC_REQUEST, p, LINK, 8);
        kit_connect(rig->kit, TILE_FABRIC_REPLY, p, LINK, 8);
    }
    kit_connect(rig->kit, TILE_FABRIC_MEMORY, 0, LINK, 8);
    kit_connect(rig->kit, TILE_FABRIC_MEMORY, 1, LINK, 8);
    kit_connect(rig->kit, TILE_FABRIC_FILL, 0, LINK, 64);
    kit_respond(rig->kit, respond, rig);
    for (uint32_t i = 0; i < MEMORY_BYTES; i += 4)
        rig_put(rig, i, 1000000 + i);
}

void rig_close(rig *rig)
{
    kit_destroy(rig->kit);
}

uint32_t rig_memory(const rig *rig, uint32_t offset)
{
    uint32_t word;
    memcpy(&word, rig->memory + offset, 4);
    return word;
}

void rig_put(rig *rig, uint32_t offset, uint32_t value)
{
    memcpy(rig->memory + offset, &value, 4);
}

/* As a core does: the sector with the word. The tag is the place of the word in it. */
void rig_ask_load(rig *rig, uint32_t pe, uint64_t address, hd_time t)
{
    hd_packet *packet = kit_packet(rig->kit, HD_GLOBAL_LOAD, 0);
    packet->traffic_class = HD_CLASS_GLOBAL;
    packet->address = address & ~UINT64_C(31);
    packet->argument = 32;
    packet->tag = address % 32;
    packet->source = (uint16_t)(10 + pe);
    kit_send(rig->kit, TILE_FABRIC_REQUEST, pe, packet, t);
}

void rig_ask_store(rig *rig, uint32_t pe, uint64_t address, uint32_t value, hd_time t)
{
    hd_packet *packet = kit_packet(rig->kit, HD_GLOBAL_STORE, sizeof(hd_store) + 4);
    hd_store *store = hd_body(packet);
    packet->traffic_class = HD_CLASS_GLOBAL;
    packet->address = address;
    packet->argument = 4;
    store->byte_mask[0] = 0xF;
    memcpy(hd_store_data(store), &value, 4);
    kit_send(rig->kit, TILE_FABRIC_REQUEST, pe, packet, t);
}

static void read_mistake(rig *rig, const hd_packet *reply)
{
    hd_mistake mistake;
    memcpy(&mistake, (const uint8_t *)hd_body_const(reply) + reply->body_bytes - sizeof mistake, sizeof mistake);
    memcpy(rig->mistake, mistake.what, sizeof rig->mistake);
    for (uint32_t i = 0; i < 32; i++)
        rig->wrong[i] = mistake.byte_mask[0] >> i & 1;
}

uint32_t rig_take(rig *rig, uint32_t pe, hd_time t, uint32_t *word)
{
    hd_packet *reply = kit_receive(rig->kit, TILE_FABRIC_REPLY, pe, t);
    if (!reply)
        return 0;
    rig->answered = kit_received_at(rig->kit);
    rig->mistake[0] = '\0';
    if (reply->message == kit_message(rig->kit, HD_GLOBAL_MISTAKE))
        read_mistake(rig, reply);
    if (reply->argument && reply->body_bytes)
        memcpy(word, (const uint8_t *)hd_body_const(reply) + reply->tag, 4);
    kit_free(rig->kit, reply);
    return 1;
}

static uint32_t finish(rig *rig, uint32_t pe)
{
    uint32_t word = 0;
    kit_drain(rig->kit, kit_now(rig->kit) + LIMIT);
    cr_assert(rig_take(rig, pe, kit_now(rig->kit), &word), "PE %u gets no answer", pe);
    return word;
}

uint32_t rig_load(rig *rig, uint32_t pe, uint64_t address)
{
    rig_ask_load(rig, pe, address, kit_now(rig->kit));
    return finish(rig, pe);
}

void rig_store(rig *rig, uint32_t pe, uint64_t address, uint32_t value)
{
    rig_ask_store(rig, pe, address, value, kit_now(rig->kit));
    finish(rig, pe);
}

uint32_t rig_add(rig *rig, uint32_t pe, uint64_t address, uint32_t value)
{
    hd_packet *packet = kit_packet(rig->kit, HD_GLOBAL_ATOMIC, sizeof(hd_atomic_operation));
    hd_atomic_operation *operation = hd_body(packet);
    packet->traffic_class = HD_CLASS_ATOMIC;
    packet->address = address & ~UINT64_C(127);
    packet->argument = 1;
    *operation = (hd_atomic_operation){
        .operation = HD_ATOMIC_ADD, .word = (uint8_t)(address % HD_LINE_BYTES / 4), .operand = value};
    kit_send(rig->kit, TILE_FABRIC_REQUEST, pe, packet, kit_now(rig->kit));
    return finish(rig, pe);
}

uint32_t rig_register(rig *rig, uint32_t pe, uint32_t number)
{
    return rig_load(rig, pe, REGISTER(number));
}

void rig_set(rig *rig, uint32_t pe, uint32_t number, uint32_t value)
{
    rig_store(rig, pe, REGISTER(number), value);
}
