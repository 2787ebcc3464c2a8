/* SPDX-License-Identifier: MIT */
/*
 * Thread blocks take turns on the cores, which are given in turn. Where something waits for room, the block whose turn of a slice has
 * ended first stops; it goes on when all that has not started has, the one that has waited for longest first. Each time
 * a block leaves, its next turn is longer by a slice: so it gets on, however short a slice is against the way in and out.
 */
#include <stdlib.h>
#include <string.h>

#include "thread_block_policy_units.h"

enum { SLICE, PARAMETERS };

enum { BLOCK_GONE, BLOCK_RUNNING, BLOCK_STOPPING, BLOCK_SAVED, BLOCK_ENTERING };

typedef struct turn {
    uint32_t stage;
    uint32_t earlier; /* turns that it has had before */
    uint64_t since;   /* cycle at which it got its core; BLOCK_SAVED: at which it left */
} turn;

typedef struct time_slice {
    uint32_t slots;
    uint32_t next_core; /* where the search begins */
    uint32_t stopping;  /* blocks */
    uint64_t slice;
    turn turns[]; /* by slot */
} time_slice;

static thread_block_policy *time_slice_create(const thread_block_policy_parameters *parameters)
{
    time_slice *p = calloc(1, sizeof *p + parameters->slots * sizeof *p->turns);
    if (!p)
        return NULL;
    p->slots = parameters->slots;
    p->slice = parameters->share.values[SLICE].u;
    return (thread_block_policy *)p;
}

static void time_slice_destroy(thread_block_policy *unit)
{
    free(unit);
}

static void time_slice_reset(thread_block_policy *unit)
{
    time_slice *p = (time_slice *)unit;
    p->next_core = p->stopping = 0;
    memset(p->turns, 0, p->slots * sizeof *p->turns);
}

static void time_slice_event(thread_block_policy *unit, const thread_block_event *event)
{
    time_slice *p = (time_slice *)unit;
    turn *t = &p->turns[event->slot];
    switch (event->kind) {
    case THREAD_BLOCK_LAUNCHED:
        *t = (turn){.stage = BLOCK_RUNNING, .since = event->cycle};
        p->next_core = event->core + 1;
        break;
    case THREAD_BLOCK_STOPPING:
        t->stage = BLOCK_STOPPING;
        p->stopping++;
        break;
    case THREAD_BLOCK_SAVED:
        *t = (turn){.stage = BLOCK_SAVED, .since = event->cycle, .earlier = t->earlier + 1};
        p->stopping--;
        break;
    case THREAD_BLOCK_ENTERING:
        t->stage = BLOCK_ENTERING;
        t->since = event->cycle;
        p->next_core = event->core + 1;
        break;
    case THREAD_BLOCK_RESTORED: t->stage = BLOCK_RUNNING; break;
    case THREAD_BLOCK_ENDED:
        p->stopping -= t->stage == BLOCK_STOPPING;
        t->stage = BLOCK_GONE;
        break;
    default: break;
    }
}

static uint32_t time_slice_choose_core(const thread_block_policy *unit, const thread_block *block,
                                       const thread_block_cores *cores, uint64_t cycle)
{
    (void)block, (void)cycle;
    return thread_block_core_from(cores->takes, cores->count, ((const time_slice *)unit)->next_core % cores->count);
}

static uint64_t turn_ends(const time_slice *p, uint32_t slot)
{
    return p->turns[slot].since + p->slice * (1 + p->turns[slot].earlier);
}

/* Of those that run, the one whose turn ends first; NO_BLOCK if there is none. */
static uint32_t next_to_leave(const time_slice *p)
{
    uint32_t found = NO_BLOCK;
    for (uint32_t slot = 0; slot < p->slots; slot++)
        if (p->turns[slot].stage == BLOCK_RUNNING && (found == NO_BLOCK || turn_ends(p, slot) < turn_ends(p, found)))
            found = slot;
    return found;
}

/* At most one at a time: what it leaves may be enough. */
static uint64_t time_slice_next(const thread_block_policy *unit, const thread_block_demand *demand)
{
    const time_slice *p = (const time_slice *)unit;
    if (demand->stall != STALL_ROOM || p->stopping)
        return UINT64_MAX;
    const uint32_t slot = next_to_leave(p);
    return slot == NO_BLOCK ? UINT64_MAX : turn_ends(p, slot);
}

static uint32_t time_slice_choose_victim(const thread_block_policy *unit, const thread_block_demand *demand)
{
    return time_slice_next(unit, demand) <= demand->cycle ? next_to_leave((const time_slice *)unit) : NO_BLOCK;
}

static uint32_t time_slice_choose_saved(const thread_block_policy *unit, const thread_block_demand *demand)
{
    const time_slice *p = (const time_slice *)unit;
    uint32_t found = NO_BLOCK;
    if (demand->tried || (demand->unstarted && demand->stall != STALL_SLOT))
        return NO_BLOCK;
    for (uint32_t slot = 0; slot < p->slots; slot++)
        if (p->turns[slot].stage == BLOCK_SAVED &&
            (found == NO_BLOCK || p->turns[slot].since < p->turns[found].since))
            found = slot;
    return found;
}

static void time_slice_transfer(thread_block_policy *unit, const hd_state_stream *stream)
{
    time_slice *p = (time_slice *)unit;
    HD_STATE_SHAPE(stream, "turns of blocks", p->slots);
    HD_STATE_VALUE(stream, p->next_core);
    HD_STATE_VALUE(stream, p->stopping);
    HD_STATE_ARRAY(stream, p->turns, p->slots);
}

const thread_block_policy_unit thread_block_policy_time_slice = {
    .create = time_slice_create,
    .destroy = time_slice_destroy,
    .reset = time_slice_reset,
    .event = time_slice_event,
    .choose_core = time_slice_choose_core,
    .transfer = time_slice_transfer,
    .choose_victim = time_slice_choose_victim,
    .choose_saved = time_slice_choose_saved,
    .next = time_slice_next,
};

static const hd_parameter parameters[PARAMETERS] = {
    [SLICE] = {.name = "slice",
               .type = HD_TYPE_UNSIGNED,
               .unit = HD_UNIT_CYCLES,
               .standard = "10000 cycles",
               .minimum = 1,
               .maximum = UINT64_C(1) << 40,
               .doc = "from when a block gets its core until it may have to leave; each time it has left its next one is "
                      "longer by this"},
};

static const hd_message_use messages[] = {THREAD_BLOCK_POLICY_MOVES};

const hd_unit hd_thread_block_policy_time_slice = {
    HD_UNIT_HEAD(thread_block_policy, THREAD_BLOCK_POLICY, time_slice),
    .doc = "running blocks leave their core after a slice while others wait for room; those that have not started come before those "
           "that wait to go on. Cores need context.engine",
    .parameter_count = PARAMETERS,
    .parameters = parameters,
    .message_count = sizeof messages / sizeof *messages,
    .messages = messages,
};
