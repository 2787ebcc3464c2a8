/* SPDX-License-Identifier: MIT */
/* A block goes to the next core in turn whose sums it leaves within the limits. */
#include "usage.h"

#include <stdlib.h>
#include <string.h>

#include "tables.h"

/* To save and restore it. */
static uint64_t move_cycles(const usage *u, const thread_block *block)
{
    return (2 * block->context_bytes + u->settings.period_rate - 1) / u->settings.period_rate;
}

static void starts(usage *u, const thread_block_event *event)
{
    const thread_block *block = event->block;
    usage_profile_check(u, block->grid, event->cycle);
    u->blocks[event->slot] = (usage_block){.stage = USAGE_RUNNING,
                                           .entry = usage_entry_of(u, block),
                                           .kernel = usage_kernel_of(u, block->grid),
                                           .levels = usage_predict(u, block),
                                           .owner = ((uint64_t)block->grid->stream + 1) << 32 |
                                                    (uint32_t)hd_block_number_in(block->grid, block->block_index),
                                           .launch_order = ++u->order,
                                           .move_cycles = move_cycles(u, block)};
    usage_place(u, event->slot, event->core);
    u->next_core = event->core + 1;
}

static void enters(usage *u, const thread_block_event *event)
{
    usage_block *block = &u->blocks[event->slot];
    if (u->kind.preempts)
        u->preemption_statistics[USAGE_OVERDUE] += event->cycle >= block->due;
    block->stage = USAGE_ENTERING;
    usage_unqueue(u, event->slot);
    u->reserved_victims--;
    usage_place(u, event->slot, event->core);
    u->next_core = event->core + 1;
}

static void leaves(usage *u, const thread_block_event *event)
{
    usage_block *block = &u->blocks[event->slot];
    usage_leave(u, event->slot);
    u->core[event->core].has_eased = 0;
    block->stage = USAGE_SAVED;
    usage_queue(u, event->slot);
    block->order = ++u->order;
    block->due = u->settings.watchdog ? event->cycle + u->settings.watchdog * block->move_cycles : UINT64_MAX;
}

static void ends(usage *u, uint32_t slot)
{
    usage_block *block = &u->blocks[slot];
    u->to_stop -= block->stage == USAGE_TO_STOP;
    u->reserved_victims -= block->stage == USAGE_TO_STOP || block->stage == USAGE_STOPPING;
    usage_leave(u, slot);
    u->core[block->core].has_eased = 1;
    block->stage = USAGE_GONE;
}

void usage_event(thread_block_policy *unit, const thread_block_event *event)
{
    usage *u = (usage *)unit;
    switch (event->kind) {
    case THREAD_BLOCK_LAUNCHED: starts(u, event); break;
    case THREAD_BLOCK_STOPPING:
        u->blocks[event->slot].stage = USAGE_STOPPING;
        u->to_stop--;
        break;
    case THREAD_BLOCK_SAVED: leaves(u, event); break;
    case THREAD_BLOCK_ENTERING: enters(u, event); break;
    case THREAD_BLOCK_RESTORED: u->blocks[event->slot].stage = USAGE_RUNNING; break;
    case THREAD_BLOCK_LEVEL: usage_learn(u, event->slot, event->level); break;
    case THREAD_BLOCK_ENDED: ends(u, event->slot); break;
    default: break;
    }
}

uint32_t usage_choose_core(const thread_block_policy *unit, const thread_block *block, const thread_block_cores *cores,
                           uint64_t cycle)
{
    const usage *u = (const usage *)unit;
    const usage_block *saved = block->core == NO_CORE ? NULL : &u->blocks[block->slot];
    const usage_levels predicted = saved ? saved->levels : usage_predict(u, block);
    for (uint32_t i = 0; i < cores->count; i++) {
        const uint32_t core = (u->next_core + i) % cores->count;
        if (cores->takes[core / 64] >> core % 64 & 1 &&
            (saved ? usage_may_enter(u, saved, core, cycle) : usage_fits(u, core, &predicted)))
            return core;
    }
    return NO_CORE;
}

uint32_t usage_watch(const thread_block_policy *unit, const thread_block *block, hd_block_watch *watch)
{
    const usage *u = (const usage *)unit;
    const usage_settings *s = &u->settings;
    const usage_block *kept = &u->blocks[block->slot];
    const uint64_t period = s->period_factor * kept->move_cycles;
    *watch =
        (hd_block_watch){.period = period > s->period_minimum ? period : s->period_minimum,
                         .memory_steps = s->steps[USAGE_MEMORY],
                         .float_steps = s->steps[USAGE_FLOAT],
                         .demand_steps = s->steps[USAGE_DEMAND],
                         .abort_steps = s->steps[USAGE_ABORTS],
                         .highest = s->highest,
                         .every_window = u->kind.predicts == USAGE_OF_KERNELS || u->kind.tracks == USAGE_OF_KERNELS,
                         .memory_level = kept->levels.of[USAGE_MEMORY],
                         .float_level = kept->levels.of[USAGE_FLOAT],
                         .demand_level = kept->levels.of[USAGE_DEMAND],
                         .abort_level = kept->levels.of[USAGE_ABORTS]};
    return 1;
}

/* ---- Its life -------------------------------------------------------------------------------------------------------------- */

static uint32_t is_of_table(usage_kind kind)
{
    return kind.predicts == USAGE_OF_BLOCKS;
}

/* The sum of levels that is a whole core, in percent of it. */
static void set_limits(usage_settings *s, const hd_value *values)
{
    s->steps[USAGE_MEMORY] = (uint32_t)values[USAGE_MEMORY_STEPS].u;
    s->steps[USAGE_FLOAT] = (uint32_t)values[USAGE_FLOAT_STEPS].u;
    s->steps[USAGE_DEMAND] = (uint32_t)values[USAGE_DEMAND_STEPS].u;
    s->steps[USAGE_ABORTS] = (uint32_t)values[USAGE_ABORT_STEPS].u;
    for (uint32_t m = 0; m < USAGE_METRICS; m++)
        s->limits[m] = s->steps[m] ? (uint32_t)(s->steps[m] * values[USAGE_LIMIT].u / 100) : UINT32_MAX;
}

/* An entry has a level of memory and one of floats, and one of each further metric that is considered. */
static uint32_t kept_metrics(const usage_settings *s)
{
    return 2u + (s->steps[USAGE_DEMAND] != 0) + (s->steps[USAGE_ABORTS] != 0);
}

static usage_settings settings_of(const hd_value *values, usage_kind kind)
{
    const hd_value *preemption = values + USAGE_COMMON_PARAMETER_COUNT,
                   *table = preemption + (kind.preempts ? USAGE_PREEMPTION_PARAMETER_COUNT : 0);
    const uint32_t bits = (uint32_t)values[USAGE_BITS].u;
    usage_settings s = {.highest = (1u << bits) - 1, .period_rate = 1};
    if (kind.predicts != USAGE_OF_PROFILE) {
        s.period_factor = values[USAGE_PERIOD_FACTOR].u;
        s.period_rate = values[USAGE_PERIOD_RATE].u;
        s.period_minimum = values[USAGE_PERIOD_MINIMUM].u;
    }
    set_limits(&s, values);
    if (kind.preempts) {
        s.victims = (uint32_t)preemption[USAGE_VICTIMS].u;
        s.watchdog = preemption[USAGE_WATCHDOG].u;
        s.scans = (uint32_t)preemption[USAGE_SCAN].u;
    }
    if (is_of_table(kind))
        s.entries = (uint32_t)(table[USAGE_TABLE].u * 8 / (bits * kept_metrics(&s)));
    return s;
}

void usage_destroy(thread_block_policy *unit)
{
    usage *u = (usage *)unit;
    free(u->blocks);
    free(u->saved);
    free(u->core);
    free(u->table);
    free(u->owners);
    free(u->former);
    free(u->kernels);
    usage_profile_free(u->profile);
    free(u);
}

thread_block_policy *usage_create(const thread_block_policy_parameters *parameters, usage_kind kind)
{
    usage *u = calloc(1, sizeof *u);
    if (!u)
        return NULL;
    *u = (usage){.kind = kind,
                 .settings = settings_of(parameters->share.values, kind),
                 .slots = parameters->slots,
                 .cores = parameters->cores,
                 .statistics = parameters->share.counters,
                 .preemption_statistics = parameters->share.counters + USAGE_COMMON_STATISTIC_COUNT,
                 .table_statistics = parameters->share.counters + USAGE_COMMON_STATISTIC_COUNT +
                                     (kind.preempts ? USAGE_PREEMPTION_STATISTIC_COUNT : 0)};
    u->blocks = calloc(u->slots, sizeof *u->blocks);
    u->saved = calloc(u->slots, sizeof *u->saved);
    u->core = calloc(u->cores, sizeof *u->core);
    u->table = calloc(u->settings.entries + 1u, sizeof *u->table);
    u->owners = calloc(u->settings.entries + 1u, sizeof *u->owners);
    u->former = calloc(u->settings.entries + 1u, sizeof *u->former);
    const uint32_t reads = kind.predicts == USAGE_OF_PROFILE;
    if (reads)
        u->profile =
            usage_profile_read(parameters->share.values[USAGE_LEVEL_PARAMETER_COUNT + USAGE_PROFILE].text, parameters);
    if ((u->profile || !reads) && u->blocks && u->saved && u->core && u->table && u->owners && u->former)
        return (thread_block_policy *)u;
    usage_destroy((thread_block_policy *)u);
    return NULL;
}

void usage_reset(thread_block_policy *unit)
{
    usage *u = (usage *)unit;
    u->next_core = u->to_stop = u->reserved_victims = u->saved_count = u->kernel_count = 0;
    u->order = 0;
    memset(u->blocks, 0, u->slots * sizeof *u->blocks);
    memset(u->core, 0, u->cores * sizeof *u->core);
    memset(u->table, 0, u->settings.entries * sizeof *u->table);
    memset(u->owners, 0, u->settings.entries * sizeof *u->owners);
    memset(u->former, 0, u->settings.entries * sizeof *u->former);
}
