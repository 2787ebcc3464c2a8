/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "entries.h"
#include "runtime.h"

static const info_row rows[] = {
    INFO_FIELD(CL_EVENT_COMMAND_QUEUE, struct _cl_event, queue),
    INFO_FIELD(CL_EVENT_CONTEXT, struct _cl_event, context),
    INFO_FIELD(CL_EVENT_COMMAND_TYPE, struct _cl_event, type),
    INFO_FIELD(CL_EVENT_COMMAND_EXECUTION_STATUS, struct _cl_event, status),
    INFO_FIELD(CL_EVENT_REFERENCE_COUNT, struct _cl_event, base.references),
};

static const info_row profiling_rows[] = {
    INFO_FIELD(CL_PROFILING_COMMAND_QUEUED, struct _cl_event, times[0]),
    INFO_FIELD(CL_PROFILING_COMMAND_SUBMIT, struct _cl_event, times[1]),
    INFO_FIELD(CL_PROFILING_COMMAND_START, struct _cl_event, times[2]),
    INFO_FIELD(CL_PROFILING_COMMAND_END, struct _cl_event, times[3]),
    INFO_FIELD(CL_PROFILING_COMMAND_COMPLETE, struct _cl_event, times[3]), /* nothing that it started goes on */
};

int event_has_ended(void *event)
{
    return ((cl_event)event)->status <= CL_COMPLETE;
}

void event_destroy(cl_event gone)
{
    command_forget_work(gone);
    while (gone->callbacks) {
        callback *next = gone->callbacks->next;
        free(gone->callbacks);
        gone->callbacks = next;
    }
    object_drop(gone->queue);
    object_drop(gone->context);
}

cl_int event_check_list(cl_context context, cl_uint count, const cl_event *list)
{
    if (!count != !list)
        return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < count; i++)
        if (!object_is(list[i], OBJECT_EVENT))
            return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < count; i++)
        if (list[i]->context != context)
            return CL_INVALID_CONTEXT;
    return CL_SUCCESS;
}

/* ---- Callbacks --------------------------------------------------------------------------------------------------------- */

/* An error calls all: statuses that were to come before it have been passed too. */
static int is_due(const callback *asked, cl_int status)
{
    return status <= asked->status;
}

void event_reach(cl_event event, cl_int status)
{
    callback **at = &event->callbacks;
    event->status = status;
    while (*at) {
        callback *one = *at;
        if (!is_due(one, status)) {
            at = &one->next;
            continue;
        }
        *at = one->next;
        if (status < 0)
            one->status = status;
        runtime_call_later(one);
    }
}

static cl_int add_callback(cl_event event, cl_int status, void(CL_CALLBACK *function)(cl_event, cl_int, void *),
                           void *data)
{
    callback **last = &event->callbacks;
    callback *added = calloc(1, sizeof *added);
    if (!added)
        return CL_OUT_OF_HOST_MEMORY;
    *added =
        (callback){.form = CALLBACK_EVENT, .status = status, .handle = event, .data = data, .function.event = function};
    while (*last)
        last = &(*last)->next;
    *last = added;
    event_reach(event, event->status); /* it may be past it already */
    return runtime_start_pump();
}

cl_int CL_API_CALL opencl_set_event_callback(cl_event event, cl_int status,
                                             void(CL_CALLBACK *function)(cl_event, cl_int, void *), void *data)
{
    runtime_enter();
    if (!object_is(event, OBJECT_EVENT))
        return runtime_leave(CL_INVALID_EVENT);
    if (!function || status < CL_COMPLETE || status > CL_SUBMITTED)
        return runtime_leave(CL_INVALID_VALUE);
    return runtime_leave(add_callback(event, status, function, data));
}

/* ---- Questions ------------------------------------------------------------------------------------------------------------ */

static int asks_of_change(cl_event event, cl_event_info query)
{
    return query == CL_EVENT_COMMAND_EXECUTION_STATUS && !event_has_ended(event);
}

/* A program that asks again and again waits: a little time passes. */
cl_int CL_API_CALL opencl_get_event_info(cl_event event, cl_event_info query, size_t size, void *value,
                                         size_t *size_needed)
{
    runtime_enter();
    if (!object_is(event, OBJECT_EVENT))
        return runtime_leave(CL_INVALID_EVENT);
    if (asks_of_change(event, query))
        scheduler_step();
    return runtime_leave(INFO_LOOK_UP(&((info_answer){size, value, size_needed}), rows, query, event));
}

static int has_times(cl_event event)
{
    return event->queue && event->queue->properties & CL_QUEUE_PROFILING_ENABLE && event->status == CL_COMPLETE;
}

cl_int CL_API_CALL opencl_get_event_profiling_info(cl_event event, cl_profiling_info query, size_t size, void *value,
                                                   size_t *size_needed)
{
    runtime_enter();
    if (!object_is(event, OBJECT_EVENT))
        return runtime_leave(CL_INVALID_EVENT);
    if (!has_times(event))
        return runtime_leave(CL_PROFILING_INFO_NOT_AVAILABLE);
    return runtime_leave(INFO_LOOK_UP(&((info_answer){size, value, size_needed}), profiling_rows, query, event));
}

/* ---- Life ------------------------------------------------------------------------------------------------------------------ */

cl_int CL_API_CALL opencl_retain_event(cl_event event)
{
    runtime_enter();
    return runtime_leave(object_retain(event, OBJECT_EVENT));
}

cl_int CL_API_CALL opencl_release_event(cl_event event)
{
    runtime_enter();
    return runtime_leave(object_release(event, OBJECT_EVENT));
}

cl_event CL_API_CALL opencl_create_user_event(cl_context context, cl_int *error)
{
    runtime_enter();
    if (!object_is(context, OBJECT_CONTEXT))
        return opencl_made(NULL, CL_INVALID_CONTEXT, error);
    cl_event made = object_new(sizeof *made, OBJECT_EVENT);
    if (!made)
        return opencl_made(NULL, CL_OUT_OF_HOST_MEMORY, error);
    object_hold(context);
    made->context = context;
    made->type = CL_COMMAND_USER;
    made->status = CL_SUBMITTED;
    return opencl_made(made, CL_SUCCESS, error);
}

cl_int CL_API_CALL opencl_set_user_event_status(cl_event event, cl_int status)
{
    runtime_enter();
    if (!object_is(event, OBJECT_EVENT) || event->queue)
        return runtime_leave(CL_INVALID_EVENT);
    if (status > CL_COMPLETE)
        return runtime_leave(CL_INVALID_VALUE);
    if (event_has_ended(event))
        return runtime_leave(CL_INVALID_OPERATION);
    scheduler_end_user_event(event, status);
    return runtime_leave(CL_SUCCESS);
}

/* ---- Waiting --------------------------------------------------------------------------------------------------------------- */

typedef struct event_list {
    cl_uint count;
    const cl_event *events;
} event_list;

static int have_ended(void *about)
{
    const event_list *list = about;
    for (cl_uint i = 0; i < list->count; i++)
        if (!event_has_ended(list->events[i]))
            return 0;
    return 1;
}

static cl_int check_wait(const event_list *list)
{
    if (!list->count || !list->events)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < list->count; i++)
        if (!object_is(list->events[i], OBJECT_EVENT))
            return CL_INVALID_EVENT;
    for (cl_uint i = 1; i < list->count; i++)
        if (list->events[i]->context != list->events[0]->context)
            return CL_INVALID_CONTEXT;
    return CL_SUCCESS;
}

static cl_int wait_for(event_list *list)
{
    cl_int error = check_wait(list);
    if (error)
        return error;
    for (cl_uint i = 0; i < list->count; i++)
        object_hold(list->events[i]); /* another thread may release it meanwhile */
    error = scheduler_wait(have_ended, list);
    for (cl_uint i = 0; i < list->count; i++) {
        if (!error && list->events[i]->status < 0)
            error = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        object_drop(list->events[i]);
    }
    return error;
}

cl_int CL_API_CALL opencl_wait_for_events(cl_uint count, const cl_event *events)
{
    runtime_enter();
    return runtime_leave(wait_for(&(event_list){count, events}));
}
