/* SPDX-License-Identifier: MIT */
/* Launches. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "entries.h"
#include "program.h"

#define USUAL_GROUP 256u /* threads of a group whose size the program leaves to us */

typedef struct range {
    cl_uint dimensions;
    const size_t *offset; /* NULL: 0 */
    const size_t *global;
    const size_t *local; /* NULL: ours to choose */
} range;

/* ---- Sizes ------------------------------------------------------------------------------------------------------------------ */

static cl_int check_range(const range *asked)
{
    if (asked->dimensions < 1 || asked->dimensions > 3)
        return CL_INVALID_WORK_DIMENSION;
    for (cl_uint i = 0; i < asked->dimensions; i++) {
        if (!asked->global || !asked->global[i] || asked->global[i] > UINT32_MAX)
            return CL_INVALID_GLOBAL_WORK_SIZE;
        if (asked->offset && asked->offset[i] > UINT32_MAX - asked->global[i])
            return CL_INVALID_GLOBAL_OFFSET;
    }
    return CL_SUCCESS;
}

static uint32_t largest_divisor(size_t of, uint32_t limit)
{
    uint32_t divisor = of < limit ? (uint32_t)of : limit;
    while (of % divisor)
        divisor--;
    return divisor;
}

/* Groups of about the usual size; larger ones where only they fill a warp: the size may be a prime number. */
static void choose_group(const range *asked, uint32_t group[3])
{
    const device_limits *limits = &opencl_device.limits;
    uint32_t room = limits->group_threads < USUAL_GROUP ? limits->group_threads : USUAL_GROUP;
    group[0] = largest_divisor(asked->global[0], room);
    if (group[0] < limits->lanes)
        group[0] = largest_divisor(asked->global[0], limits->group_threads);
    for (cl_uint i = 1; i < asked->dimensions; i++) {
        room = room > group[i - 1] ? room / group[i - 1] : 1;
        group[i] = largest_divisor(asked->global[i], room);
    }
}

static cl_int take_group(const range *asked, uint32_t group[3])
{
    uint64_t threads = 1;
    for (cl_uint i = 0; i < asked->dimensions; i++) {
        const size_t local = asked->local[i];
        if (local > opencl_device.limits.group_threads)
            return CL_INVALID_WORK_ITEM_SIZE;
        if (!local || asked->global[i] % local)
            return CL_INVALID_WORK_GROUP_SIZE;
        group[i] = (uint32_t)local;
        threads *= local;
    }
    return threads > opencl_device.limits.group_threads ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS;
}

static int is_as_demanded(const kernelc_kernel *signature, const range *asked, const uint32_t group[3])
{
    const uint32_t *demanded = signature->group_size;
    return !demanded[0] || (asked->local && !memcmp(demanded, group, 3 * sizeof *group));
}

static cl_int fix_size(const kernelc_kernel *signature, const range *asked, device_operation *launch)
{
    cl_int error = CL_SUCCESS;
    for (uint32_t i = 0; i < 3; i++)
        launch->group[i] = launch->groups[i] = 1;
    if (asked->local)
        error = take_group(asked, launch->group);
    else
        choose_group(asked, launch->group);
    if (!error && !is_as_demanded(signature, asked, launch->group))
        error = CL_INVALID_WORK_GROUP_SIZE;
    for (cl_uint i = 0; i < asked->dimensions && !error; i++)
        launch->groups[i] = (uint32_t)(asked->global[i] / launch->group[i]);
    return error;
}

/* ---- Arguments --------------------------------------------------------------------------------------------------------------- */

static int are_all_set(const struct _cl_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->signature->argument_count; i++)
        if (!kernel->is_set[i])
            return 0;
    return 1;
}

/* Local arguments lie behind each other and behind the kernel's own variables. Returns where they end. */
static uint64_t place_locals(const struct _cl_kernel *kernel, uint8_t *block)
{
    uint64_t end = kernel->signature->local_bytes;
    for (uint32_t i = 0; i < kernel->signature->argument_count; i++) {
        const kernelc_argument *argument = &kernel->signature->arguments[i];
        if (argument->space != KERNELC_LOCAL)
            continue;
        end = (end + KERNELC_LOCAL_ALIGNMENT - 1) / KERNELC_LOCAL_ALIGNMENT * KERNELC_LOCAL_ALIGNMENT;
        const uint32_t address = KERNELC_LOCAL_BASE + (uint32_t)end;
        memcpy(block + argument->offset, &address, sizeof address);
        end += kernel->local_bytes[i];
    }
    return (end + 3) & ~UINT64_C(3);
}

static void write_head(uint8_t *block, const range *asked)
{
    kernelc_launch_header head = {.work_dimensions = asked->dimensions};
    for (cl_uint i = 0; i < asked->dimensions; i++)
        head.global_offset[i] = asked->offset ? (uint32_t)asked->offset[i] : 0;
    memcpy(block, &head, sizeof head);
}

/* The kernel's arguments as they are now. */
static cl_int add_launch(cl_event command, const struct _cl_kernel *kernel, const range *asked,
                         device_operation *launch)
{
    uint8_t *block = command->staging = malloc(kernel->signature->block_bytes);
    if (!block)
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(block, kernel->block, kernel->signature->block_bytes);
    write_head(block, asked);
    const uint64_t local_bytes = place_locals(kernel, block);
    if (local_bytes > opencl_device.limits.local_bytes) {
        context_complain("kernel '%s' cannot be launched: a work-group needs %" PRIu64
                         " bytes of local memory, and a core has %" PRIu32,
                         kernel->signature->name, local_bytes, opencl_device.limits.local_bytes);
        return CL_OUT_OF_RESOURCES;
    }
    command->kernel_name = kernel->signature->name;
    launch->kind = DEVICE_LAUNCH;
    launch->kernel = kernel->kernel;
    launch->scratchpad_bytes = (uint32_t)local_bytes;
    launch->arguments = block;
    launch->argument_bytes = kernel->signature->block_bytes;
    return command_add(command, launch);
}

static cl_int use_arguments(cl_event command, cl_kernel kernel)
{
    cl_int error = command_use(command, kernel);
    for (uint32_t i = 0; i < kernel->signature->argument_count && !error; i++)
        if (kernel->buffers[i])
            error = memory_use(command, kernel->buffers[i]);
    return error;
}

/* ---- The call -------------------------------------------------------------------------------------------------------------------- */

static cl_int check(cl_command_queue queue, cl_kernel kernel)
{
    if (!object_is(queue, OBJECT_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!object_is(kernel, OBJECT_KERNEL))
        return CL_INVALID_KERNEL;
    if (kernel->context != queue->context)
        return CL_INVALID_CONTEXT;
    return are_all_set(kernel) ? CL_SUCCESS : CL_INVALID_KERNEL_ARGS;
}

static cl_int launch(cl_command_queue queue, cl_kernel kernel, const range *asked, cl_command_type type, cl_uint count,
                     const cl_event *list, cl_event *event)
{
    device_operation operation = {0};
    cl_int error = check(queue, kernel);
    if (!error)
        error = check_range(asked);
    if (!error)
        error = fix_size(kernel->signature, asked, &operation);
    cl_event command = error ? NULL : command_new(queue, type, count, list, &error);
    if (!command)
        return error;
    error = use_arguments(command, kernel);
    if (!error)
        error = add_launch(command, kernel, asked, &operation);
    return command_enqueue(command, error, CL_FALSE, event);
}

cl_int CL_API_CALL opencl_enqueue_nd_range_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                  const size_t *offset, const size_t *global, const size_t *local,
                                                  cl_uint count, const cl_event *list, cl_event *event)
{
    runtime_enter();
    return runtime_leave(launch(queue, kernel, &(range){dimensions, offset, global, local}, CL_COMMAND_NDRANGE_KERNEL,
                                count, list, event));
}

cl_int CL_API_CALL opencl_enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event *list,
                                       cl_event *event)
{
    static const size_t one = 1;
    runtime_enter();
    return runtime_leave(launch(queue, kernel, &(range){1, NULL, &one, &one}, CL_COMMAND_TASK, count, list, event));
}
