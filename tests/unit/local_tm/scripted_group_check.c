/* SPDX-License-Identifier: MIT */
/* What has to hold at any time, and of the whole. */
#include "scripted_group.h"

#include <stdio.h>
#include <string.h>

#define WRONG(...) (snprintf(g->wrong, WRONG_BYTES, __VA_ARGS__), 0u)

/* ---- At any time -------------------------------------------------------------------------------------------------------- */

static uint32_t is_running(const scripted_group *g, uint32_t thread)
{
    const group_warp *w = &g->warps[thread / g->shape.lanes];
    return thread < g->shape.warps * g->shape.lanes && w->is_running && (w->running >> thread % g->shape.lanes & 1);
}

static uint32_t has_accessed(const scripted_group *g, uint32_t thread, uint32_t word, uint32_t stores)
{
    const group_lane *l = &g->warps[thread / g->shape.lanes].lanes[thread % g->shape.lanes];
    uint32_t found = 0;
    for (uint32_t i = 0; i < l->count; i++)
        found |= l->access[i].word == word && (!stores || l->access[i].stores);
    return found;
}

/* Nobody but `thread` (or nobody at all) that runs has accessed the word, or stored to it. */
static uint32_t is_alone(const scripted_group *g, uint32_t word, uint32_t thread, uint32_t stores)
{
    for (uint32_t other = 0; other < g->shape.warps * g->shape.lanes; other++)
        if (other != thread && is_running(g, other) && has_accessed(g, other, word, stores))
            return 0;
    return 1;
}

static uint32_t is_word_sound(const scripted_group *g, uint32_t word)
{
    const area *a = g->area;
    const uint32_t state = area_state(a, word), is_dcd = g->shape.algorithm == OWNERSHIP_DCD;
    const uint32_t value = state == WORD_MODIFIED ? area_backup(a, word) : a->memory[word];
    if (g->shape.release == OWNERSHIP_PAPER)
        return 1;
    if (value != g->committed[word])
        return WRONG("word %u, state %u: 0x%x is to be restored, not 0x%x", word, state, value, g->committed[word]);
    if (is_dcd && state == WORD_READ && area_backup(a, word) != g->committed[word])
        return WRONG("word %u was read, and has no backup", word);
    if (state == WORD_UNSET)
        return is_alone(g, word, UINT32_MAX, 0) ? 1 : WRONG("word %u is unset, and in use", word);
    if (state == WORD_SHARED)
        return is_alone(g, word, UINT32_MAX, 1) ? 1 : WRONG("word %u is shared, and stored to", word);
    const uint32_t owner = area_owner(a, word);
    if (!is_running(g, owner))
        return WRONG("word %u is that of thread %u, which does not run", word, owner);
    return is_alone(g, word, owner, 0) ? 1 : WRONG("word %u is not thread %u's alone", word, owner);
}

static uint32_t is_warp_sound(const scripted_group *g, uint32_t warp)
{
    const group_warp *w = &g->warps[warp];
    if (w->running & ~w->left)
        return WRONG("warp %u: lanes run that have committed", warp);
    if (w->is_running && w->turn.mode != TURN_NORMAL && w->running & (w->running - 1))
        return WRONG("warp %u: several lanes run one by one", warp);
    if (w->is_running && g->turn.holder != TURN_NOBODY && g->turn.holder != warp)
        return WRONG("warp %u runs while warp %u is alone", warp, g->turn.holder);
    return 1;
}

/* A map has no bit of a warp that does not run, and none is empty. */
static uint32_t is_map_sound(const scripted_group *g, uint32_t word)
{
    uint32_t running = 0;
    if ((g->shape.release != OWNERSHIP_WARP_MAP && g->shape.release != OWNERSHIP_LANE_MAP) ||
        area_state(g->area, word) != WORD_SHARED)
        return 1;
    for (uint32_t warp = 0; warp < g->shape.warps; warp++)
        running |= g->warps[warp].is_running << warp;
    const uint32_t map = area_owner(g->area, word);
    return map && !(map & ~running) ? 1 : WRONG("word %u: map 0x%x, of which 0x%x run", word, map, running);
}

uint32_t group_is_sound(const scripted_group *g)
{
    uint32_t set = 0;
    for (uint32_t word = 0; word < g->shape.banks * g->shape.rows; word++) {
        if (!is_word_sound(g, word) || !is_map_sound(g, word))
            return 0;
        set += area_state(g->area, word) != WORD_UNSET;
    }
    for (uint32_t warp = 0; warp < g->shape.warps; warp++)
        if (!is_warp_sound(g, warp))
            return 0;
    return set == g->area->ownership.set_count ? 1
                                               : WRONG("%u words are set, not %u", set, g->area->ownership.set_count);
}

/* ---- Of the whole ------------------------------------------------------------------------------------------------------- */

static uint32_t replay_lane(const scripted_group *g, uint32_t number, uint32_t *memory)
{
    const group_lane *l = &g->history[number];
    for (uint32_t i = 0; i < l->count; i++) {
        const group_access *access = &l->access[i];
        if (access->stores)
            memory[access->word] = access->value;
        else if (memory[access->word] != access->value)
            return WRONG("commit %u read 0x%x from word %u; in the order of commits it is 0x%x", number, access->value,
                         access->word, memory[access->word]);
    }
    return 1;
}

static uint32_t is_replayed(const scripted_group *g)
{
    uint32_t memory[AREA_WORDS];
    for (uint32_t word = 0; word < AREA_WORDS; word++)
        memory[word] = 100 + word;
    for (uint32_t i = 0; i < g->history_count; i++)
        if (!replay_lane(g, i, memory))
            return 0;
    for (uint32_t word = 0; word < g->shape.banks * g->shape.rows; word++)
        if (memory[word] != g->area->memory[word])
            return WRONG("word %u is 0x%x at the end, not 0x%x", word, g->area->memory[word], memory[word]);
    return 1;
}

/* Locks are held until the end: two accesses to a word, one of which stores, are in the order of their commits. */
static uint32_t are_in_order(const scripted_group *g, uint32_t before, uint32_t after)
{
    const group_lane *a = &g->history[before], *b = &g->history[after];
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++)
            if (a->access[i].word == b->access[k].word && (a->access[i].stores | b->access[k].stores) &&
                a->access[i].time > b->access[k].time)
                return WRONG("commit %u accessed word %u after commit %u", before, a->access[i].word, after);
    return 1;
}

uint32_t group_is_serialisable(const scripted_group *g)
{
    if (g->history_count != g->shape.warps * g->shape.lanes * g->shape.transactions)
        return WRONG("%u have committed", g->history_count);
    if (g->area->ownership.set_count)
        return WRONG("%u words are set at the end", g->area->ownership.set_count);
    for (uint32_t after = 0; after < g->history_count; after++)
        for (uint32_t before = 0; before < after; before++)
            if (!are_in_order(g, before, after))
                return 0;
    return is_replayed(g);
}
