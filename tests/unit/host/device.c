/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "rig.h"

void device_reset(device *d)
{
    uint8_t *memory = d->memory;
    *d = (device){.grid_cycles = 100, .identification = HD_IDENTIFICATION, .pages = DEVICE_PAGES, .queue_count = 2, .memory = memory};
    memset(memory, 0xA5, DEVICE_BYTES);
}

static void raise_interrupt(kit_block *kit, device *d, uint32_t line, uint64_t tag, hd_time t)
{
    d->last_interrupt = t > d->last_interrupt ? t : d->last_interrupt;
    hd_packet *packet = kit_packet(kit, HD_INTERRUPT, 0);
    packet->argument = line;
    packet->tag = tag;
    kit_send(kit, PORT_INTERRUPT, 0, packet, d->last_interrupt);
}

static void launch(kit_block *kit, device *d, uint32_t index, hd_time t)
{
    device_queue *q = &d->queues[index];
    hd_queue_descriptor descriptor;
    memcpy(&descriptor, d->memory + (q->ring - HD_GLOBAL_BASE) + q->completed % q->entries * HD_DESCRIPTOR_BYTES,
           sizeof descriptor);
    cr_assert_eq(descriptor.mark, HD_DESCRIPTOR_LAUNCH);
    if (d->error != HD_QUEUE_ERROR_NONE) {
        raise_interrupt(kit, d, HD_INTERRUPT_LINE_ERROR, q->completed, t + 5000);
        return;
    }
    hd_time start = t > q->busy_until ? t : q->busy_until;
    q->busy_until = start + kit_cycles(kit, d->grid_cycles);
    hd_queue_completion record = {
        .launch = descriptor.grid.launch,
        .status = HD_COMPLETION_DONE,
        .queue = index,
        .index = q->completed,
        .start_cycle = start / 1000,
        .end_cycle = q->busy_until / 1000,
    };
    memcpy(d->memory + (q->completion - HD_GLOBAL_BASE) + q->completed % q->entries * HD_COMPLETION_BYTES, &record,
           sizeof record);
    d->launches[d->launch_count++ % DEVICE_LAUNCHES] = descriptor.grid;
    q->completed++;
    raise_interrupt(kit, d, HD_INTERRUPT_LINE_COMPLETION, (uint64_t)index << 32 | record.launch, q->busy_until);
}

static uint32_t *queue_register(device *d, uint64_t offset)
{
    uint64_t index = (offset - HD_REGISTER_QUEUE_BASE) / HD_REGISTER_QUEUE_STRIDE;
    if (offset < HD_REGISTER_QUEUE_BASE || index >= d->queue_count)
        return NULL;
    device_queue *q = &d->queues[index];
    switch (offset % HD_REGISTER_QUEUE_STRIDE) {
    case HD_QUEUE_RING: return &q->ring;
    case HD_QUEUE_COMPLETION: return &q->completion;
    case HD_QUEUE_ENTRIES: return &q->entries;
    case HD_QUEUE_DOORBELL: return &q->doorbell;
    default: return NULL;
    }
}

static uint32_t write_register(kit_block *kit, device *d, uint64_t offset, uint32_t value, hd_time t)
{
    uint32_t *reg = queue_register(d, offset);
    if (reg == NULL)
        return HD_STATUS_ADDRESS_ERROR;
    *reg = value;
    for (uint32_t i = 0; i < DEVICE_QUEUES; i++) {
        while (reg == &d->queues[i].doorbell && d->queues[i].completed != value && d->error == HD_QUEUE_ERROR_NONE)
            launch(kit, d, i, t);
        if (reg == &d->queues[i].doorbell && d->error != HD_QUEUE_ERROR_NONE)
            launch(kit, d, i, t);
    }
    return HD_STATUS_OK;
}

static uint32_t read_register(const device *d, uint64_t offset)
{
    switch (offset) {
    case HD_REGISTER_IDENTIFICATION: return d->identification;
    case HD_REGISTER_VERSION: return HD_QUEUE_VERSION;
    case HD_REGISTER_QUEUES: return d->queue_count;
    case HD_REGISTER_MEMORY_PAGES: return d->pages;
    case HD_REGISTER_ERROR: return d->error;
    case HD_REGISTER_ERROR_QUEUE: return 0;
    case HD_REGISTER_ERROR_INDEX: return d->queues[0].completed;
    default: return 0;
    }
}

static uint32_t access(kit_block *kit, device *d, const hd_packet *request, hd_packet *response, hd_time t)
{
    uint32_t is_read = request->message == kit_message(kit, HD_MEMORY_READ);
    uint32_t bytes = request->argument;
    if (request->address >= HD_HOST_MMIO_BASE) {
        uint64_t offset = request->address - HD_HOST_MMIO_BASE;
        uint32_t value = 0;
        cr_assert_eq(bytes, 4);
        if (is_read) {
            value = read_register(d, offset);
            memcpy(hd_body(response), &value, 4);
            return HD_STATUS_OK;
        }
        memcpy(&value, hd_body_const(request), 4);
        return write_register(kit, d, offset, value, t);
    }
    uint64_t offset = request->address - HD_GLOBAL_BASE;
    cr_assert(bytes >= 1 && bytes <= HD_PACKET_BODY_MAX);
    if (offset >= DEVICE_BYTES || bytes > DEVICE_BYTES - offset)
        return HD_STATUS_ADDRESS_ERROR;
    if (is_read)
        memcpy(hd_body(response), d->memory + offset, bytes);
    else
        memcpy(d->memory + offset, hd_body_const(request), bytes);
    return HD_STATUS_OK;
}

uint32_t device_respond(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    device *d = context;
    (void)element;
    if (port != PORT_BUS)
        return 0;
    uint32_t is_read = packet->message == kit_message(kit, HD_MEMORY_READ);
    hd_packet *response = kit_packet(kit, HD_MEMORY_RESPONSE, is_read ? packet->argument : 0);
    response->tag = packet->tag;
    response->argument = access(kit, d, packet, response, t);
    if (response->argument != HD_STATUS_OK)
        response->body_bytes = 0;
    uint64_t cycles = d->random == 0 ? 10 : 1 + kit_random(&d->random) % 60;
    hd_time at = t + kit_cycles(kit, cycles);
    d->last_response = at > d->last_response ? at : d->last_response;
    kit_send(kit, PORT_BUS, 0, response, d->last_response);
    kit_free(kit, packet);
    return 1;
}
