/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <string.h>

static void store(rig *rig, const hd_packet *packet)
{
    const hd_store *masked = hd_body_const(packet);
    const uint32_t offset = (uint32_t)(packet->address - HD_GLOBAL_BASE);
    rig->stores++;
    for (uint32_t i = 0; i < packet->argument; i++)
        if (masked->byte_mask[i / 32] >> (i % 32) & 1)
            rig->memory[offset + i] = hd_store_data_const(masked)[i];
}

static uint32_t respond(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    rig *rig = context;
    (void)element;
    if (port != PORT_REQUEST)
        return 0;
    const uint32_t is_load = packet->message == kit_message(kit, HD_GLOBAL_LOAD);
    const uint32_t offset = (uint32_t)(packet->address - HD_GLOBAL_BASE);
    cr_assert_leq(offset + packet->argument, MEMORY_BYTES);
    cr_expect_leq(packet->address % HD_LINE_BYTES + packet->argument, HD_LINE_BYTES, "an access leaves its line");
    cr_expect_eq(packet->unit, HD_DESTINATION_L2_SLICE);
    cr_expect_eq(packet->destination, 1 + packet->address / 256 % 2, "the wrong partition");
    hd_packet *reply =
        kit_packet(kit, is_load ? HD_GLOBAL_LOAD_REPLY : HD_GLOBAL_STORE_ACK, is_load ? packet->argument : 0);
    reply->tag = packet->tag;
    reply->address = packet->address;
    reply->argument = packet->argument;
    if (is_load) {
        rig->loads++;
        memcpy(hd_body(reply), rig->memory + offset, packet->argument);
    } else {
        store(rig, packet);
    }
    kit_send(kit, PORT_REPLY, 0, reply, t + MEMORY * CYCLE);
    return 0;
}

void rig_open(rig *rig, const char *const *parameters, uint32_t credits)
{
    memset(rig, 0, sizeof *rig);
    rig->kit = kit_create(&hd_network_bridge_lines, parameters);
    for (uint32_t port = 0; port < PORT_COUNT; port++)
        kit_connect(rig->kit, port, 0, LINK, credits);
    kit_respond(rig->kit, respond, rig);
}

void rig_close(rig *rig)
{
    kit_destroy(rig->kit);
}

void rig_send(rig *rig, uint64_t address, const uint8_t *data, const uint8_t *enables, uint32_t bytes, uint64_t tag,
              hd_time t)
{
    hd_packet *packet =
        kit_packet(rig->kit, data ? HD_MEMORY_WRITE : HD_MEMORY_READ, data ? bytes * (enables ? 2 : 1) : 0);
    packet->address = HD_GLOBAL_BASE + address;
    packet->argument = bytes;
    packet->tag = tag;
    if (data)
        memcpy(hd_body(packet), data, bytes);
    if (enables)
        memcpy((uint8_t *)hd_body(packet) + bytes, enables, bytes);
    kit_send(rig->kit, PORT_MEMORY, 0, packet, t);
}

hd_packet *rig_response(rig *rig, hd_time t)
{
    hd_packet *packet = kit_receive(rig->kit, PORT_MEMORY, 0, t);
    cr_assert_not_null(packet, "no response");
    return packet;
}
