/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

hd_packet *rig_answer(rig *r, const hd_packet *request)
{
    kit_block *kit = r->kit;
    uint32_t is_load = request->message == kit_message(kit, HD_GLOBAL_LOAD);
    uint32_t bytes = request->argument;
    uint64_t offset = request->address - HD_GLOBAL_BASE;
    cr_assert(bytes >= 1 && offset % HD_LINE_BYTES + bytes <= HD_LINE_BYTES, "%u bytes at offset 0x%llx", bytes,
              (unsigned long long)offset);
    cr_assert_leq(offset + bytes, RIG_MEMORY_BYTES);
    hd_packet *reply = kit_packet(kit, is_load ? HD_GLOBAL_LOAD_REPLY : HD_GLOBAL_STORE_ACK, is_load ? bytes : 0);
    reply->tag = request->tag;
    reply->address = request->address;
    reply->argument = bytes;
    reply->destination = request->source;
    if (is_load) {
        memcpy(hd_body(reply), r->memory + offset, bytes);
        return reply;
    }
    const hd_store *store = hd_body_const(request);
    for (uint32_t i = 0; i < bytes; i++) {
        if (store->byte_mask[i / 32] >> (i % 32) & 1)
            r->memory[offset + i] = hd_store_data_const(store)[i];
    }
    return reply;
}

static uint32_t respond(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    rig *r = context;
    (void)element;
    if (port == PORT_REQUEST && r->reply_cycles > 0) {
        kit_send(kit, PORT_REPLY, 0, rig_answer(r, packet), t + kit_cycles(kit, r->reply_cycles));
        kit_free(kit, packet);
        return 1;
    }
    if (port == PORT_COPY && r->copy_cycles > 0) {
        hd_packet *done = kit_packet(kit, HD_COPY_DONE, 0);
        done->tag = packet->tag;
        done->argument = r->copy_status;
        done->address = r->copy_status == HD_STATUS_OK ? 0 : UINT64_C(0x8012345678);
        kit_send(kit, PORT_COPIED, 0, done, t + kit_cycles(kit, r->copy_cycles));
    }
    if (port == PORT_LAUNCH && r->grid_cycles > 0)
        rig_end_grid(r, (uint32_t)packet->tag, t + kit_cycles(kit, r->grid_cycles));
    return 0;
}

void rig_attach(rig *r, kit_block *kit)
{
    r->kit = kit;
    kit_respond(kit, respond, r);
}

rig *rig_create(const char *const *parameters)
{
    const char *all[16] = {"memory=64 KiB"};
    uint32_t count = 1;
    uint32_t settle_given = 0;
    for (uint32_t i = 0; parameters != NULL && parameters[i] != NULL; i++) {
        settle_given |= strncmp(parameters[i], "settle=", 7) == 0;
        all[count++] = parameters[i];
    }
    if (!settle_given)
        all[count] = "settle=10 cycles";
    rig *r = calloc(1, sizeof *r);
    r->reply_cycles = 20;
    rig_attach(r, kit_create(&hd_command_processor_queues, all));
    kit_connect(r->kit, PORT_INTERRUPT, 0, 1, 0);
    return r;
}

void rig_destroy(rig *r)
{
    kit_destroy(r->kit);
    free(r);
}

/* ---- The host's accesses ------------------------------------------------------------------------------------------ */

void rig_read(rig *r, uint64_t address, uint32_t bytes, uint64_t tag, hd_time t)
{
    hd_packet *packet = kit_packet(r->kit, HD_MEMORY_READ, 0);
    packet->address = address;
    packet->argument = bytes;
    packet->tag = tag;
    packet->source = 5;
    kit_send(r->kit, PORT_HOST, 0, packet, t);
}

void rig_write(rig *r, uint64_t address, const void *data, const uint8_t *enables, uint32_t bytes, uint64_t tag,
               hd_time t)
{
    hd_packet *packet = kit_packet(r->kit, HD_MEMORY_WRITE, enables == NULL ? bytes : 2 * bytes);
    packet->address = address;
    packet->argument = bytes;
    packet->tag = tag;
    packet->source = 5;
    if (bytes > 0)
        memcpy(hd_body(packet), data, bytes);
    if (enables != NULL)
        memcpy((uint8_t *)hd_body(packet) + bytes, enables, bytes);
    kit_send(r->kit, PORT_HOST, 0, packet, t);
}

uint32_t rig_response(rig *r, uint64_t *tag, void *data)
{
    hd_packet *packet = NULL;
    hd_time limit = kit_now(r->kit) + kit_cycles(r->kit, 100000);
    for (hd_time t = kit_now(r->kit); packet == NULL && t < limit; t += kit_cycles(r->kit, 1))
        packet = kit_receive(r->kit, PORT_HOST, 0, t);
    cr_assert_not_null(packet, "no response");
    cr_expect_eq(packet->destination, 5);
    uint32_t status = packet->argument;
    if (tag != NULL)
        *tag = packet->tag;
    if (data != NULL)
        memcpy(data, hd_body(packet), packet->body_bytes);
    kit_free(r->kit, packet);
    return status;
}

uint32_t rig_register_read(rig *r, uint64_t offset, uint32_t *value)
{
    rig_read(r, HD_HOST_MMIO_BASE + offset, 4, 0, kit_now(r->kit));
    return rig_response(r, NULL, value);
}

uint32_t rig_register_write(rig *r, uint64_t offset, uint32_t value)
{
    rig_write(r, HD_HOST_MMIO_BASE + offset, &value, NULL, 4, 0, kit_now(r->kit));
    return rig_response(r, NULL, NULL);
}

/* ---- Launches ----------------------------------------------------------------------------------------------------- */

static uint64_t queue_register(uint32_t queue, uint32_t reg)
{
    return HD_REGISTER_QUEUE_BASE + queue * HD_REGISTER_QUEUE_STRIDE + reg;
}

void rig_open_queue(rig *r, uint32_t queue)
{
    uint32_t offset = queue * RIG_QUEUE_STRIDE;
    cr_assert_eq(rig_register_write(r, queue_register(queue, HD_QUEUE_RING), RIG_RING + offset), HD_STATUS_OK);
    cr_assert_eq(rig_register_write(r, queue_register(queue, HD_QUEUE_COMPLETION), RIG_COMPLETION + offset),
                 HD_STATUS_OK);
    cr_assert_eq(rig_register_write(r, queue_register(queue, HD_QUEUE_ENTRIES), RIG_ENTRIES), HD_STATUS_OK);
}

hd_queue_descriptor rig_descriptor(uint32_t launch)
{
    return (hd_queue_descriptor){
        .mark = HD_DESCRIPTOR_LAUNCH,
        .grid =
            {
                .launch = launch,
                .entry_pc = 0x10001000 + 16 * launch,
                .grid_size = {2, 3, 4},
                .block_size = {32, 2, 1},
                .private_bytes = 256,
            },
    };
}

hd_queue_copy rig_copy(uint32_t number)
{
    return (hd_queue_copy){
        .mark = HD_DESCRIPTOR_COPY,
        .copy =
            {
                .number = number,
                .direction = number % 2,
                .host_address = UINT64_C(0x8000000000) + number,
                .device_address = HD_GLOBAL_BASE + RIG_MEMORY_BYTES - 64,
                .bytes = 64,
            },
    };
}

void rig_put(rig *r, uint32_t queue, uint32_t index, const void *descriptor)
{
    uint32_t at = RIG_RING - HD_GLOBAL_BASE + queue * RIG_QUEUE_STRIDE + index % RIG_ENTRIES * HD_DESCRIPTOR_BYTES;
    memcpy(r->memory + at, descriptor, HD_DESCRIPTOR_BYTES);
}

uint32_t rig_ring_doorbell(rig *r, uint32_t queue, uint32_t written)
{
    return rig_register_write(r, queue_register(queue, HD_QUEUE_DOORBELL), written);
}

uint32_t rig_take_launch(rig *r, hd_grid *grid, hd_time t)
{
    hd_packet *packet = kit_receive(r->kit, PORT_LAUNCH, 0, t);
    if (packet == NULL)
        return 0;
    memcpy(grid, hd_body(packet), sizeof *grid);
    cr_expect_eq(packet->tag, grid->launch);
    kit_free(r->kit, packet);
    return 1;
}

void rig_end_grid(rig *r, uint32_t launch, hd_time t)
{
    hd_packet *packet = kit_packet(r->kit, HD_GRID_DONE, 0);
    packet->tag = launch;
    kit_send(r->kit, PORT_DONE, 0, packet, t);
}

uint32_t rig_take_interrupt(rig *r, uint32_t *line, uint64_t *tag, hd_time t)
{
    hd_packet *packet = kit_receive(r->kit, PORT_INTERRUPT, 0, t);
    if (packet == NULL)
        return 0;
    *line = packet->argument;
    *tag = packet->tag;
    kit_free(r->kit, packet);
    return 1;
}

hd_queue_completion rig_completion(const rig *r, uint32_t queue, uint32_t index)
{
    hd_queue_completion record;
    uint32_t at =
        RIG_COMPLETION - HD_GLOBAL_BASE + queue * RIG_QUEUE_STRIDE + index % RIG_ENTRIES * HD_COMPLETION_BYTES;
    memcpy(&record, r->memory + at, sizeof record);
    return record;
}
