/* SPDX-License-Identifier: MIT */
/* One thread at a time, in the order in which they come; callbacks are called outside, by whoever leaves. */
#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* A program that makes no call for so long waits for a callback, or computes for longer than anybody wants to wait. */
#define PUMP_PATIENCE_NS 20000000
#define EXIT_PATIENCE_S 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static uint64_t next_turn; /* a turn is taken when one comes */
static uint64_t turn;
static callback *first_due;
static callback **last_due = &first_due;
static int has_pump;

void runtime_enter(void)
{
    pthread_mutex_lock(&mutex);
    const uint64_t mine = next_turn++;
    while (turn != mine)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

static struct timespec from_now(uint32_t seconds)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    now.tv_sec += seconds;
    return now;
}

int runtime_enter_soon(void)
{
    const struct timespec until = from_now(EXIT_PATIENCE_S);
    int error = 0;
    pthread_mutex_lock(&mutex);
    const uint64_t mine = next_turn++;
    while (turn != mine && !error)
        error = pthread_cond_timedwait(&changed, &mutex, &until);
    pthread_mutex_unlock(&mutex);
    return !error;
}

static void leave(void)
{
    pthread_mutex_lock(&mutex);
    turn++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

static callback *take_due(void)
{
    callback *all = first_due;
    first_due = NULL;
    last_due = &first_due;
    return all;
}

static void call(const callback *due)
{
    switch (due->form) {
    case CALLBACK_EVENT: due->function.event(due->handle, due->status, due->data); break;
    case CALLBACK_MEMORY: due->function.memory(due->handle, due->data); break;
    case CALLBACK_PROGRAM: due->function.program(due->handle, due->data); break;
    case CALLBACK_CONTEXT: due->function.context(due->handle, due->data); break;
    case CALLBACK_NOTICE: due->function.notice(due->handle, NULL, 0, due->data); break;
    }
}

/* The kind of a handle that is to be valid in the callback; OBJECT_RELEASED: it is gone, or none. */
static object_kind kind_of_handle(const callback *due)
{
    return due->form == CALLBACK_EVENT     ? OBJECT_EVENT
           : due->form == CALLBACK_PROGRAM ? OBJECT_PROGRAM
                                           : OBJECT_RELEASED;
}

/* Those that call the runtime themselves make further ones due, which their own calls see to. */
static void call_all(callback *due)
{
    for (callback *at = due; at; at = at->next)
        call(at);
    runtime_enter();
    while (due) {
        callback *next = due->next;
        if (kind_of_handle(due))
            object_release(due->handle, kind_of_handle(due));
        if (due->form == CALLBACK_NOTICE)
            free(due->handle);
        free(due);
        due = next;
    }
}

cl_int runtime_leave(cl_int error)
{
    callback *due;
    while ((due = take_due())) {
        leave();
        call_all(due);
    }
    leave();
    return error;
}

void runtime_pause(void)
{
    runtime_leave(CL_SUCCESS);
    runtime_enter();
}

void runtime_await_others(uint32_t seconds)
{
    const struct timespec until = from_now(seconds);
    int error = 0;
    pthread_mutex_lock(&mutex);
    const uint64_t seen = next_turn;
    const int is_alone = seen == turn + 1; /* else others wait for their turn now */
    pthread_mutex_unlock(&mutex);
    runtime_leave(CL_SUCCESS);
    pthread_mutex_lock(&mutex);
    while (is_alone && next_turn == seen && !error)
        error = pthread_cond_timedwait(&changed, &mutex, &until);
    pthread_mutex_unlock(&mutex);
    runtime_enter();
}

void runtime_call_later(callback *due)
{
    if (kind_of_handle(due))
        ((object *)due->handle)->references++;
    due->next = NULL;
    *last_due = due;
    last_due = &due->next;
}

/* ---- The pump -------------------------------------------------------------------------------------------------------- */

/* Returns when nobody has been in here for a while. */
static void await_silence(void)
{
    uint64_t seen, now;
    pthread_mutex_lock(&mutex);
    do {
        seen = next_turn;
        pthread_mutex_unlock(&mutex);
        nanosleep(&(struct timespec){.tv_nsec = PUMP_PATIENCE_NS}, NULL);
        pthread_mutex_lock(&mutex);
        now = next_turn;
    } while (now != seen || turn != now);
    pthread_mutex_unlock(&mutex);
}

/* A step, of a turn of its own: whoever comes in between has his turn. */
static int step(void)
{
    runtime_enter();
    const int goes_on = scheduler_step() && !first_due;
    runtime_leave(CL_SUCCESS);
    return goes_on;
}

static void *pump(void *unused)
{
    (void)unused;
    while (1) {
        uint64_t expected;
        await_silence();
        pthread_mutex_lock(&mutex);
        expected = next_turn;
        pthread_mutex_unlock(&mutex);
        while (step()) {
            expected++;
            pthread_mutex_lock(&mutex);
            const int is_alone = next_turn == expected;
            pthread_mutex_unlock(&mutex);
            if (!is_alone)
                break;
        }
    }
    return NULL;
}

cl_int runtime_start_pump(void)
{
    pthread_t thread;
    if (has_pump)
        return CL_SUCCESS;
    if (pthread_create(&thread, NULL, pump, NULL))
        return CL_OUT_OF_RESOURCES;
    pthread_detach(thread);
    has_pump = 1;
    return CL_SUCCESS;
}
