/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include "hd_memory.h"

#include <stdlib.h>

struct memory *make_memory(void)
{
    struct memory *memory = calloc(1, sizeof *memory);
    memory->delay = MEMORY_DELAY;
    for (uint32_t i = 0; i < MEMORY_BYTES; i++)
        memory->bytes[i] = (uint8_t)(i * 7 + i / 256);
    return memory;
}

void write_enabled(uint8_t *to, const hd_packet *write)
{
    const uint8_t *data = hd_body_const(write), *enables = data + write->argument;
    cr_assert_eq(hd_memory_check_enables(write), HD_STATUS_OK);
    for (uint32_t i = 0; i < write->argument; i++)
        if (write->body_bytes == write->argument || enables[i])
            to[i] = data[i];
}

static uint32_t answer(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    struct memory *memory = context;
    if (port != MEMORY || memory->keep_requests)
        return 0;
    cr_assert_leq(packet->address % LINE + packet->argument, LINE);
    cr_assert_leq(packet->address + packet->argument, MEMORY_BYTES);
    const uint32_t is_read = packet->message == kit_message(kit, HD_MEMORY_READ);
    hd_packet *response = kit_packet(kit, HD_MEMORY_RESPONSE, is_read ? packet->argument : 0);
    response->tag = packet->tag;
    response->address = packet->address;
    if (is_read) {
        memory->reads++;
        memcpy(hd_body(response), &memory->bytes[packet->address], packet->argument);
    } else {
        memory->writes++;
        write_enabled(&memory->bytes[packet->address], packet);
    }
    kit_free(kit, packet);
    kit_send(kit, MEMORY, element, response, t + (uint64_t)memory->delay * CYCLE);
    return 1;
}

kit_block *make(struct memory *memory, const char *const *parameters, uint32_t ports)
{
    return make_type(&hd_l2_slice_write_back, memory, parameters, ports);
}

kit_block *make_type(const hd_block_class *type, struct memory *memory, const char *const *parameters, uint32_t ports)
{
    static const uint32_t endpoints[] = {0};
    const char *all[16] = {"latency=10 cycles"};
    for (uint32_t i = 0; parameters && parameters[i]; i++)
        all[i + 1] = parameters[i];
    kit_block *kit = kit_create(type, all);
    kit_address_map(kit, 1, 256, endpoints);
    for (uint32_t i = 0; i < ports; i++)
        kit_connect(kit, REQUEST, i, LINK, 64);
    kit_connect(kit, REPLY, 0, LINK, 64);
    kit_connect(kit, MEMORY, 0, LINK, 64);
    if (memory)
        kit_respond(kit, answer, memory);
    return kit;
}

static hd_packet *request(kit_block *kit, const char *message, uint64_t address, uint32_t argument, uint64_t tag,
                          uint32_t body_bytes)
{
    hd_packet *packet = kit_packet(kit, message, body_bytes);
    packet->address = address;
    packet->argument = argument;
    packet->tag = tag;
    packet->source = 9;
    packet->flow = 3;
    packet->traffic_class = HD_CLASS_GLOBAL;
    return packet;
}

void load(kit_block *kit, uint32_t port, uint64_t address, uint32_t bytes, uint64_t tag, hd_time t)
{
    kit_send(kit, REQUEST, port, request(kit, HD_GLOBAL_LOAD, address, bytes, tag, 0), t);
}

void store(kit_block *kit, uint32_t port, uint64_t address, uint32_t bytes, uint32_t mask, uint8_t value, uint64_t tag,
           hd_time t)
{
    const uint32_t body_bytes = (uint32_t)sizeof(hd_store) + bytes;
    hd_packet *packet = request(kit, HD_GLOBAL_STORE, address, bytes, tag, body_bytes);
    hd_store *body = hd_body(packet);
    for (uint32_t i = 0; i < bytes; i++)
        body->byte_mask[i / 32] |= mask & UINT32_C(1) << i % 32;
    memset(hd_store_data(body), value, bytes);
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + bytes;
    kit_send(kit, REQUEST, port, packet, t);
}

void atomic(kit_block *kit, uint32_t port, uint64_t address, const hd_atomic_operation *operations, uint32_t count,
            uint64_t tag, hd_time t)
{
    const uint32_t bytes = count * (uint32_t)sizeof *operations;
    hd_packet *packet = request(kit, HD_GLOBAL_ATOMIC, address, count, tag, bytes);
    memcpy(hd_body(packet), operations, bytes);
    packet->traffic_class = HD_CLASS_ATOMIC;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + 4 * count;
    kit_send(kit, REQUEST, port, packet, t);
}

hd_packet *next_reply(kit_block *kit)
{
    for (uint32_t i = 0; i < 1000 && !kit_waiting(kit, REPLY, 0); i++)
        kit_run_until(kit, kit_now(kit) + CYCLE);
    hd_packet *packet = kit_receive(kit, REPLY, 0, kit_now(kit));
    cr_assert_not_null(packet);
    return packet;
}

hd_atomic_result atomic_now(kit_block *kit, uint64_t address, uint32_t operation, uint32_t operand, uint64_t compare)
{
    const hd_atomic_operation one = {
        .operation = (uint8_t)operation, .word = (uint8_t)(address % LINE / 4), .operand = operand, .compare = compare};
    atomic(kit, 0, address - address % LINE, &one, 1, 99, kit_now(kit));
    hd_packet *reply = next_reply(kit);
    cr_assert_eq(reply->tag, 99);
    hd_atomic_result result;
    memcpy(&result, hd_body(reply), sizeof result);
    kit_free(kit, reply);
    return result;
}

void store_now(kit_block *kit, uint64_t address, uint32_t bytes, uint32_t mask, uint8_t value)
{
    store(kit, 0, address, bytes, mask, value, 98, kit_now(kit));
    hd_packet *reply = next_reply(kit);
    cr_assert_eq(reply->tag, 98);
    kit_free(kit, reply);
}

uint32_t load_now(kit_block *kit, uint64_t address)
{
    load(kit, 0, address, 4, 97, kit_now(kit));
    hd_packet *reply = next_reply(kit);
    cr_assert_eq(reply->tag, 97);
    uint32_t word;
    memcpy(&word, hd_body(reply), sizeof word);
    kit_free(kit, reply);
    return word;
}

uint64_t sent_at(kit_block *kit, uint32_t port, uint32_t i)
{
    uint32_t count;
    const kit_event *events = kit_trace(kit, &count);
    for (uint32_t k = 0; k < count; k++) {
        if (events[k].port == port && i-- == 0)
            return events[k].t / CYCLE;
    }
    cr_assert_fail("nothing sent");
    return 0;
}
