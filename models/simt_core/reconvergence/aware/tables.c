/* SPDX-License-Identifier: MIT */
/*
 * Tables smaller than a warp: entries that have no room go to memory, and come back when they are needed. What they say is never
 * lost, so that only time passes. ElTantawy 2018 §5.5.2, figure 5.7.
 */
#include "aware.h"

#include "bits.h"

#define ENTRY_BYTES 32u /* in memory: a split and the entry of the same number */

static const enum aware_statistic spill_counts[] = {AWARE_SPLIT_SPILLS, AWARE_MEETING_SPILLS},
                                  fill_counts[] = {AWARE_SPLIT_FILLS, AWARE_MEETING_FILLS};

static uint32_t capacity_of(const aware *u, enum aware_table table)
{
    const uint64_t entries = aware_value(u, table == TABLE_SPLITS ? AWARE_SPLITS : AWARE_MEETINGS);
    return entries && entries < u->lanes ? (uint32_t)entries : u->lanes;
}

static uint64_t bit_of(const aware *u, uint32_t index)
{
    return UINT64_C(1) << index % u->lanes;
}

/* ---- Room ---------------------------------------------------------------------------------------------------------------------- */

/* The split that comes last of those. */
static uint32_t last_split(const aware *u, uint32_t warp, uint64_t candidates)
{
    uint32_t at = u->queued[warp];
    while (!(candidates & bit_of(u, u->queue[warp * u->lanes + at - 1])))
        at--;
    return u->queue[warp * u->lanes + at - 1];
}

static uint32_t least_recently_used(const aware *u, uint32_t warp, uint64_t candidates)
{
    uint32_t least = warp * u->lanes + (uint32_t)__builtin_ctzll(candidates);
    for (uint64_t left = candidates; left; left &= left - 1) {
        const uint32_t entry = warp * u->lanes + (uint32_t)__builtin_ctzll(left);
        least = u->used[entry] < u->used[least] ? entry : least;
    }
    return least;
}

/* The table holds no more than it can; those that have just come stay. */
static void make_room(aware *u, uint32_t warp, enum aware_table table, uint64_t kept)
{
    aware_residency *in = &u->residency[warp][table];
    while (bits_count(in->present) > capacity_of(u, table)) {
        const uint64_t candidates = in->present & ~kept ? in->present & ~kept : in->present;
        const uint32_t index =
            table == TABLE_SPLITS ? last_split(u, warp, candidates) : least_recently_used(u, warp, candidates);
        in->present &= ~bit_of(u, index);
        in->spills |= u->parameters.memory ? bit_of(u, index) : 0;
        aware_count(u, spill_counts[table], 1);
    }
}

static void fetch(aware *u, uint32_t warp, enum aware_table table, uint32_t index)
{
    aware_residency *in = &u->residency[warp][table];
    aware_count(u, fill_counts[table], 1);
    if (u->parameters.memory)
        in->fills |= bit_of(u, index);
    else
        in->arrived |= bit_of(u, index);
}

void tables_enter(aware *u, enum aware_table table, uint32_t index)
{
    u->residency[index / u->lanes][table].present |= bit_of(u, index);
}

void tables_leave(aware *u, enum aware_table table, uint32_t index)
{
    aware_residency *in = &u->residency[index / u->lanes][table];
    const uint64_t others = ~bit_of(u, index);
    in->present &= others;
    in->spills &= others;
    in->fills &= others;
    in->awaited &= others;
    in->arrived &= others;
}

void tables_use(aware *u, uint32_t entry)
{
    const uint32_t warp = entry / u->lanes;
    const aware_residency *in = &u->residency[warp][TABLE_MEETINGS];
    u->used[entry] = ++u->uses;
    if (!((in->present | in->fills | in->awaited | in->arrived) & bit_of(u, entry)))
        fetch(u, warp, TABLE_MEETINGS, entry);
}

void tables_settle(aware *u, uint32_t warp)
{
    for (enum aware_table table = 0; table < AWARE_TABLES; table++) {
        aware_residency *in = &u->residency[warp][table];
        in->present |= in->arrived;
        make_room(u, warp, table, in->arrived);
        in->arrived = 0;
    }
}

uint32_t tables_hold(const aware *u, uint32_t warp)
{
    const aware_residency *splits = &u->residency[warp][TABLE_SPLITS], *meetings = splits + 1;
    return (meetings->fills | meetings->awaited) != 0 || bits_count(splits->spills) > 1 ||
           bits_count(meetings->spills) > 1;
}

uint32_t tables_have(aware *u, uint32_t warp, uint32_t split)
{
    aware_residency *in = &u->residency[warp][TABLE_SPLITS];
    if (!(in->present & bit_of(u, split)) && !(in->fills | in->awaited)) {
        fetch(u, warp, TABLE_SPLITS, split);
        if (!u->parameters.memory)
            tables_settle(u, warp);
    }
    return (in->present & bit_of(u, split)) != 0;
}

/* ---- Memory ------------------------------------------------------------------------------------------------------------------ */

static void send(aware *u, uint32_t warp, enum aware_table table, uint64_t *requests, uint32_t writes)
{
    const reconvergence_memory *memory = u->parameters.memory;
    while (*requests && memory->has_room(memory->context)) {
        const uint32_t index = (uint32_t)__builtin_ctzll(*requests);
        *requests &= *requests - 1;
        if (!writes)
            u->residency[warp][table].awaited |= UINT64_C(1) << index;
        memory->access(memory->context, warp, index * ENTRY_BYTES, writes, (index * AWARE_TABLES + table) * 2 + writes);
    }
}

uint32_t tables_wait(const aware *u)
{
    for (uint32_t warp = 0; u->parameters.memory && warp < u->warps; warp++)
        for (enum aware_table table = 0; table < AWARE_TABLES; table++)
            if (u->residency[warp][table].spills | u->residency[warp][table].fills)
                return 1;
    return 0;
}

void tables_send(aware *u)
{
    for (uint32_t warp = 0; warp < u->warps; warp++) {
        for (enum aware_table table = 0; table < AWARE_TABLES; table++) {
            send(u, warp, table, &u->residency[warp][table].spills, 1);
            send(u, warp, table, &u->residency[warp][table].fills, 0);
        }
        if (u->queued[warp])
            queue_wake(u, warp);
    }
}

void aware_accessed(reconvergence *unit, uint32_t warp, uint32_t tag)
{
    aware *u = (aware *)unit;
    aware_residency *in = &u->residency[warp][tag / 2 % AWARE_TABLES];
    const uint64_t bit = UINT64_C(1) << tag / (2 * AWARE_TABLES);
    if (tag % 2 || !(in->awaited & bit))
        return;
    in->awaited &= ~bit;
    in->arrived |= bit;
    queue_wake(u, warp);
}
