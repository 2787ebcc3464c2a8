/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <stdlib.h>
#include <string.h>

static uint32_t operation_of(kit_block *kit, const hd_packet *packet)
{
    if (packet->message == kit_message(kit, HD_GLOBAL_LOAD))
        return OPERATION_LOAD;
    return packet->message == kit_message(kit, HD_GLOBAL_STORE) ? OPERATION_STORE : OPERATION_ATOMIC;
}

static void keep(rig *rig, const hd_packet *packet, uint32_t operation, hd_time t)
{
    cr_assert_lt(rig->count, REQUESTS_MAX);
    rig->requests[rig->count++] = (seen){.address = packet->address - HD_GLOBAL_BASE,
                                         .t = t,
                                         .bytes = packet->argument,
                                         .operation = operation,
                                         .partition = packet->destination - 1u};
}

static void store(rig *rig, const hd_packet *packet)
{
    const hd_store *masked = hd_body_const(packet);
    for (uint32_t i = 0; i < packet->argument; i++)
        if (masked->byte_mask[i / 32] >> (i % 32) & 1)
            rig->memory[packet->address - HD_GLOBAL_BASE + i] = hd_store_data_const(masked)[i];
}

static void load(rig *rig, const hd_packet *packet, hd_packet *reply)
{
    memcpy(hd_body(reply), rig->memory + (packet->address - HD_GLOBAL_BASE), packet->argument);
    if (rig->spoilt && !--rig->spoilt)
        ((uint8_t *)hd_body(reply))[packet->argument - 1] ^= 0x40;
}

static void add(rig *rig, const hd_packet *packet, hd_packet *reply)
{
    const hd_atomic_operation *operation = hd_body_const(packet);
    uint8_t *word = rig->memory + (packet->address - HD_GLOBAL_BASE) + operation->word * 4;
    hd_atomic_result result = {0};
    memcpy(&result.value, word, 4);
    const uint32_t sum = hd_atomic_apply(operation->operation, result.value, operation->operand, operation->compare);
    memcpy(word, &sum, 4);
    memcpy(hd_body(reply), &result, sizeof result);
}

static uint32_t respond(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    static const char *const replies[] = {HD_GLOBAL_LOAD_REPLY, HD_GLOBAL_STORE_ACK, HD_GLOBAL_ATOMIC_REPLY};
    rig *rig = context;
    (void)element;
    if (port != PORT_REQUEST)
        return 0;
    const uint32_t operation = operation_of(kit, packet);
    keep(rig, packet, operation, t);
    cr_expect_leq(packet->address % HD_LINE_BYTES + packet->argument, HD_LINE_BYTES, "a request leaves its line");
    cr_assert_leq(packet->address - HD_GLOBAL_BASE + packet->argument, MEMORY_BYTES);
    cr_expect_eq(packet->unit, HD_DESTINATION_L2_SLICE);
    cr_expect_eq(packet->destination, 1 + packet->address / 256 % PARTITIONS, "the wrong partition");
    const uint32_t bytes = operation == OPERATION_LOAD     ? packet->argument
                           : operation == OPERATION_ATOMIC ? (uint32_t)sizeof(hd_atomic_result)
                                                           : 0;
    hd_packet *reply = kit_packet(kit, replies[operation], bytes);
    reply->tag = packet->tag;
    reply->address = packet->address;
    reply->argument = packet->argument;
    if (operation == OPERATION_LOAD)
        load(rig, packet, reply);
    else if (operation == OPERATION_ATOMIC)
        add(rig, packet, reply);
    else if (rig->swaps)
        rig->swaps--;
    else
        store(rig, packet);
    kit_send(kit, PORT_REPLY, 0, reply, t + MEMORY * CYCLE);
    return 0;
}

rig *rig_open(const char *const *parameters, uint32_t index, uint32_t count, uint32_t credits)
{
    rig *rig = calloc(1, sizeof *rig);
    cr_assert(rig);
    rig->kit = kit_create(&hd_simt_core_traffic, parameters);
    kit_name(rig->kit, "core", index, count);
    kit_address_map(rig->kit, PARTITIONS, 256, NULL);
    for (uint32_t port = 0; port < PORT_COUNT; port++)
        kit_connect(rig->kit, port, 0, LINK, credits);
    kit_respond(rig->kit, respond, rig);
    return rig;
}

void rig_close(rig *rig)
{
    kit_destroy(rig->kit);
    free(rig);
}

uint64_t rig_statistic(const rig *rig, const char *name)
{
    return kit_statistic(rig->kit, name);
}
