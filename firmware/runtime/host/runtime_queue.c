/* SPDX-License-Identifier: MIT */
/* Rings of launches and copies in device memory (hd_queue.h). */
#include <string.h>

#include "hd_queue.h"
#include "runtime_internal.h"

#define RING_BYTES (RING_ENTRIES * HD_DESCRIPTOR_BYTES)
#define COMPLETION_BYTES (RING_ENTRIES * HD_COMPLETION_BYTES)
#define ARGUMENT_BYTES (RING_ENTRIES * HD_ARGUMENT_BYTES_MAX)

static uint32_t queue_register(uint32_t queue, uint32_t reg)
{
    return HD_REGISTER_QUEUE_BASE + queue * HD_REGISTER_QUEUE_STRIDE + reg;
}

uint32_t queue_create(runtime *rt)
{
    runtime_device *device = device_of(rt);
    uint32_t number = rt->queue_count;
    const uint32_t on_device = number == 0 ? rt->default_queue : device->queues_used;
    if (on_device >= device->queues)
        runtime_error(rt, "hd_queue_create: the device has no more than %u queues%s", device->queues,
                      device->queues_used - (number == 0) == rt->queue_count ? ""
                                                                             : ", and other programs use some of them");
    rt->queues = runtime_grow(rt, rt->queues, number + 1, sizeof *rt->queues);
    rt->queues[number] = (host_queue){
        .number = on_device,
        .ring = memory_reserve(rt, RING_BYTES, "a launch queue"),
        .completion = memory_reserve(rt, COMPLETION_BYTES, "a launch queue"),
        .arguments = memory_reserve(rt, ARGUMENT_BYTES, "a launch queue"),
    };
    rt->queue_count++;
    device->queues_used += number > 0;
    register_write(rt, queue_register(on_device, HD_QUEUE_RING), rt->queues[number].ring);
    register_write(rt, queue_register(on_device, HD_QUEUE_COMPLETION), rt->queues[number].completion);
    register_write(rt, queue_register(on_device, HD_QUEUE_ENTRIES), RING_ENTRIES);
    return number;
}

uint32_t queue_of_device(const runtime *rt, uint32_t number)
{
    for (uint32_t i = 0; i < rt->queue_count; i++)
        if (queue_device_number(rt, i) == number)
            return i;
    return UINT32_MAX;
}

void queue_start(runtime *rt)
{
    queue_create(rt);
}

uint64_t queue_next_arguments(runtime *rt, uint32_t queue)
{
    const host_queue *q = &rt->queues[queue];
    return q->arguments + (uint64_t)(q->written % RING_ENTRIES) * HD_ARGUMENT_BYTES_MAX;
}

void queue_submit(runtime *rt, uint32_t queue, const void *descriptor, const queue_entry *entry, const void *arguments,
                  uint32_t argument_bytes)
{
    host_queue *q = &rt->queues[queue];
    uint32_t index = q->written % RING_ENTRIES;
    if (q->written - q->collected == RING_ENTRIES)
        queue_wait(rt, queue, q->collected + 1);
    bus_write(rt, queue_next_arguments(rt, queue), arguments, argument_bytes);
    bus_write(rt, q->ring + index * HD_DESCRIPTOR_BYTES, descriptor, HD_DESCRIPTOR_BYTES);
    q->entries[index] = *entry;
    q->written++;
    register_write(rt, queue_register(queue_device_number(rt, queue), HD_QUEUE_DOORBELL), q->written);
}

/* ---- Completion --------------------------------------------------------------------------------------------------- */

__attribute__((noreturn)) static void report_copy(runtime *rt, const queue_entry *entry)
{
    uint32_t status = register_read(rt, HD_REGISTER_ERROR_STATUS);
    uint64_t low = register_read(rt, HD_REGISTER_ERROR_LOW);
    uint64_t high = register_read(rt, HD_REGISTER_ERROR_HIGH);
    runtime_error(rt, "the DMA engine was refused an access of copy %u of %llu bytes: %s at 0x%llx", entry->number,
                  (unsigned long long)entry->bytes, runtime_status_text(status),
                  (unsigned long long)(high << 32 | low));
}

const char *runtime_queue_error_text(uint32_t error)
{
    static const char *const reasons[] = {
        [HD_QUEUE_ERROR_NONE] = "no reason given",
        [HD_QUEUE_ERROR_DESCRIPTOR] = "it is not marked as a launch or copy",
        [HD_QUEUE_ERROR_GRID] = "a grid or block size is zero",
        [HD_QUEUE_ERROR_PRIVATE] = "the stack is not a multiple of 128 bytes",
        [HD_QUEUE_ERROR_LAUNCH] = "a launch of its number is running",
        [HD_QUEUE_ERROR_COPY] = "an access of the copy was refused",
        [HD_QUEUE_ERROR_RANGE] = "the copy is not within device memory",
    };
    return error < sizeof reasons / sizeof reasons[0] ? reasons[error] : "unknown error";
}

__attribute__((noreturn)) static void report_device_error(runtime *rt)
{
    uint32_t error = register_read(rt, HD_REGISTER_ERROR);
    uint32_t queue = register_read(rt, HD_REGISTER_ERROR_QUEUE);
    uint32_t index = register_read(rt, HD_REGISTER_ERROR_INDEX);
    const uint32_t own = queue_of_device(rt, queue);
    if (error == HD_QUEUE_ERROR_COPY && own != UINT32_MAX)
        report_copy(rt, &rt->queues[own].entries[index % RING_ENTRIES]);
    if (own == UINT32_MAX && queue < device_of(rt)->queues_used)
        runtime_error(rt, "the device refused descriptor %u of queue %u, which is another program's", index, queue);
    runtime_error(rt, "the device refused descriptor %u of queue %u: %s", index, queue,
                  runtime_queue_error_text(error));
}

static void complete_launch(runtime *rt, const hd_queue_completion *record)
{
    hd_host_launch *launch = &device_of(rt)->launches[record->launch];
    launch->complete = 1;
    launch->start_cycle = record->start_cycle;
    launch->end_cycle = record->end_cycle;
}

static void collect(runtime *rt, uint32_t queue)
{
    host_queue *q = &rt->queues[queue];
    uint32_t index = q->collected % RING_ENTRIES;
    const queue_entry *entry = &q->entries[index];
    hd_queue_completion record;
    bus_read(rt, &record, q->completion + index * HD_COMPLETION_BYTES, sizeof record);
    if (record.launch != entry->number || record.status != HD_COMPLETION_DONE || record.index != q->collected)
        runtime_error(rt, "queue %u: the completion record of %s %u is damaged (number %u, status %u, index %u)", queue,
                      entry->is_copy ? "copy" : "launch", entry->number, record.launch, record.status, record.index);
    if (!entry->is_copy)
        complete_launch(rt, &record);
    else if (entry->memory != NULL)
        port_unshare(rt, entry->shared);
    q->collected++;
}

static uint32_t overlap(const queue_entry *entry, const uint8_t *memory, size_t bytes)
{
    return entry->memory != NULL && entry->memory < memory + bytes && memory < entry->memory + entry->bytes;
}

const queue_entry *queue_copy_of(const runtime *rt, const void *memory, size_t bytes)
{
    for (uint32_t i = 0; i < rt->queue_count; i++) {
        const host_queue *q = &rt->queues[i];
        for (uint32_t k = q->collected; k != q->written; k++) {
            if (overlap(&q->entries[k % RING_ENTRIES], memory, bytes))
                return &q->entries[k % RING_ENTRIES];
        }
    }
    return NULL;
}

void queue_wait(runtime *rt, uint32_t queue, uint32_t count)
{
    host_queue *q = &rt->queues[queue];
    if ((int32_t)(q->collected - count) >= 0)
        return;
    if (!bus_wait(rt, queue_device_number(rt, queue), count))
        report_device_error(rt);
    while (q->collected != count)
        collect(rt, queue);
}

void queue_wait_all(runtime *rt)
{
    for (uint32_t i = 0; i < rt->queue_count; i++)
        queue_wait(rt, i, rt->queues[i].written);
}
