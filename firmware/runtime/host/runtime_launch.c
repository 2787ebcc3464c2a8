/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hd_queue.h"
#include "program.h"
#include "runtime_internal.h"

static const isa_symbol *find_symbol(const runtime *rt, const char *name, uint32_t is_function)
{
    const isa_program *kernels = rt->program.kernels;
    for (uint32_t i = 0; kernels != NULL && i < kernels->symbol_count; i++) {
        const isa_symbol *symbol = &kernels->symbols[i];
        if (symbol->is_function == is_function && strcmp(symbol->name, name) == 0)
            return symbol;
    }
    return NULL;
}

hd_kernel hd_kernel_named(const char *name)
{
    runtime *rt = runtime_current();
    if (rt->program.kernels == NULL)
        runtime_error(rt, "hd_kernel_named: kernel '%s' asked for, but the app has no kernel program", name);
    const isa_symbol *symbol = find_symbol(rt, name, 1);
    if (symbol == NULL)
        runtime_error(rt, "hd_kernel_named: the kernel program has no function '%s'", name);
    return (hd_kernel){.module = rt->program.module, .entry_pc = symbol->address, .name = symbol->name};
}

hd_device_ptr hd_symbol(const char *name)
{
    runtime *rt = runtime_current();
    const isa_symbol *symbol = find_symbol(rt, name, 0);
    if (symbol == NULL)
        runtime_error(rt, "hd_symbol: the kernel program has no variable '%s'", name);
    return (hd_device_ptr){symbol->address};
}

void hd_set_stack(uint32_t bytes_per_thread)
{
    runtime *rt = runtime_current();
    if (bytes_per_thread > UINT32_MAX - HD_LINE_BYTES)
        runtime_error(rt, "hd_set_stack: %u bytes are more than a thread can have", bytes_per_thread);
    rt->stack_bytes = (bytes_per_thread + HD_LINE_BYTES - 1) / HD_LINE_BYTES * HD_LINE_BYTES;
}

hd_queue hd_queue_create(void)
{
    return (hd_queue){queue_create(runtime_current())};
}

static void check_launch(runtime *rt, hd_queue queue, hd_kernel kernel, hd_dim3 grid, hd_dim3 block,
                         const void *arguments, uint32_t argument_bytes)
{
    if (kernel.name == NULL)
        runtime_error(rt, "hd_launch: no kernel: use hd_kernel_named");
    if (queue.number >= rt->queue_count)
        runtime_error(rt, "hd_launch of '%s': there is no queue %u", kernel.name, queue.number);
    if (grid.x == 0 || grid.y == 0 || grid.z == 0)
        runtime_error(rt, "hd_launch of '%s': the grid of %u x %u x %u blocks is empty", kernel.name, grid.x, grid.y,
                      grid.z);
    if (block.x == 0 || block.y == 0 || block.z == 0)
        runtime_error(rt, "hd_launch of '%s': the block of %u x %u x %u threads is empty", kernel.name, block.x,
                      block.y, block.z);
    if (argument_bytes > HD_ARGUMENT_BYTES_MAX)
        runtime_error(rt, "hd_launch of '%s': %u bytes of arguments, at most %u are allowed", kernel.name,
                      argument_bytes, HD_ARGUMENT_BYTES_MAX);
    if (argument_bytes > 0 && arguments == NULL)
        runtime_error(rt, "hd_launch of '%s': %u bytes of arguments at NULL", kernel.name, argument_bytes);
}

/* Is it the block that the kernel takes, as far as the kernel program says? */
static void check_arguments(runtime *rt, hd_kernel kernel, uint32_t argument_bytes)
{
    char type[64];
    uint32_t expected;
    if (kernel.name == rt->checked_kernel && argument_bytes == rt->checked_bytes)
        return;
    if (rt->program.kernels != NULL && arguments_of(rt->program.kernels, kernel.name, type, sizeof type, &expected) &&
        argument_bytes != expected)
        runtime_error(rt, "hd_launch of '%s': the argument block has %u bytes, %s of the kernel has %u", kernel.name,
                      argument_bytes, type, expected);
    rt->checked_kernel = kernel.name;
    rt->checked_bytes = argument_bytes;
}

static uint32_t record_launch(runtime *rt, hd_queue queue, hd_kernel kernel, hd_dim3 grid, hd_dim3 block)
{
    runtime_device *device = device_of(rt);
    uint32_t number = device->launch_count;
    device->launches = runtime_grow(rt, device->launches, number + 1, sizeof *device->launches);
    device->launch_indices = runtime_grow(rt, device->launch_indices, number + 1, sizeof *device->launch_indices);
    device->launches[number] = (hd_host_launch){
        .kernel = kernel.name,
        .queue = queue_device_number(rt, queue.number),
        .grid_size = {grid.x, grid.y, grid.z},
        .block_size = {block.x, block.y, block.z},
    };
    device->launch_indices[number] = rt->queues[queue.number].written;
    device->launch_count++;
    return number;
}

hd_launched hd_launch_on(hd_queue queue, hd_kernel kernel, hd_dim3 grid, hd_dim3 block, uint32_t scratchpad_bytes,
                         const void *arguments, uint32_t argument_bytes)
{
    runtime *rt = runtime_current();
    options_check_all_read(rt);
    check_launch(rt, queue, kernel, grid, block, arguments, argument_bytes);
    check_arguments(rt, kernel, argument_bytes);
    uint32_t number = record_launch(rt, queue, kernel, grid, block);
    hd_queue_descriptor descriptor = {
        .mark = HD_DESCRIPTOR_LAUNCH,
        .grid =
            {
                .launch = number,
                .module = kernel.module,
                .entry_pc = kernel.entry_pc,
                .argument_bytes = argument_bytes,
                .argument_address = queue_next_arguments(rt, queue.number),
                .grid_size = {grid.x, grid.y, grid.z},
                .block_size = {block.x, block.y, block.z},
                .scratchpad_bytes = scratchpad_bytes,
                .private_bytes = rt->stack_bytes,
            },
    };
    queue_submit(rt, queue.number, &descriptor, &(queue_entry){.number = number}, arguments, argument_bytes);
    return (hd_launched){number};
}

hd_launched hd_launch(hd_kernel kernel, hd_dim3 grid, hd_dim3 block, uint32_t scratchpad_bytes, const void *arguments,
                      uint32_t argument_bytes)
{
    return hd_launch_on(HD_DEFAULT_QUEUE, kernel, grid, block, scratchpad_bytes, arguments, argument_bytes);
}

void hd_synchronize(void)
{
    queue_wait_all(runtime_current());
}

void hd_wait(hd_launched launch)
{
    runtime *rt = runtime_current();
    const runtime_device *device = device_of(rt);
    const uint32_t queue =
        launch.number < device->launch_count ? queue_of_device(rt, device->launches[launch.number].queue) : UINT32_MAX;
    if (queue == UINT32_MAX)
        runtime_error(rt, "hd_wait: there is no launch %u", launch.number);
    queue_wait(rt, queue, device->launch_indices[launch.number] + 1);
}

uint64_t hd_launch_cycles(hd_launched launch)
{
    hd_wait(launch);
    const hd_host_launch *record = &device_of(runtime_current())->launches[launch.number];
    return record->end_cycle - record->start_cycle;
}
