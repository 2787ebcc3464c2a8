/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <string.h>

static uint64_t base_of(uint32_t port)
{
    return port == PORT_HOST ? RIG_HOST : RIG_DEVICE;
}

static hd_time answer_time(rig *rig, rig_memory *memory, hd_time t)
{
    const uint64_t jitter = memory->jitter ? kit_random(&rig->random) % (memory->jitter + 1) : 0;
    t += kit_cycles(rig->kit, memory->latency + jitter);
    memory->answered = t > memory->answered ? t : memory->answered;
    return memory->answered;
}

static void carry_out(rig_memory *memory, const hd_packet *packet, hd_packet *answer, uint64_t offset,
                      uint32_t is_write)
{
    const uint64_t bytes = packet->argument;
    if (bytes > memory->longest)
        memory->longest = (uint32_t)bytes;
    memory->reads += !is_write;
    memory->writes += is_write;
    if (is_write)
        memcpy(memory->bytes + offset, hd_body_const(packet), bytes);
    else
        memcpy(hd_body(answer), memory->bytes + offset, bytes);
}

static uint32_t respond(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    rig *rig = context;
    (void)element;
    if (port != PORT_HOST && port != PORT_DEVICE)
        return 0;
    rig_memory *memory = port == PORT_HOST ? &rig->host : &rig->device;
    const uint32_t is_write = packet->message == kit_message(kit, HD_MEMORY_WRITE);
    const uint64_t offset = packet->address - base_of(port);
    const uint32_t fits = offset < MEMORY_BYTES && packet->argument <= MEMORY_BYTES - offset;
    cr_expect_eq(packet->body_bytes, is_write ? packet->argument : 0);
    cr_expect_eq(packet->wire_bytes, HD_HEADER_WIRE_BYTES + packet->body_bytes);
    if (rig->boundary && port == PORT_DEVICE)
        memory->unevenly += packet->address / rig->boundary != (packet->address + packet->argument - 1) / rig->boundary;
    hd_packet *answer = kit_packet(kit, HD_MEMORY_RESPONSE, fits && !is_write ? packet->argument : 0);
    answer->tag = packet->tag;
    answer->argument = fits ? HD_STATUS_OK : HD_STATUS_ADDRESS_ERROR;
    answer->wire_bytes = HD_HEADER_WIRE_BYTES + answer->body_bytes;
    if (fits)
        carry_out(memory, packet, answer, offset, is_write);
    kit_send(kit, port, 0, answer, answer_time(rig, memory, t));
    kit_free(kit, packet);
    return 1;
}

void rig_open(rig *rig, const char *const *parameters)
{
    memset(rig, 0, sizeof *rig);
    rig->kit = kit_create(&hd_dma_engine_channels, parameters);
    rig->host.latency = 20;
    rig->device.latency = 30;
    for (uint32_t port = 0; port < PORT_COUNT; port++)
        kit_connect(rig->kit, port, 0, LINK, 16);
    kit_respond(rig->kit, respond, rig);
    rig_fill(&rig->host, 1);
    rig_fill(&rig->device, 2);
}

void rig_close(rig *rig)
{
    kit_destroy(rig->kit);
}

void rig_start(rig *rig, uint32_t number, uint32_t direction, uint64_t host, uint64_t device, uint64_t bytes, hd_time t)
{
    hd_packet *packet = kit_packet(rig->kit, HD_COPY_START, sizeof(hd_copy));
    const hd_copy copy = {number, direction, RIG_HOST + host, RIG_DEVICE + device, bytes};
    packet->tag = number;
    memcpy(hd_body(packet), &copy, sizeof copy);
    kit_send(rig->kit, PORT_COMMAND, 0, packet, t);
}

hd_packet *rig_ended(rig *rig, hd_time t)
{
    hd_packet *packet = kit_receive(rig->kit, PORT_DONE, 0, t);
    cr_assert_not_null(packet, "no copy has ended by %llu", (unsigned long long)t);
    return packet;
}

uint64_t rig_expect_end(rig *rig, hd_time t)
{
    hd_packet *packet = rig_ended(rig, t);
    const uint64_t tag = packet->tag;
    cr_expect_eq(packet->argument, HD_STATUS_OK);
    kit_free(rig->kit, packet);
    return tag;
}

void rig_fill(rig_memory *memory, uint64_t seed)
{
    for (uint32_t i = 0; i < MEMORY_BYTES; i++)
        memory->bytes[i] = (uint8_t)kit_random(&seed);
}
