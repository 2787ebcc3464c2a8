/* SPDX-License-Identifier: MIT */
/* Each call of heddle_rt.h as those of heddle.h that it means. */
#include <stdlib.h>

#include "embedded.h"

hd_device_ptr hd_malloc_at(uint64_t bytes, const char *file, uint32_t line)
{
    hd_device_ptr pointer = {0};
    embedded_expect(heddle_allocate_at(the_host.machine, bytes, file, line, &pointer.address));
    return pointer;
}

hd_device_ptr(hd_malloc)(uint64_t bytes)
{
    return hd_malloc_at(bytes, NULL, 0);
}

void hd_free_at(hd_device_ptr pointer, const char *file, uint32_t line)
{
    if (pointer.address)
        embedded_expect(heddle_free_at(the_host.machine, pointer.address, file, line));
}

void(hd_free)(hd_device_ptr pointer)
{
    hd_free_at(pointer, NULL, 0);
}

void hd_copy_to_device(hd_device_ptr destination, const void *source, size_t bytes)
{
    embedded_expect(heddle_copy_to_device(the_host.machine, destination.address, source, bytes));
}

void hd_copy_from_device(void *destination, hd_device_ptr source, size_t bytes)
{
    embedded_expect(heddle_copy_from_device(the_host.machine, destination, source.address, bytes));
}

void hd_fill(hd_device_ptr destination, uint32_t value, size_t bytes)
{
    embedded_expect(heddle_fill(the_host.machine, destination.address, value, bytes));
}

/* ---- Copies in a queue -------------------------------------------------------------------------------------------- */

#define NO_COPY UINT32_MAX /* of no bytes: there is nothing to wait for */

static heddle_queue *queue_of(hd_queue queue, const char *caller)
{
    if (queue.number >= the_host.queue_count)
        runtime_error(&the_host.rt, "%s: there is no queue %u", caller, queue.number);
    return the_host.device_queues[queue.number];
}

/* The copy that was appended last: an event is done when it is. */
static hd_copied remember(hd_queue queue, const void *memory, size_t bytes)
{
    const uint32_t number = the_host.copy_count;
    if (!bytes)
        return (hd_copied){.queue = queue, .commands = NO_COPY};
    the_host.copies = runtime_grow(&the_host.rt, the_host.copies, number + 1, sizeof *the_host.copies);
    the_host.copies[number] = (embedded_copy){.memory = memory, .bytes = bytes};
    embedded_expect(heddle_event_create(the_host.machine, &the_host.copies[number].done));
    embedded_expect(heddle_event_record(the_host.copies[number].done, the_host.device_queues[queue.number]));
    the_host.copy_count++;
    return (hd_copied){.queue = queue, .commands = number};
}

hd_copied hd_copy_to_device_on(hd_queue queue, hd_device_ptr destination, const void *source, size_t bytes)
{
    embedded_expect(heddle_queue_copy_to_device(queue_of(queue, __func__), destination.address, source, bytes));
    return remember(queue, source, bytes);
}

hd_copied hd_copy_from_device_on(hd_queue queue, void *destination, hd_device_ptr source, size_t bytes)
{
    embedded_expect(heddle_queue_copy_from_device(queue_of(queue, __func__), destination, source.address, bytes));
    return remember(queue, destination, bytes);
}

void hd_wait_copy(hd_copied copy)
{
    if (copy.commands == NO_COPY)
        return;
    if (copy.commands >= the_host.copy_count)
        runtime_error(&the_host.rt, "hd_wait_copy: there is no such copy in queue %u", copy.queue.number);
    embedded_expect(heddle_event_wait(the_host.copies[copy.commands].done));
}

void hd_wait_queue(hd_queue queue)
{
    embedded_expect(heddle_queue_wait(queue_of(queue, __func__)));
}

static uint32_t uses(const embedded_copy *copy, const uint8_t *memory, size_t bytes)
{
    uint32_t is_done = 1;
    if (copy->memory < memory + bytes && memory < copy->memory + copy->bytes)
        heddle_event_poll(copy->done, &is_done, NULL);
    return !is_done;
}

const queue_entry *queue_copy_of(const runtime *rt, const void *memory, size_t bytes)
{
    static queue_entry found;
    (void)rt;
    for (uint32_t i = 0; i < the_host.copy_count; i++) {
        if (!uses(&the_host.copies[i], memory, bytes))
            continue;
        found = (queue_entry){.number = i, .is_copy = 1, .bytes = the_host.copies[i].bytes};
        return &found;
    }
    return NULL;
}

void embedded_release(void)
{
    free(the_host.copies);
}

/* ---- Kernels ------------------------------------------------------------------------------------------------------ */

/* The handle as an address: the app carries a number, and pc and module mean nothing to it. */
static hd_kernel kernel_of(heddle_kernel *handle, const char *name)
{
    const uint64_t number = (uintptr_t)handle;
    return (hd_kernel){.module = (uint32_t)(number >> 32), .entry_pc = (uint32_t)number, .name = name};
}

static heddle_kernel *handle_of(hd_kernel kernel)
{
    return (heddle_kernel *)(uintptr_t)((uint64_t)kernel.module << 32 | kernel.entry_pc);
}

hd_kernel hd_kernel_named(const char *name)
{
    heddle_kernel *kernel;
    embedded_expect(heddle_kernel_named(the_host.machine, name, &kernel));
    return kernel_of(kernel, name);
}

hd_device_ptr hd_symbol(const char *name)
{
    hd_device_ptr pointer = {0};
    embedded_expect(heddle_variable(the_host.machine, name, &pointer.address, NULL));
    return pointer;
}

void hd_set_stack(uint32_t bytes_per_thread)
{
    embedded_expect(heddle_set_stack(the_host.machine, bytes_per_thread));
}

hd_queue hd_queue_create(void)
{
    if (the_host.queue_count == HD_EMBEDDED_QUEUES_MAX)
        runtime_error(&the_host.rt, "hd_queue_create: the device has no more than %u queues", HD_EMBEDDED_QUEUES_MAX);
    embedded_expect(heddle_queue_create(the_host.machine, &the_host.device_queues[the_host.queue_count]));
    return (hd_queue){the_host.queue_count++};
}

hd_launched hd_launch_on(hd_queue queue, hd_kernel kernel, hd_dim3 grid, hd_dim3 block, uint32_t scratchpad_bytes,
                         const void *arguments, uint32_t argument_bytes)
{
    const heddle_size size = {
        .grid = {grid.x, grid.y, grid.z}, .block = {block.x, block.y, block.z}, .scratchpad_bytes = scratchpad_bytes};
    hd_launched launched = {0};
    options_check_all_read(&the_host.rt);
    embedded_expect(heddle_launch(queue_of(queue, "hd_launch"), handle_of(kernel), &size, arguments, argument_bytes,
                                  &launched.number));
    return launched;
}

hd_launched hd_launch(hd_kernel kernel, hd_dim3 grid, hd_dim3 block, uint32_t scratchpad_bytes, const void *arguments,
                      uint32_t argument_bytes)
{
    return hd_launch_on(HD_DEFAULT_QUEUE, kernel, grid, block, scratchpad_bytes, arguments, argument_bytes);
}

void hd_synchronize(void)
{
    embedded_expect(heddle_wait(the_host.machine));
}

void hd_wait(hd_launched launch)
{
    embedded_expect(heddle_launch_wait(the_host.machine, launch.number));
}

uint64_t hd_launch_cycles(hd_launched launch)
{
    heddle_launch_record record;
    hd_wait(launch);
    embedded_expect(heddle_launch_info(the_host.machine, launch.number, &record));
    return record.end_cycle - record.start_cycle;
}
