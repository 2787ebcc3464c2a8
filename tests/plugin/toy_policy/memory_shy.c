/* SPDX-License-Identifier: MIT */
/*
 * A thread-block policy of a plug-in: a core is full, too, when the levels of its blocks add up to more than a limit. The block
 * whose level has risen over it leaves, unless it is alone there, and goes on when nobody else waits for room.
 */
#include <stdlib.h>

#include "thread_block_policy.h"

enum { LIMIT, PERIOD, PARAMETERS };
enum { EVICTIONS, STATISTICS };

enum { GONE, RUNNING, LEAVING, SAVED };

#define HIGHEST_LEVEL 7u

typedef struct placed_block {
    uint32_t stage;
    uint32_t core;
    uint32_t level;
    uint64_t order; /* in which they have left */
} placed_block;

typedef struct core_load {
    uint32_t blocks; /* that run */
    uint32_t level;  /* of them together */
} core_load;

typedef struct memory_shy {
    hd_unit_share share;
    uint32_t slots;
    uint32_t cores;
    uint32_t victim; /* a block that has to leave, or NO_BLOCK */
    uint64_t departures;
    core_load *loads;      /* by core */
    placed_block blocks[]; /* by slot */
} memory_shy;

static void reset(thread_block_policy *unit)
{
    memory_shy *p = (memory_shy *)unit;
    p->victim = NO_BLOCK;
    p->departures = 0;
    for (uint32_t core = 0; core < p->cores; core++)
        p->loads[core] = (core_load){0};
    for (uint32_t slot = 0; slot < p->slots; slot++)
        p->blocks[slot] = (placed_block){0};
}

static void destroy(thread_block_policy *unit)
{
    if (unit)
        free(((memory_shy *)unit)->loads);
    free(unit);
}

static thread_block_policy *create(const thread_block_policy_parameters *parameters)
{
    memory_shy *p = calloc(1, sizeof *p + parameters->slots * sizeof *p->blocks);
    if (!p)
        return NULL;
    p->share = parameters->share;
    p->slots = parameters->slots;
    p->cores = parameters->cores;
    p->loads = calloc(p->cores, sizeof *p->loads);
    if (!p->loads) {
        destroy((thread_block_policy *)p);
        return NULL;
    }
    reset((thread_block_policy *)p);
    return (thread_block_policy *)p;
}

/* The block counts for its core from now on. */
static void enter(memory_shy *p, uint32_t slot, uint32_t core)
{
    p->blocks[slot].stage = RUNNING;
    p->blocks[slot].core = core;
    p->loads[core].blocks++;
    p->loads[core].level += p->blocks[slot].level;
}

/* It does not any more. */
static void leave(memory_shy *p, uint32_t slot)
{
    if (p->blocks[slot].stage == RUNNING) {
        p->loads[p->blocks[slot].core].blocks--;
        p->loads[p->blocks[slot].core].level -= p->blocks[slot].level;
    }
    if (p->victim == slot)
        p->victim = NO_BLOCK;
}

static uint32_t is_over(const memory_shy *p, uint32_t core)
{
    return p->loads[core].blocks > 1 && p->loads[core].level > p->share.values[LIMIT].u;
}

static void learn(memory_shy *p, uint32_t slot, const hd_block_level *level)
{
    placed_block *block = &p->blocks[slot];
    const uint32_t has_risen = level->memory_level > block->level;
    if (block->stage != RUNNING)
        return;
    p->loads[block->core].level += level->memory_level - block->level;
    block->level = level->memory_level;
    if (has_risen && !level->last && p->victim == NO_BLOCK && is_over(p, block->core))
        p->victim = slot;
}

static void event(thread_block_policy *unit, const thread_block_event *event)
{
    memory_shy *p = (memory_shy *)unit;
    placed_block *block = &p->blocks[event->slot];
    switch (event->kind) {
    case THREAD_BLOCK_LAUNCHED: block->level = 0; /* fall through */
    case THREAD_BLOCK_ENTERING: enter(p, event->slot, event->core); break;
    case THREAD_BLOCK_LEVEL: learn(p, event->slot, event->level); break;
    case THREAD_BLOCK_STOPPING:
        leave(p, event->slot);
        block->stage = LEAVING;
        break;
    case THREAD_BLOCK_SAVED:
        block->stage = SAVED;
        block->order = p->departures++;
        p->share.counters[EVICTIONS]++;
        break;
    case THREAD_BLOCK_ENDED:
        leave(p, event->slot);
        block->stage = GONE;
        break;
    default: break;
    }
}

/* The one with the lowest levels; an empty core takes everybody. */
static uint32_t choose_core(const thread_block_policy *unit, const thread_block *block, const thread_block_cores *cores,
                            uint64_t cycle)
{
    const memory_shy *p = (const memory_shy *)unit;
    const uint32_t level = block->core == NO_CORE ? 0 : p->blocks[block->slot].level;
    uint32_t best = NO_CORE;
    (void)cycle;
    for (uint32_t core = 0; core < cores->count; core++) {
        if (!(cores->takes[core / 64] >> (core % 64) & 1))
            continue;
        if (p->loads[core].blocks != 0 && p->loads[core].level + level > p->share.values[LIMIT].u)
            continue;
        if (best == NO_CORE || p->loads[core].level < p->loads[best].level)
            best = core;
    }
    return best;
}

static uint32_t choose_victim(const thread_block_policy *unit, const thread_block_demand *demand)
{
    (void)demand;
    return ((const memory_shy *)unit)->victim;
}

static uint32_t choose_saved(const thread_block_policy *unit, const thread_block_demand *demand)
{
    const memory_shy *p = (const memory_shy *)unit;
    uint32_t found = NO_BLOCK;
    if (demand->tried || (demand->unstarted && demand->stall != STALL_SLOT))
        return NO_BLOCK;
    for (uint32_t slot = 0; slot < p->slots; slot++)
        if (p->blocks[slot].stage == SAVED && (found == NO_BLOCK || p->blocks[slot].order < p->blocks[found].order))
            found = slot;
    return found;
}

static uint32_t watch(const thread_block_policy *unit, const thread_block *block, hd_block_watch *watch)
{
    const memory_shy *p = (const memory_shy *)unit;
    *watch = (hd_block_watch){.period = p->share.values[PERIOD].u,
                              .memory_steps = HIGHEST_LEVEL + 1,
                              .highest = HIGHEST_LEVEL,
                              .memory_level = p->blocks[block->slot].level};
    return 1;
}

static const thread_block_policy_unit functions = {
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .event = event,
    .choose_core = choose_core,
    .choose_victim = choose_victim,
    .choose_saved = choose_saved,
    .watch = watch,
};

static const hd_parameter parameters[PARAMETERS] = {
    [LIMIT] = {.name = "limit",
               .type = HD_TYPE_UNSIGNED,
               .standard = "8",
               .minimum = 1,
               .maximum = 1000000,
               .doc = "sum of the levels of a core's blocks, of 0 to 7 each, above which one leaves"},
    [PERIOD] = {.name = "period",
                .type = HD_TYPE_UNSIGNED,
                .unit = HD_UNIT_CYCLES,
                .standard = "1000 cycles",
                .minimum = 1,
                .maximum = 1000000000,
                .doc = "of which a level is taken"},
};

static const hd_statistic statistics[STATISTICS] = {
    [EVICTIONS] = {.name = "memory_shy_evictions",
                   .unit = "blocks",
                   .kind = HD_STATISTIC_COUNT,
                   .doc = "thread blocks that have left as their core wanted too much of its memory pipe"},
};

static const hd_message_use messages[] = {THREAD_BLOCK_POLICY_MOVES, THREAD_BLOCK_POLICY_LEVELS};

static const hd_requirement requirements[] = {
    {.what = HD_REQUIRES_RANGE,
     .sentence = "needs 2 context slots at least: blocks that have left keep theirs",
     .parameter = "context_slots",
     .minimum = 2,
     .maximum = UINT64_MAX},
};

const hd_unit toy_memory_shy = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_unit),
    .kind = "thread_block_policy",
    .name = "memory_shy",
    .doc = "blocks leave a core whose blocks want too much of its memory pipe",
    .source = "an example",
    .interface = THREAD_BLOCK_POLICY_INTERFACE,
    .functions = &functions,
    .parameter_count = PARAMETERS,
    .parameters = parameters,
    .statistic_count = STATISTICS,
    .statistics = statistics,
    .message_count = sizeof messages / sizeof *messages,
    .messages = messages,
    .requirement_count = sizeof requirements / sizeof *requirements,
    .requirements = requirements,
};
