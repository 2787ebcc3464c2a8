/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "runtime_internal.h"
#include "session.h"

/* ---- Life --------------------------------------------------------------------------------------------------------------- */

static heddle_error reserve(session *s, queue_slot *slot)
{
    static const char *const what = "a launch queue";
    heddle_error error = HEDDLE_OK;
    if (slot->has_memory)
        return HEDDLE_OK;
    if (!slot->ring)
        error = memory_allocate(s, RING_ENTRIES * HD_DESCRIPTOR_BYTES, HEAP_RUNTIME, (heap_site){0}, what, &slot->ring);
    if (!error && !slot->completion)
        error = memory_allocate(s, RING_ENTRIES * HD_COMPLETION_BYTES, HEAP_RUNTIME, (heap_site){0}, what,
                                &slot->completion);
    if (!error && !slot->arguments)
        error = memory_allocate(s, RING_ENTRIES * HD_ARGUMENT_BYTES_MAX, HEAP_RUNTIME, (heap_site){0}, what,
                                &slot->arguments);
    slot->has_memory = !error;
    return error;
}

static heddle_error set_up(session *s, uint32_t number)
{
    queue_slot *slot = &s->queues[number];
    const uint32_t base = HD_REGISTER_QUEUE_BASE + number * HD_REGISTER_QUEUE_STRIDE;
    heddle_error error = reserve(s, slot);
    if (!error)
        error = session_write_register(s, base + HD_QUEUE_RING, slot->ring);
    if (!error)
        error = session_write_register(s, base + HD_QUEUE_COMPLETION, slot->completion);
    if (!error)
        error = session_write_register(s, base + HD_QUEUE_ENTRIES, RING_ENTRIES);
    if (error)
        return error;
    host_driver_open_lane(s->driver, number, slot->ring, slot->completion, slot->arguments);
    slot->is_open = 1;
    slot->generation++;
    return HEDDLE_OK;
}

static heddle_error open_queue(session *s, uint32_t number, heddle_queue **queue)
{
    const heddle_error error = s->queues[number].is_open ? session_state(s) : set_up(s, number);
    if (!error)
        *queue = handle_of(s, HANDLE_QUEUE, number, s->queues[number].generation);
    return error;
}

heddle_error queue_zero(session *s)
{
    return s->queues[0].is_open ? HEDDLE_OK : set_up(s, 0);
}

heddle_error heddle_default_queue(heddle_machine *machine, heddle_queue **queue)
{
    session *s;
    uint32_t index;
    if (!queue)
        return fail_null(__func__, "queue");
    *queue = NULL;
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    return error ? error : session_leave(s, open_queue(s, 0, queue));
}

static heddle_error open_next(session *s, heddle_queue **queue)
{
    uint32_t number = 1; /* 0 is the default queue */
    while (number < s->device_queues && s->queues[number].is_open)
        number++;
    if (number >= s->device_queues)
        return fail(HEDDLE_ERROR_QUEUES, "heddle_queue_create: the device has no more than %u queues",
                    s->device_queues);
    return open_queue(s, number, queue);
}

heddle_error heddle_queue_create(heddle_machine *machine, heddle_queue **queue)
{
    session *s;
    uint32_t index;
    if (!queue)
        return fail_null(__func__, "queue");
    *queue = NULL;
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    return error ? error : session_leave(s, open_next(s, queue));
}

static heddle_error close_queue(session *s, uint32_t number)
{
    if (number == 0)
        return fail(HEDDLE_ERROR_ARGUMENT, "heddle_queue_destroy: this is the default queue");
    const heddle_error error = session_wait_lane(s, number);
    if (!error)
        s->queues[number].is_open = 0;
    return error;
}

heddle_error heddle_queue_destroy(heddle_queue *queue)
{
    session *s;
    uint32_t number;
    const heddle_error error = session_enter(queue, HANDLE_QUEUE, __func__, &s, &number);
    return error ? error : session_leave(s, close_queue(s, number));
}

/* ---- Launches --------------------------------------------------------------------------------------------------- */

static heddle_error check_launch(const char *kernel, const heddle_size *size, const void *arguments,
                                 uint32_t argument_bytes)
{
    const uint32_t *grid = size->grid, *block = size->block;
    if (!grid[0] || !grid[1] || !grid[2])
        return fail(HEDDLE_ERROR_ARGUMENT, "heddle_launch of '%s': the grid of %u x %u x %u blocks is empty", kernel,
                    grid[0], grid[1], grid[2]);
    if (!block[0] || !block[1] || !block[2])
        return fail(HEDDLE_ERROR_ARGUMENT, "heddle_launch of '%s': the block of %u x %u x %u threads is empty", kernel,
                    block[0], block[1], block[2]);
    if (argument_bytes > HEDDLE_ARGUMENT_BYTES_MAX)
        return fail(HEDDLE_ERROR_ARGUMENT, "heddle_launch of '%s': %u bytes of arguments, at most %u are allowed",
                    kernel, argument_bytes, HEDDLE_ARGUMENT_BYTES_MAX);
    if (argument_bytes && !arguments)
        return fail(HEDDLE_ERROR_ARGUMENT, "heddle_launch of '%s': %u bytes of arguments at NULL", kernel,
                    argument_bytes);
    return HEDDLE_OK;
}

/* Is it the block that the kernel takes, as far as its program says? */
static heddle_error check_argument_block(const kernel_entry *kernel, uint32_t argument_bytes)
{
    char type[64];
    uint32_t expected;
    const char *name = kernel->symbol->name;
    if (!arguments_of(kernel->program, name, type, sizeof type, &expected) || argument_bytes == expected)
        return HEDDLE_OK;
    return fail(HEDDLE_ERROR_ARGUMENT,
                "heddle_launch of '%s': the argument block has %u bytes, %s of the kernel has %u", name, argument_bytes,
                type, expected);
}

static hd_queue_descriptor descriptor_of(const session *s, const kernel_entry *kernel, const heddle_size *size,
                                         uint32_t argument_bytes)
{
    hd_queue_descriptor descriptor = {.mark = HD_DESCRIPTOR_LAUNCH};
    hd_grid *grid = &descriptor.grid;
    grid->module = kernel->module;
    grid->entry_pc = kernel->symbol->address;
    grid->argument_bytes = argument_bytes;
    grid->scratchpad_bytes = size->scratchpad_bytes;
    grid->private_bytes = s->stack_bytes;
    memcpy(grid->grid_size, size->grid, sizeof size->grid);
    memcpy(grid->block_size, size->block, sizeof size->block);
    return descriptor;
}

static uint32_t record_launch(session *s, uint32_t queue, const kernel_entry *kernel, const heddle_size *size)
{
    hd_host_launch launch = {.kernel = kernel->symbol->name, .queue = queue};
    memcpy(launch.grid_size, size->grid, sizeof size->grid);
    memcpy(launch.block_size, size->block, sizeof size->block);
    return host_driver_record(s->driver, &launch);
}

static heddle_error append_launch(session *s, uint32_t queue, const kernel_entry *kernel, const heddle_size *size,
                                  const void *arguments, uint32_t argument_bytes, uint32_t *launch)
{
    heddle_error error = check_launch(kernel->symbol->name, size, arguments, argument_bytes);
    if (!error)
        error = check_argument_block(kernel, argument_bytes);
    if (!error)
        error = session_state(s);
    if (error)
        return error;
    host_operation *operation = operation_new(HOST_OPERATION_LAUNCH, argument_bytes);
    const uint32_t number = operation ? record_launch(s, queue, kernel, size) : UINT32_MAX;
    if (number == UINT32_MAX) {
        free(operation);
        return fail_memory();
    }
    operation->descriptor.launch = descriptor_of(s, kernel, size, argument_bytes);
    operation->descriptor.launch.grid.launch = number;
    operation->argument_bytes = argument_bytes;
    if (argument_bytes)
        memcpy(operation->payload, arguments, argument_bytes);
    session_post(s, queue, operation);
    if (launch)
        *launch = number;
    return HEDDLE_OK;
}

heddle_error heddle_launch(heddle_queue *queue, heddle_kernel *kernel, const heddle_size *size, const void *arguments,
                           uint32_t argument_bytes, uint32_t *launch)
{
    session *s;
    uint32_t number, index;
    if (!size)
        return fail_null(__func__, "size");
    heddle_error error = session_enter(queue, HANDLE_QUEUE, __func__, &s, &number);
    if (error)
        return error;
    error = session_index(s, kernel, HANDLE_KERNEL, __func__, &index);
    if (!error)
        error = append_launch(s, number, &s->kernels[index], size, arguments, argument_bytes, launch);
    return session_leave(s, error);
}

heddle_error heddle_launch_info(heddle_machine *machine, uint32_t launch, heddle_launch_record *record)
{
    session *s;
    uint32_t index, count;
    if (!record)
        return fail_null(__func__, "record");
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    if (error)
        return error;
    const hd_host_launch *launches = host_driver_launches(s->driver, &count);
    if (launch >= count)
        return session_leave(s, fail(HEDDLE_ERROR_ARGUMENT, "%s: there is no launch %u", __func__, launch));
    *record = (heddle_launch_record){.is_complete = launches[launch].complete,
                                     .queue = launches[launch].queue,
                                     .start_cycle = launches[launch].start_cycle,
                                     .end_cycle = launches[launch].end_cycle};
    return session_leave(s, HEDDLE_OK);
}

/* ---- Waiting ------------------------------------------------------------------------------------------------------------ */

heddle_error heddle_queue_wait(heddle_queue *queue)
{
    session *s;
    uint32_t number;
    const heddle_error error = session_enter(queue, HANDLE_QUEUE, __func__, &s, &number);
    return error ? error : session_leave(s, session_wait_lane(s, number));
}

heddle_error heddle_queue_poll(heddle_queue *queue, uint32_t *is_done)
{
    session *s;
    uint32_t number;
    if (!is_done)
        return fail_null(__func__, "is_done");
    const heddle_error error = session_enter(queue, HANDLE_QUEUE, __func__, &s, &number);
    if (error)
        return error;
    *is_done = lane_is_idle(s, number);
    return session_leave(s, session_state(s));
}

static uint32_t is_complete(session *s, uint32_t launch)
{
    uint32_t count;
    return host_driver_launches(s->driver, &count)[launch].complete;
}

static heddle_error wait_for_launch(session *s, uint32_t launch)
{
    uint32_t count;
    host_driver_launches(s->driver, &count);
    if (launch >= count)
        return fail(HEDDLE_ERROR_ARGUMENT, "heddle_launch_wait: there is no launch %u", launch);
    return session_wait(s, is_complete, launch);
}

heddle_error heddle_launch_wait(heddle_machine *machine, uint32_t launch)
{
    session *s;
    uint32_t index;
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    return error ? error : session_leave(s, wait_for_launch(s, launch));
}

heddle_error heddle_wait(heddle_machine *machine)
{
    session *s;
    uint32_t index;
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    return error ? error : session_leave(s, session_wait_all(s));
}
