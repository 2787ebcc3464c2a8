/* SPDX-License-Identifier: MIT */
/*
 * Blocks that have to leave their core, and those that wait to go on. The queue has a place for a block from when it is marked
 * until it enters a core again; where it is full, all stay. The newest that fits goes on first, since what it needs may still be in a
 * cache. None waits for ever: an empty core takes any, and so does every core when a block has waited for too long
 * (Beaumont 2019 §3.4, §3.5).
 */
#include "tables.h"
#include "usage.h"

static uint32_t is_leaving(const usage_block *block)
{
    return block->stage == USAGE_TO_STOP || block->stage == USAGE_STOPPING;
}

/* Those of the core that nobody has told to leave; their levels are added. */
static uint32_t staying_on(const usage *u, uint32_t core, usage_levels *sum)
{
    uint32_t staying = u->core[core].resident;
    *sum = u->core[core].sum;
    for (uint32_t slot = 0; u->reserved_victims && slot < u->slots; slot++) {
        const usage_block *block = &u->blocks[slot];
        if (block->core != core || !is_leaving(block))
            continue;
        staying--;
        for (uint32_t m = 0; m < USAGE_METRICS; m++)
            sum->of[m] -= block->levels.of[m];
    }
    return staying;
}

static uint32_t is_risen_beyond(const usage *u, const usage_block *block, const usage_levels *before,
                                const usage_levels *sum)
{
    for (uint32_t m = 0; m < USAGE_METRICS; m++)
        if (block->levels.of[m] > before->of[m] && sum->of[m] > u->settings.limits[m])
            return 1;
    return 0;
}

/* Beyond a limit in a metric in which the block has risen, whoever is about to leave, and other blocks stay: what several blocks rise
 * by at a time, as all of a kernel do with its mean, takes no more of them than it has to. */
static uint32_t is_too_much(const usage *u, const usage_block *block, const usage_levels *before)
{
    usage_levels sum;
    return is_risen_beyond(u, block, before, &u->core[block->core].sum) && staying_on(u, block->core, &sum) > 1 &&
           is_risen_beyond(u, block, before, &sum);
}

/* Of the same kernel as the block, on the same core: it if it runs, where kernels are tracked the one that was launched last. */
static uint32_t victim_for(const usage *u, uint32_t slot)
{
    const usage_block *risen = &u->blocks[slot];
    uint32_t found = risen->stage == USAGE_RUNNING ? slot : NO_BLOCK;
    for (uint32_t i = 0; u->kind.tracks == USAGE_OF_KERNELS && i < u->slots; i++) {
        const usage_block *block = &u->blocks[i];
        if (block->stage == USAGE_RUNNING && block->kernel == risen->kernel && block->core == risen->core &&
            (found == NO_BLOCK || block->launch_order > u->blocks[found].launch_order))
            found = i;
    }
    return found;
}

void usage_mark(usage *u, uint32_t slot, const usage_levels *before)
{
    const uint32_t victim = is_too_much(u, &u->blocks[slot], before) ? victim_for(u, slot) : NO_BLOCK;
    if (victim == NO_BLOCK)
        return;
    if (u->reserved_victims == u->settings.victims) {
        u->preemption_statistics[USAGE_VICTIMS_FULL]++;
        return;
    }
    u->reserved_victims++;
    u->to_stop++;
    hd_raise_maximum(&u->preemption_statistics[USAGE_VICTIMS_MAXIMUM], u->reserved_victims);
    u->blocks[victim].stage = USAGE_TO_STOP;
    u->blocks[victim].order = ++u->order;
}

uint32_t usage_choose_victim(const thread_block_policy *unit, const thread_block_demand *demand)
{
    const usage *u = (const usage *)unit;
    uint32_t found = NO_BLOCK;
    (void)demand;
    for (uint32_t slot = 0; u->to_stop && slot < u->slots; slot++)
        if (u->blocks[slot].stage == USAGE_TO_STOP &&
            (found == NO_BLOCK || u->blocks[slot].order < u->blocks[found].order))
            found = slot;
    return found;
}

/* ---- Those that wait ------------------------------------------------------------------------------------------------------- */

void usage_queue(usage *u, uint32_t slot)
{
    u->saved[u->saved_count++] = slot;
}

void usage_unqueue(usage *u, uint32_t slot)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < u->saved_count; i++)
        if (u->saved[i] != slot)
            u->saved[kept++] = u->saved[i];
    u->saved_count = kept;
}

static uint32_t is_due(const usage_block *block, uint64_t cycle)
{
    return cycle >= block->due;
}

uint32_t usage_may_enter(const usage *u, const usage_block *block, uint32_t core, uint64_t cycle)
{
    const usage_core *c = &u->core[core];
    if (is_due(block, cycle) || !c->resident)
        return 1;
    return (c->has_eased || u->settings.scans) && usage_fits(u, core, &block->levels);
}

static uint32_t has_core(const usage *u, const usage_block *block, const thread_block_demand *demand)
{
    for (uint32_t core = 0; core < demand->cores; core++)
        if (usage_may_enter(u, block, core, demand->cycle))
            return 1;
    return 0;
}

/* Those that have waited for too long go first, by age, then the others, the newest first. */
uint32_t usage_choose_saved(const thread_block_policy *unit, const thread_block_demand *demand)
{
    const usage *u = (const usage *)unit;
    uint32_t left = demand->tried;
    for (uint32_t i = 0; i < u->saved_count; i++)
        if (is_due(&u->blocks[u->saved[i]], demand->cycle) && left-- == 0)
            return u->saved[i];
    for (uint32_t i = u->saved_count; i-- > 0;) {
        const usage_block *block = &u->blocks[u->saved[i]];
        if (!is_due(block, demand->cycle) && has_core(u, block, demand) && left-- == 0)
            return u->saved[i];
    }
    return NO_BLOCK;
}

uint64_t usage_next(const thread_block_policy *unit, const thread_block_demand *demand)
{
    const usage *u = (const usage *)unit;
    uint64_t next = u->to_stop ? demand->cycle : UINT64_MAX;
    for (uint32_t i = 0; i < u->saved_count; i++) {
        const uint64_t due = u->blocks[u->saved[i]].due;
        next = due >= demand->cycle && due < next ? due : next; /* it may be the edge that comes next */
    }
    return next;
}
