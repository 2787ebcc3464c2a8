/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "runtime_internal.h"
#include "session.h"

#define REFUSAL_BYTES 256u

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
static heddle_error check_argument_block(const session *s, const kernel_entry *kernel, uint32_t argument_bytes)
{
    char type[64];
    uint32_t expected;
    const char *name = kernel->symbol->name;
    if (!arguments_of(s->programs[kernel->program].program, name, type, sizeof type, &expected) ||
        argument_bytes == expected)
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
    grid->module = s->programs[kernel->program].module;
    grid->entry_pc = kernel->symbol->address;
    grid->argument_bytes = argument_bytes;
    grid->scratchpad_bytes = size->scratchpad_bytes;
    grid->private_bytes = s->stack_bytes;
    memcpy(grid->grid_size, size->grid, sizeof size->grid);
    memcpy(grid->block_size, size->block, sizeof size->block);
    return descriptor;
}

/* Would it ever run? */
static heddle_error check_grid(const session *s, const char *kernel, const hd_grid *grid)
{
    char refusal[REFUSAL_BYTES];
    if (hd_machine_accepts(s->machine, grid, refusal, sizeof refusal))
        return HEDDLE_OK;
    return fail(HEDDLE_ERROR_LAUNCH, "heddle_launch of '%s': %s", kernel, refusal);
}

/* UINT32_MAX: out of memory. */
static uint32_t record_launch(session *s, uint32_t queue, const kernel_entry *kernel, const heddle_size *size)
{
    uint32_t count;
    host_driver_launches(s->driver, &count);
    launch_moments *moments = realloc(s->moments, (count + 1) * sizeof *moments);
    if (!moments)
        return UINT32_MAX;
    s->moments = moments;
    s->moments[count] = (launch_moments){.appended = hd_machine_time(s->machine)};
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
        error = check_argument_block(s, kernel, argument_bytes);
    if (!error)
        error = session_state(s);
    if (error)
        return error;
    const hd_queue_descriptor descriptor = descriptor_of(s, kernel, size, argument_bytes);
    error = check_grid(s, kernel->symbol->name, &descriptor.grid);
    if (error)
        return error;
    if (s->profile)
        hd_machine_begin_profile(s->machine);
    s->profile = 0;
    host_operation *operation = operation_new(HOST_OPERATION_LAUNCH, argument_bytes);
    const uint32_t number = operation ? record_launch(s, queue, kernel, size) : UINT32_MAX;
    if (number == UINT32_MAX) {
        free(operation);
        return fail_memory();
    }
    operation->descriptor.launch = descriptor;
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

/* ---- Asked about --------------------------------------------------------------------------------------------------------- */

heddle_error heddle_launch_info(heddle_machine *machine, uint32_t launch, heddle_launch_record *record)
{
    session *s;
    uint32_t count;
    if (!record)
        return fail_null(__func__, "record");
    const heddle_error error = session_enter_host(machine, __func__, &s);
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

/* Members that the caller's struct has not are not written. */
static void write_times(const session *s, const hd_host_launch *launch, const launch_moments *moments,
                        heddle_launch_times *times)
{
    const hd_clock clock = hd_machine_launch_clock(s->machine);
    const uint32_t is_known = launch->complete && clock.hz;
    const heddle_launch_times all = {.struct_bytes = times->struct_bytes,
                                     .appended = moments->appended,
                                     .submitted = moments->submitted,
                                     .began = is_known ? hd_clock_edge(clock, launch->start_cycle) : 0,
                                     .ended = is_known ? hd_clock_edge(clock, launch->end_cycle) : 0,
                                     .finished = moments->finished};
    memcpy(times, &all, times->struct_bytes < sizeof all ? times->struct_bytes : sizeof all);
}

heddle_error heddle_launch_times_get(heddle_machine *machine, uint32_t launch, heddle_launch_times *times)
{
    session *s;
    uint32_t count;
    if (!times)
        return fail_null(__func__, "times");
    heddle_error error = check_struct(__func__, "times.struct_bytes", times->struct_bytes, sizeof times->struct_bytes);
    if (!error)
        error = session_enter_host(machine, __func__, &s);
    if (error)
        return error;
    const hd_host_launch *launches = host_driver_launches(s->driver, &count);
    if (launch >= count)
        return session_leave(s, fail(HEDDLE_ERROR_ARGUMENT, "%s: there is no launch %u", __func__, launch));
    write_times(s, &launches[launch], &s->moments[launch], times);
    return session_leave(s, HEDDLE_OK);
}

/* ---- Waiting ------------------------------------------------------------------------------------------------------------ */

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
    const heddle_error error = session_enter_host(machine, __func__, &s);
    return error ? error : session_leave(s, wait_for_launch(s, launch));
}
