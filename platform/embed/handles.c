/* SPDX-License-Identifier: MIT */
/*
 * Handles are numbers in the clothes of pointers: kind, which open machine, which thing of it, and which life of each. So a
 * handle that is no longer good is told from a good one, without looking at memory that may be gone.
 */
#include <pthread.h>
#include <stdlib.h>

#include "session.h"

/* From the top: 4 bits kind, 16 life of the machine, 12 its slot, 12 life of the thing, 20 its index. */
#define KIND_SHIFT 60
#define LIFE_SHIFT 44
#define SLOT_SHIFT 32
#define SLOTS_MAX 4096u
#define GENERATION_SHIFT 20
#define GENERATION_MASK 0xFFFu
#define INDEX_MASK 0xFFFFFu

typedef struct slot {
    session *owner; /* NULL: free */
    uint16_t life;
} slot;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static slot slots[SLOTS_MAX];

uint32_t session_enter_table(session *added)
{
    uint32_t found = 0;
    pthread_mutex_lock(&mutex);
    for (uint32_t i = 0; i < SLOTS_MAX && !found; i++) {
        slot *at = &slots[i];
        if (at->owner)
            continue;
        at->owner = added;
        at->life++;
        added->number = (uint64_t)at->life << LIFE_SHIFT | (uint64_t)i << SLOT_SHIFT;
        found = 1;
    }
    pthread_mutex_unlock(&mutex);
    return found;
}

static slot *slot_of(uint64_t number)
{
    return &slots[number >> SLOT_SHIFT & (SLOTS_MAX - 1)];
}

void session_leave_table(session *gone)
{
    pthread_mutex_lock(&mutex);
    slot_of(gone->number)->owner = NULL;
    pthread_mutex_unlock(&mutex);
}

void *handle_of(const session *owner, uint32_t kind, uint32_t index, uint32_t generation)
{
    const uint64_t number = (uint64_t)kind << KIND_SHIFT | owner->number |
                            (uint64_t)(generation & GENERATION_MASK) << GENERATION_SHIFT | index;
    return (void *)(uintptr_t)number;
}

static const char *kind_name(uint32_t kind)
{
    static const char *const names[] = {[HANDLE_MACHINE] = "machine",
                                        [HANDLE_QUEUE] = "queue",
                                        [HANDLE_EVENT] = "event",
                                        [HANDLE_KERNEL] = "kernel",
                                        [HANDLE_PROGRAM] = "program"};
    return names[kind];
}

static uint32_t is_alive(const session *s, uint32_t kind, uint32_t index, uint32_t generation)
{
    switch (kind) {
    case HANDLE_QUEUE:
        return index < HD_QUEUES_MAX && s->queues[index].is_open &&
               (s->queues[index].generation & GENERATION_MASK) == generation;
    case HANDLE_EVENT:
        return index < s->event_count && s->events[index].mark &&
               (s->events[index].generation & GENERATION_MASK) == generation;
    case HANDLE_KERNEL: return index < s->kernel_count && s->programs[s->kernels[index].program].is_open;
    case HANDLE_PROGRAM: return index < s->program_count && s->programs[index].is_open;
    default: return 1;
    }
}

/* Of a session that is busy for the caller. */
static heddle_error find_thing(const session *owner, uint64_t number, uint32_t kind, const char *function,
                               uint32_t *index)
{
    *index = (uint32_t)(number & INDEX_MASK);
    if (is_alive(owner, kind, *index, number >> GENERATION_SHIFT & GENERATION_MASK))
        return HEDDLE_OK;
    return fail(HEDDLE_ERROR_HANDLE, "%s: the %s is closed", function, kind_name(kind));
}

heddle_error session_enter(const void *handle, uint32_t kind, const char *function, session **owner, uint32_t *index)
{
    const uint64_t number = (uintptr_t)handle;
    const slot *at = slot_of(number);
    if (!handle)
        return fail_null(function, kind_name(kind));
    if (number >> KIND_SHIFT != kind)
        return fail(HEDDLE_ERROR_HANDLE, "%s: %p is no %s", function, handle, kind_name(kind));
    pthread_mutex_lock(&mutex);
    const uint32_t is_open = at->owner && at->life == (number >> LIFE_SHIFT & 0xFFFF);
    const uint32_t is_busy = is_open && at->owner->is_busy;
    if (is_open && !is_busy) {
        *owner = at->owner;
        at->owner->is_busy = 1;
    }
    pthread_mutex_unlock(&mutex);
    if (!is_open)
        return fail(HEDDLE_ERROR_HANDLE, "%s: the machine is closed", function);
    if (is_busy)
        return fail(HEDDLE_ERROR_BUSY, "%s: another call for this machine is under way", function);
    const heddle_error error = find_thing(*owner, number, kind, function, index);
    return error ? session_leave(*owner, error) : HEDDLE_OK;
}

heddle_error session_enter_host(heddle_machine *machine, const char *function, session **owner)
{
    uint32_t index;
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, function, owner, &index);
    if (error || (*owner)->driver)
        return error;
    return session_leave(*owner, fail(HEDDLE_ERROR_HOST,
                                      "%s: the machine's own host runs an app or firmware, and this "
                                      "program is not its host",
                                      function));
}

heddle_error session_index(const session *owner, const void *handle, uint32_t kind, const char *function,
                           uint32_t *index)
{
    const uint64_t number = (uintptr_t)handle;
    if (!handle)
        return fail_null(function, kind_name(kind));
    if (number >> KIND_SHIFT != kind)
        return fail(HEDDLE_ERROR_HANDLE, "%s: %p is no %s", function, handle, kind_name(kind));
    if ((number & ~(UINT64_C(0xF) << KIND_SHIFT)) >> SLOT_SHIFT != owner->number >> SLOT_SHIFT)
        return fail(HEDDLE_ERROR_HANDLE, "%s: the %s is of another machine, or closed", function, kind_name(kind));
    return find_thing(owner, number, kind, function, index);
}

heddle_error session_leave(session *owner, heddle_error error)
{
    pthread_mutex_lock(&mutex);
    owner->is_busy = 0;
    pthread_mutex_unlock(&mutex);
    return error;
}
