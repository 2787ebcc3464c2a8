/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "session.h"

#define EVENTS_MAX 0xFFFFFu /* what a handle holds */

static heddle_error create(session *s, heddle_event **event)
{
    uint32_t number = 0;
    while (number < s->event_count && s->events[number].mark)
        number++;
    if (number == s->event_count) {
        event_slot *events = number < EVENTS_MAX ? realloc(s->events, (number + 1) * sizeof *events) : NULL;
        if (!events)
            return fail_memory();
        s->events = events;
        s->events[s->event_count++] = (event_slot){0};
    }
    host_mark *mark = calloc(1, sizeof *mark);
    if (!mark)
        return fail_memory();
    mark->holders = 1;
    s->events[number].mark = mark;
    s->events[number].generation++;
    *event = handle_of(s, HANDLE_EVENT, number, s->events[number].generation);
    return HEDDLE_OK;
}

heddle_error heddle_event_create(heddle_machine *machine, heddle_event **event)
{
    session *s;
    if (!event)
        return fail_null(__func__, "event");
    *event = NULL;
    const heddle_error error = session_enter_host(machine, __func__, &s);
    return error ? error : session_leave(s, create(s, event));
}

heddle_error heddle_event_destroy(heddle_event *event)
{
    session *s;
    uint32_t index;
    const heddle_error error = session_enter(event, HANDLE_EVENT, __func__, &s, &index);
    if (error)
        return error;
    host_mark_release(s->events[index].mark);
    s->events[index].mark = NULL;
    return session_leave(s, HEDDLE_OK);
}

/* Appends an operation that names the mark, at the turn it is asked for. */
static heddle_error append(session *s, uint32_t queue, uint32_t kind, host_mark *mark)
{
    const heddle_error error = session_state(s);
    host_operation *operation = error ? NULL : operation_new(kind, 0);
    if (!operation)
        return error ? error : fail_memory();
    if (kind == HOST_OPERATION_MARK)
        mark->asked++;
    mark->holders++;
    operation->mark = mark;
    operation->turn = mark->asked;
    session_post(s, queue, operation);
    return HEDDLE_OK;
}

static heddle_error append_event(heddle_event *event, heddle_queue *queue, const char *function, uint32_t kind)
{
    session *s;
    uint32_t index, number;
    heddle_error error = session_enter(event, HANDLE_EVENT, function, &s, &index);
    if (error)
        return error;
    error = session_index(s, queue, HANDLE_QUEUE, function, &number);
    if (!error)
        error = append(s, number, kind, s->events[index].mark);
    return session_leave(s, error);
}

heddle_error heddle_event_record(heddle_event *event, heddle_queue *queue)
{
    return append_event(event, queue, __func__, HOST_OPERATION_MARK);
}

heddle_error heddle_queue_wait_event(heddle_queue *queue, heddle_event *event)
{
    return append_event(event, queue, __func__, HOST_OPERATION_AWAIT);
}

static uint32_t is_done_now(session *s, uint32_t index)
{
    const host_mark *mark = s->events[index].mark;
    return mark->turn >= mark->asked;
}

heddle_error heddle_event_wait(heddle_event *event)
{
    session *s;
    uint32_t index;
    const heddle_error error = session_enter(event, HANDLE_EVENT, __func__, &s, &index);
    return error ? error : session_leave(s, session_wait(s, is_done_now, index));
}

heddle_error heddle_event_poll(heddle_event *event, uint32_t *is_done, uint64_t *time)
{
    session *s;
    uint32_t index;
    if (!is_done)
        return fail_null(__func__, "is_done");
    const heddle_error error = session_enter(event, HANDLE_EVENT, __func__, &s, &index);
    if (error)
        return error;
    *is_done = is_done_now(s, index);
    if (time)
        *time = s->events[index].mark->at;
    return session_leave(s, session_state(s));
}

/* ---- Calls -------------------------------------------------------------------------------------------------------------- */

typedef void call_function(void *context, uint64_t time);

/* A mark that calls when it is passed, and behind it a wait for the function to return. */
static heddle_error append_call(session *s, uint32_t queue, call_function *function, void *context)
{
    const heddle_error error = session_state(s);
    if (error)
        return error;
    host_mark *passed = calloc(1, sizeof *passed), *returned = calloc(1, sizeof *returned);
    host_operation *mark = operation_new(HOST_OPERATION_MARK, 0), *wait = operation_new(HOST_OPERATION_AWAIT, 0);
    if (!passed || !returned || !mark || !wait) {
        free(passed);
        free(returned);
        free(mark);
        free(wait);
        return fail_memory();
    }
    passed->holders = 1;
    returned->holders = 2;
    returned->is_owners = 1;
    mark->mark = passed;
    mark->turn = wait->turn = 1;
    wait->mark = returned;
    mark->call_back = function;
    mark->call_context = context;
    mark->returned = returned;
    session_post(s, queue, mark);
    session_post(s, queue, wait);
    return HEDDLE_OK;
}

heddle_error heddle_queue_call(heddle_queue *queue, void (*function)(void *context, uint64_t time), void *context)
{
    session *s;
    uint32_t number;
    if (!function)
        return fail_null(__func__, "function");
    const heddle_error error = session_enter(queue, HANDLE_QUEUE, __func__, &s, &number);
    return error ? error : session_leave(s, append_call(s, number, function, context));
}
