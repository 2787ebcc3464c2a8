/* SPDX-License-Identifier: MIT */
/* Each call of heddle_rt.h as those of heddle.h that it means. */
#include "embedded.h"

hd_device_ptr hd_malloc(uint64_t bytes)
{
    hd_device_ptr pointer = {0};
    embedded_expect(heddle_allocate(the_host.machine, bytes, &pointer.address));
    return pointer;
}

void hd_free(hd_device_ptr pointer)
{
    if (pointer.address)
        embedded_expect(heddle_free(the_host.machine, pointer.address));
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
    if (queue.number >= the_host.queue_count)
        runtime_error(&the_host.rt, "hd_launch of '%s': there is no queue %u", kernel.name, queue.number);
    embedded_expect(heddle_launch(the_host.device_queues[queue.number], handle_of(kernel), &size, arguments,
                                  argument_bytes, &launched.number));
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
