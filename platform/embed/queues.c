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
    if (!queue)
        return fail_null(__func__, "queue");
    *queue = NULL;
    const heddle_error error = session_enter_host(machine, __func__, &s);
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
    if (!queue)
        return fail_null(__func__, "queue");
    *queue = NULL;
    const heddle_error error = session_enter_host(machine, __func__, &s);
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

heddle_error heddle_wait(heddle_machine *machine)
{
    session *s;
    uint32_t index;
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    return error ? error : session_leave(s, session_wait_all(s));
}
