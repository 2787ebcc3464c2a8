/* SPDX-License-Identifier: MIT */
/* What a command is made of before it is enqueued, and the commands that do nothing. */
#include <stdlib.h>

#include "entries.h"
#include "runtime.h"

/* ---- Parts ----------------------------------------------------------------------------------------------------------- */

/* Room for one more of them; NULL: out of memory. */
static void *grow(void *array, uint32_t count, size_t bytes)
{
    const int is_full = !(count & (count - 1)); /* 0, 1, 2, 4, 8 ... */
    return is_full ? realloc(array, (count ? 2 * (size_t)count : 1) * bytes) : array;
}

cl_int command_add(cl_event command, const device_operation *operation)
{
    device_operation *grown = grow(command->operations, command->operation_count, sizeof *grown);
    if (!grown)
        return CL_OUT_OF_HOST_MEMORY;
    command->operations = grown;
    command->operations[command->operation_count++] = *operation;
    return CL_SUCCESS;
}

cl_int command_wait_for(cl_event command, cl_event other, int passes_errors)
{
    command_wait *grown = grow(command->waits, command->wait_count, sizeof *grown);
    if (!grown)
        return CL_OUT_OF_HOST_MEMORY;
    object_hold(other);
    command->waits = grown;
    command->waits[command->wait_count++] = (command_wait){other, passes_errors};
    return CL_SUCCESS;
}

cl_int command_use(cl_event command, void *used)
{
    object **grown = grow(command->uses, command->use_count, sizeof *grown);
    if (!grown)
        return CL_OUT_OF_HOST_MEMORY;
    object_hold(used);
    command->uses = grown;
    command->uses[command->use_count++] = used;
    return CL_SUCCESS;
}

void command_forget_work(cl_event command)
{
    for (uint32_t i = 0; i < command->wait_count; i++)
        object_drop(command->waits[i].event);
    for (uint32_t i = 0; i < command->use_count; i++)
        object_drop(command->uses[i]);
    free(command->waits);
    free(command->uses);
    free(command->operations);
    free(command->staging);
    command->wait_count = command->use_count = command->operation_count = 0;
    command->waits = NULL;
    command->uses = NULL;
    command->operations = NULL;
    command->staging = NULL;
}

/* ---- Into the queue ---------------------------------------------------------------------------------------------------- */

static cl_int wait_for_list(cl_event command, cl_uint count, const cl_event *list)
{
    cl_int error = CL_SUCCESS;
    for (cl_uint i = 0; i < count && !error; i++)
        error = command_wait_for(command, list[i], 1);
    return error;
}

cl_event command_new(cl_command_queue queue, cl_command_type type, cl_uint count, const cl_event *waits, cl_int *error)
{
    if ((*error = event_check_list(queue->context, count, waits)))
        return NULL;
    cl_event made = object_new(sizeof *made, OBJECT_EVENT);
    if (!made) {
        *error = CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    object_hold(queue);
    object_hold(queue->context);
    made->queue = queue;
    made->context = queue->context;
    made->type = type;
    made->status = CL_QUEUED;
    made->launch = OPENCL_NO_LAUNCH;
    if ((*error = wait_for_list(made, count, waits))) {
        object_release(made, OBJECT_EVENT);
        return NULL;
    }
    return made;
}

static int is_barrier(const struct _cl_event *command)
{
    return command->type == CL_COMMAND_BARRIER;
}

/* Those before it in the queue that have not ended: of a queue in order the latest stands for all. */
static cl_int wait_for_all_before(cl_event command)
{
    cl_int error = CL_SUCCESS;
    if (queue_is_in_order(command->queue))
        return CL_SUCCESS;
    for (cl_event at = scheduler_first(); at && !error; at = at->next_live)
        if (at->queue == command->queue)
            error = command_wait_for(command, at, 0);
    return error;
}

static cl_int wait_as_the_queue_says(cl_event command)
{
    cl_command_queue queue = command->queue;
    cl_event before = queue_is_in_order(queue) ? queue->last : queue->barrier;
    return before ? command_wait_for(command, before, 0) : CL_SUCCESS;
}

static int has_succeeded(const struct _cl_event *command)
{
    return command->status == CL_COMPLETE;
}

static cl_int wait_until_done(cl_event command)
{
    const cl_int error = scheduler_wait(event_has_ended, command);
    return error || has_succeeded(command) ? error : command->status;
}

cl_int command_enqueue(cl_event command, cl_int error, cl_bool blocks, cl_event *event)
{
    if (!error)
        error = wait_as_the_queue_says(command);
    cl_command_queue queue = command->queue;
    if (!error && (error = scheduler_add(command)) == CL_SUCCESS) {
        if (command->failure) {
            error = command->failure;
        } else if (!event_has_ended(command)) {
            queue->last = command;
            if (is_barrier(command))
                queue->barrier = command;
        }
        if (blocks && !error)
            error = wait_until_done(command);
    }
    if (error || !event)
        object_release(command, OBJECT_EVENT);
    else
        *event = command;
    return error;
}

/* ---- Commands that only wait ---------------------------------------------------------------------------------------------- */

/* For the list, or without one for all before. */
static cl_int enqueue_waiting(cl_command_queue queue, cl_command_type type, cl_uint count, const cl_event *list,
                              cl_event *event)
{
    cl_int error = object_is(queue, OBJECT_QUEUE) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
    cl_event command = error ? NULL : command_new(queue, type, count, list, &error);
    if (!command)
        return error;
    if (!count)
        error = wait_for_all_before(command);
    return command_enqueue(command, error, CL_FALSE, event);
}

cl_int CL_API_CALL opencl_enqueue_marker_with_wait_list(cl_command_queue queue, cl_uint count, const cl_event *list,
                                                        cl_event *event)
{
    runtime_enter();
    return runtime_leave(enqueue_waiting(queue, CL_COMMAND_MARKER, count, list, event));
}

cl_int CL_API_CALL opencl_enqueue_barrier_with_wait_list(cl_command_queue queue, cl_uint count, const cl_event *list,
                                                         cl_event *event)
{
    runtime_enter();
    return runtime_leave(enqueue_waiting(queue, CL_COMMAND_BARRIER, count, list, event));
}

/* ---- The same of OpenCL 1.1 ------------------------------------------------------------------------------------------------- */

cl_int CL_API_CALL opencl_enqueue_marker(cl_command_queue queue, cl_event *event)
{
    if (!object_is(queue, OBJECT_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    return event ? opencl_enqueue_marker_with_wait_list(queue, 0, NULL, event) : CL_INVALID_VALUE;
}

cl_int CL_API_CALL opencl_enqueue_barrier(cl_command_queue queue)
{
    return opencl_enqueue_barrier_with_wait_list(queue, 0, NULL, NULL);
}

cl_int CL_API_CALL opencl_enqueue_wait_for_events(cl_command_queue queue, cl_uint count, const cl_event *list)
{
    if (!object_is(queue, OBJECT_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!count || !list)
        return CL_INVALID_VALUE;
    const cl_int error = opencl_enqueue_barrier_with_wait_list(queue, count, list, NULL);
    return error == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : error;
}
