/* SPDX-License-Identifier: MIT */
/* How time passes: step by step, and what is told to the program in between. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hd_address.h"
#include "session.h"

/* ---- Lines ---------------------------------------------------------------------------------------------------------- */

static void keep(session *s, const char *text, const told_line *head)
{
    const size_t bytes = strlen(text) + 1;
    told_line *line = malloc(sizeof *line + bytes);
    if (!line)
        return;
    *line = *head;
    memcpy(line->text, text, bytes);
    if (s->last_line)
        s->last_line->next = line;
    else
        s->first_line = line;
    s->last_line = line;
}

void session_keep_print(void *owner, const char *text)
{
    session *s = owner;
    if (s->callbacks.print)
        keep(s, text, &(told_line){.is_print = 1});
}

void session_keep_log(void *owner, uint32_t severity, hd_time t, const char *block, const char *text)
{
    session *s = owner;
    if (s->callbacks.log)
        keep(s, text, &(told_line){.severity = severity, .t = t, .block = block});
}

static told_line *take_line(session *s)
{
    told_line *line = s->first_line;
    if (!line)
        return NULL;
    s->first_line = line->next;
    if (!s->first_line)
        s->last_line = NULL;
    return line;
}

void session_drop_lines(session *s)
{
    told_line *line;
    while ((line = take_line(s)))
        free(line);
}

static void tell_finished(session *s, const host_operation *done)
{
    const heddle_callbacks *to = &s->callbacks;
    const uint32_t launch = done->descriptor.launch.grid.launch;
    s->moments[launch].submitted = done->told;
    s->moments[launch].finished = done->ended;
    if (to->finished)
        to->finished(to->context, launch, done->ended);
}

/* Then what is behind it in the queue may go on. */
static void call_back(session *s, const host_operation *done)
{
    done->call_back(done->call_context, done->ended);
    done->returned->turn = 1;
    done->returned->at = hd_machine_time(s->machine);
    hd_machine_wake_driver(s->machine);
}

static void notify(session *s)
{
    const heddle_callbacks *to = &s->callbacks;
    told_line *line;
    host_operation *done;
    while ((line = take_line(s))) {
        if (line->is_print)
            to->print(to->context, line->text);
        else
            to->log(to->context, line->severity, line->t, line->block, line->text);
        free(line);
    }
    while (s->driver && (done = host_driver_take(s->driver))) {
        if (done->kind == HOST_OPERATION_LAUNCH)
            tell_finished(s, done);
        if (done->call_back)
            call_back(s, done);
        host_operation_free(done);
    }
}

/* ---- Steps ---------------------------------------------------------------------------------------------------------- */

static heddle_error ended(session *s, uint32_t outcome)
{
    static const heddle_error errors[] = {
        [HD_OUTCOME_PASS] = HEDDLE_OK,
        [HD_OUTCOME_FAIL] = HEDDLE_ERROR_APP,
        [HD_OUTCOME_ERROR] = HEDDLE_ERROR_APP,
        [HD_OUTCOME_FAULT] = HEDDLE_ERROR_FAULT,
        [HD_OUTCOME_DEADLOCK] = HEDDLE_ERROR_DEADLOCK,
        [HD_OUTCOME_LIVELOCK] = HEDDLE_ERROR_LIVELOCK,
        [HD_OUTCOME_LIMIT] = HEDDLE_ERROR_LIMIT,
        [HD_OUTCOME_SIMT_DEADLOCK] = HEDDLE_ERROR_LIVELOCK,
        [HD_OUTCOME_STOPPED] = HEDDLE_ERROR_FAULT,
    };
    return errors[outcome] ? fail(errors[outcome], "%s", hd_machine_message(s->machine)) : HEDDLE_OK;
}

heddle_error session_state(session *s)
{
    const char *failure = s->driver ? host_driver_failure(s->driver) : NULL;
    const uint32_t outcome = hd_machine_outcome(s->machine);
    if (failure)
        return fail(HEDDLE_ERROR_DEVICE, "%s", failure);
    return outcome == HD_OUTCOME_GOING ? HEDDLE_OK : ended(s, outcome);
}

heddle_error session_step(session *s, hd_time until)
{
    heddle_error error = session_state(s);
    if (error)
        return error;
    hd_machine_advance(s->machine, until);
    notify(s);
    return session_state(s);
}

heddle_error session_be_patient(const session *s, uint64_t *began)
{
    struct timespec clock;
    if (!s->patience)
        return HEDDLE_OK;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    const uint64_t now = (uint64_t)clock.tv_sec * 1000 + (uint64_t)clock.tv_nsec / 1000000;
    *began = *began ? *began : now;
    return now - *began < s->patience ? HEDDLE_OK
                                      : fail(HEDDLE_ERROR_INTERRUPTED, "the call has waited for %u ms, until %llu ps",
                                             s->patience, (unsigned long long)hd_machine_time(s->machine));
}

static heddle_error wait_for(session *s, condition *holds, uint32_t index, uint32_t may_be_interrupted)
{
    heddle_error error = session_state(s);
    uint64_t began = 0;
    while (!error && !holds(s, index) && hd_machine_outcome(s->machine) == HD_OUTCOME_GOING) {
        error = session_step(s, hd_machine_quiet_until(s->machine, s->driver ? s->grain : HD_MACHINE_STRETCH_PS));
        if (!error && may_be_interrupted && !holds(s, index))
            error = session_be_patient(s, &began);
    }
    return error;
}

heddle_error session_wait(session *s, condition *holds, uint32_t index)
{
    return wait_for(s, holds, index, 1);
}

heddle_error session_finish_lane(session *s, uint32_t lane)
{
    return wait_for(s, lane_is_idle, lane, 0);
}

uint32_t lane_is_idle(session *s, uint32_t lane)
{
    return host_driver_is_idle(s->driver, lane);
}

heddle_error session_wait_lane(session *s, uint32_t lane)
{
    return session_wait(s, lane_is_idle, lane);
}

/* Of a machine with a host of its own: never before that has ended. */
static uint32_t all_idle(session *s, uint32_t unused)
{
    (void)unused;
    if (!s->driver)
        return 0;
    for (uint32_t lane = 0; lane < HOST_LANES; lane++)
        if (!lane_is_idle(s, lane))
            return 0;
    return 1;
}

heddle_error session_wait_all(session *s)
{
    return session_wait(s, all_idle, 0);
}

/* ---- Operations ------------------------------------------------------------------------------------------------------ */

host_operation *operation_new(uint32_t kind, size_t payload)
{
    host_operation *operation = calloc(1, sizeof *operation + payload);
    if (operation)
        operation->kind = kind;
    return operation;
}

void session_post(session *s, uint32_t lane, host_operation *operation)
{
    hd_machine_post(s->machine, lane, operation);
}

heddle_error session_access(session *s, const host_call *call)
{
    const heddle_error error = session_state(s);
    if (error || !call->bytes)
        return error;
    host_operation *operation = operation_new(HOST_OPERATION_ACCESS, 0);
    if (!operation)
        return fail_memory();
    operation->call = *call;
    session_post(s, HOST_LANE_OWN, operation);
    return session_finish_lane(s, HOST_LANE_OWN);
}

heddle_error session_read(session *s, void *into, uint64_t address, uint64_t bytes)
{
    return session_access(s, &(host_call){.kind = HOST_CALL_READ, .into = into, .address = address, .bytes = bytes});
}

heddle_error session_write(session *s, uint64_t address, const void *from, uint64_t bytes)
{
    return session_access(s, &(host_call){.kind = HOST_CALL_WRITE, .from = from, .address = address, .bytes = bytes});
}

heddle_error session_write_register(session *s, uint32_t offset, uint32_t value)
{
    return session_write(s, HD_HOST_MMIO_BASE + offset, &value, sizeof value);
}
