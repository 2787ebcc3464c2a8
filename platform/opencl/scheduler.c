/* SPDX-License-Identifier: MIT */
/*
 * Commands are a graph: each waits for those of its list, and for those before it that its queue says. A command goes to a lane
 * of the device when all that it waits for has gone to one: the device itself waits where they are different lanes, so that
 * the times of commands do not depend on when the program looks. Only a user event keeps a command here.
 */
#include <stdio.h>
#include <time.h>

#include "interruption.h"
#include "runtime.h"

#define NOTICE_S 10

static cl_event first_live, last_live;
static cl_int state; /* CL_OUT_OF_RESOURCES: the machine has stopped */

cl_event scheduler_first(void)
{
    return first_live;
}

cl_int scheduler_state(void)
{
    return state;
}

cl_ulong scheduler_now(void)
{
    return device_time(opencl_device.machine) / 1000;
}

int scheduler_is_idle(void)
{
    lane *at;
    for (uint32_t i = 0; (at = lane_at(i)); i++)
        if (at->pending)
            return 0;
    return 1;
}

/* ---- The end of a command --------------------------------------------------------------------------------------------- */

/* It may have ended before those before it, by an error of what it was waiting for. */
static cl_event latest_before(const struct _cl_event *command)
{
    cl_event at = command->previous_live;
    while (at && at->queue != command->queue)
        at = at->previous_live;
    return at;
}

static void leave_queue(cl_event command)
{
    cl_command_queue queue = command->queue;
    queue->live--;
    if (queue->last == command)
        queue->last = queue->live ? latest_before(command) : NULL;
    if (queue->barrier == command)
        queue->barrier = NULL;
    if (command->previous_live)
        command->previous_live->next_live = command->next_live;
    else
        first_live = command->next_live;
    if (command->next_live)
        command->next_live->previous_live = command->previous_live;
    else
        last_live = command->previous_live;
    command->next_live = command->previous_live = NULL;
}

/* It is in no lane any more. */
static void end(cl_event command, cl_int status)
{
    leave_queue(command);
    command_forget_work(command);
    device_mark_free(command->begin);
    device_mark_free(command->end);
    command->begin = command->end = NULL;
    event_reach(command, status);
    object_drop(command);
}

/* ---- To the lanes ------------------------------------------------------------------------------------------------------ */

typedef enum readiness { READY, WAITING, FAILED } readiness;

static readiness readiness_of(const struct _cl_event *command)
{
    readiness result = READY;
    for (uint32_t i = 0; i < command->wait_count; i++) {
        const command_wait *wait = &command->waits[i];
        if (event_has_ended(wait->event)) {
            if (wait->event->status < 0 && wait->passes_errors)
                return FAILED;
        } else if (!wait->event->lane) {
            result = WAITING;
        }
    }
    return result;
}

static int is_lane_of(const struct _cl_command_queue *queue, const lane *asked)
{
    for (uint32_t i = 0; i < queue->lane_count; i++)
        if (queue->lanes[i] == asked)
            return 1;
    return 0;
}

/* The one at whose end stands what the command waits for, else the one with the least to do. */
static lane *choose_lane(const struct _cl_event *command)
{
    const struct _cl_command_queue *queue = command->queue;
    lane *best = queue->lanes[0];
    for (uint32_t i = 0; i < command->wait_count; i++) {
        cl_event other = command->waits[i].event;
        if (!event_has_ended(other) && other->lane->last == other && is_lane_of(queue, other->lane))
            return other->lane;
    }
    for (uint32_t i = 1; i < queue->lane_count; i++)
        if (queue->lanes[i]->pending < best->pending)
            best = queue->lanes[i];
    return best;
}

static device_error await_others(const struct _cl_event *command, const lane *in)
{
    device_error error = DEVICE_OK;
    for (uint32_t i = 0; i < command->wait_count && !error; i++) {
        cl_event other = command->waits[i].event;
        if (!event_has_ended(other) && other->lane != in)
            error = device_await(in->device_lane, other->end);
    }
    return error;
}

/* Returns how many of its operations are in the lane; all of them, unless it fails. */
static uint32_t post_work(cl_event command, const lane *in)
{
    uint32_t posted = 0;
    device_error error = await_others(command, in);
    if (!error)
        error = device_record(in->device_lane, &command->begin);
    while (!error && posted < command->operation_count) {
        error = device_post(in->device_lane, &command->operations[posted], &command->launch);
        posted += !error;
    }
    command->failure = opencl_error_of(error);
    if (error == DEVICE_REFUSED)
        context_complain("%s", device_message(opencl_device.machine));
    return posted;
}

/* What fails after a part of it is in the lane ends when that is done, which uses the program's memory. */
static void post(cl_event command)
{
    lane *in = choose_lane(command);
    const uint32_t posted = post_work(command, in);
    device_error error = DEVICE_OK;
    if (posted || !command->failure)
        error = device_record(in->device_lane, &command->end);
    if (!command->end) {
        if (error)
            command->failure = opencl_error_of(error);
        end(command, command->failure);
        return;
    }
    command->lane = in;
    lane_append(in, command);
    command->times[1] = scheduler_now();
    event_reach(command, CL_SUBMITTED);
}

static void post_if_ready(cl_event command)
{
    switch (readiness_of(command)) {
    case READY: post(command); break;
    case FAILED: end(command, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST); break;
    case WAITING: break;
    }
}

/* In the order in which they were enqueued, which no wait goes against. */
static void post_all_ready(void)
{
    for (cl_event at = first_live, next; at; at = next) {
        next = at->next_live;
        if (!at->lane)
            post_if_ready(at);
    }
}

cl_int scheduler_add(cl_event command)
{
    if (state)
        return state;
    object_hold(command);
    command->previous_live = last_live;
    if (last_live)
        last_live->next_live = command;
    else
        first_live = command;
    last_live = command;
    command->queue->live++;
    command->times[0] = scheduler_now();
    post_if_ready(command);
    return CL_SUCCESS;
}

void scheduler_end_user_event(cl_event event, cl_int status)
{
    event_reach(event, status);
    post_all_ready();
}

/* ---- From the lanes ------------------------------------------------------------------------------------------------------ */

static void note_times(cl_event command, uint64_t begin, uint64_t ended)
{
    if (command->launch != OPENCL_NO_LAUNCH)
        device_launch_times(opencl_device.machine, command->launch, &begin, &ended);
    command->times[2] = begin / 1000;
    command->times[3] = ended / 1000;
}

/* Ends what is done at the head of the lane. */
static void collect(lane *from)
{
    uint64_t begin, ended;
    while (from->first && device_mark_is_done(from->first->begin, &begin)) {
        cl_event command = from->first;
        if (command->status == CL_SUBMITTED)
            event_reach(command, CL_RUNNING);
        if (!device_mark_is_done(command->end, &ended))
            return;
        note_times(command, begin, ended);
        lane_remove_first(from);
        end(command, command->failure ? command->failure : CL_COMPLETE);
    }
}

static void collect_all(void)
{
    lane *at;
    for (uint32_t i = 0; (at = lane_at(i)); i++)
        collect(at);
}

/* Nothing more happens in the machine. */
static void stop(void)
{
    const char *text = device_message(opencl_device.machine);
    lane *at;
    state = CL_OUT_OF_RESOURCES;
    context_complain("%s", text);
    for (uint32_t i = 0; (at = lane_at(i)); i++)
        while (at->first)
            lane_remove_first(at);
    while (first_live)
        end(first_live, CL_OUT_OF_RESOURCES);
}

int scheduler_step(void)
{
    if (state || scheduler_is_idle())
        return 0;
    interruption_begin_step();
    const device_error error = device_step(opencl_device.machine);
    collect_all();
    interruption_end_step();
    if (error)
        stop();
    return 1;
}

/* Only the program itself can go on. It may have another thread that does; if not, it should be said what it waits for. */
static void await_program(time_t since, int *is_told)
{
    runtime_await_others(NOTICE_S);
    if (*is_told || time(NULL) - since < NOTICE_S)
        return;
    *is_told = 1;
    fprintf(stderr, "heddle: the program waits for a user event, which nobody has ended for %d s\n", NOTICE_S);
}

cl_int scheduler_wait(int (*holds)(void *), void *about)
{
    time_t last_step = time(NULL);
    int is_told = 0;
    interruption_begin_step();
    while (!holds(about)) {
        if (scheduler_step()) {
            last_step = time(NULL);
            runtime_pause();
        } else {
            interruption_end_step();
            await_program(last_step, &is_told);
            interruption_begin_step();
        }
    }
    interruption_end_step();
    return state;
}
