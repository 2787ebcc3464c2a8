/* SPDX-License-Identifier: MIT */
#include "scripted_group.h"

#include "kit_random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MAX 200000u /* of a block: none takes as many */

static uint32_t draw(scripted_group *g, uint32_t below)
{
    return (uint32_t)(kit_random(&g->random) % below);
}

static uint32_t thread_of(const scripted_group *g, uint32_t warp, uint32_t lane)
{
    return warp * g->shape.lanes + lane;
}

/* ---- Programs --------------------------------------------------------------------------------------------------------- */

static void draw_program(scripted_group *g, group_warp *w)
{
    const uint64_t all = (UINT64_C(1) << g->shape.lanes) - 1;
    for (uint32_t i = 0; i < g->shape.operations; i++) {
        w->stores[i] = draw(g, 5) < 2;
        w->mask[i] = draw(g, 4) ? all : kit_random(&g->random) & all;
        for (uint32_t lane = 0; lane < g->shape.lanes; lane++)
            w->word[i][lane] = draw(g, g->shape.banks * g->shape.rows);
    }
    w->left = all;
    warp_turn_enter(&w->turn);
}

/* ---- Attempts --------------------------------------------------------------------------------------------------------- */

static void begin(scripted_group *g, uint32_t warp)
{
    group_warp *w = &g->warps[warp];
    const uint64_t lanes = warp_turn_lanes(&g->shape.rules, &w->turn, &g->turn, warp, w->left);
    if (!lanes)
        return;
    ownership_enter(&g->area->ownership, warp);
    warp_turn_begin(&w->turn, lanes);
    w->is_running = 1;
    w->next = 0;
    w->running = lanes;
    memset(w->lanes, 0, sizeof w->lanes);
    g->totals->attempts++;
    g->totals->in_warp += w->turn.mode == TURN_IN_WARP;
    g->totals->in_block += w->turn.mode == TURN_IN_BLOCK;
}

static void access(scripted_group *g, uint32_t warp)
{
    group_warp *w = &g->warps[warp];
    const uint32_t i = w->next++;
    const uint64_t lanes = w->mask[i] & w->running;
    static const bank_timing timings[] = {{.access = 1, .state = 1}, {.access = 1, .state = 1, .is_strict = 1}};
    bank_outcome outcome;
    bank_steps_run(&g->area->ownership, &timings[g->shape.is_strict],
                   &(bank_request){.lanes = lanes,
                                   .running = w->running,
                                   .word = w->word[i],
                                   .first_thread = thread_of(g, warp, 0),
                                   .stores = w->stores[i]},
                   &outcome);
    if (w->turn.mode == TURN_IN_BLOCK && outcome.lost)
        snprintf(g->wrong, WRONG_BYTES, "warp %u is alone, and loses", warp);
    g->totals->aborts += (uint32_t)__builtin_popcountll(outcome.lost);
    w->running &= ~outcome.lost;
    for (uint64_t left = lanes & ~outcome.lost; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left), word = w->word[i][lane];
        group_lane *l = &w->lanes[lane];
        if (w->stores[i])
            g->area->memory[word] = l->sum * 2654435761u + thread_of(g, warp, lane) * 64 + i + 1;
        l->access[l->count++] =
            (group_access){.time = g->time, .word = word, .stores = w->stores[i], .value = g->area->memory[word]};
        if (!w->stores[i])
            l->sum = l->sum * 31 + g->area->memory[word];
    }
}

static void commit_lane(scripted_group *g, uint32_t warp, uint32_t lane)
{
    const group_lane *l = &g->warps[warp].lanes[lane];
    for (uint32_t i = 0; i < l->count; i++)
        if (l->access[i].stores)
            g->committed[l->access[i].word] = l->access[i].value;
    g->history[g->history_count++] = *l;
    g->totals->commits++;
    ownership_commit(&g->area->ownership, thread_of(g, warp, lane));
}

static void give_way(scripted_group *g, uint32_t warp)
{
    group_warp *w = &g->warps[warp];
    uint32_t restored[BANK_STEPS_BANKS] = {0};
    for (uint64_t left = w->running; left; left &= left - 1)
        ownership_abort(&g->area->ownership, thread_of(g, warp, (uint32_t)__builtin_ctzll(left)), restored);
    ownership_end_attempt(&g->area->ownership, warp);
    warp_turn_give_way(&w->turn);
    w->is_running = 0;
    w->running = 0;
    g->totals->gave_way++;
}

static void grant(scripted_group *g)
{
    const uint32_t alone = block_turn_grant(&g->turn);
    if (alone == TURN_NOBODY)
        return;
    for (uint32_t warp = 0; warp < g->shape.warps; warp++)
        if (warp != alone && g->warps[warp].is_running)
            give_way(g, warp);
    ownership_clear_shared(&g->area->ownership);
    g->warps[alone].turn.mode = TURN_IN_BLOCK;
    if (g->area->ownership.set_count)
        snprintf(g->wrong, WRONG_BYTES, "%u words are set when warp %u is alone", g->area->ownership.set_count, alone);
}

static void end(scripted_group *g, uint32_t warp)
{
    group_warp *w = &g->warps[warp];
    const uint64_t done = w->running;
    const uint32_t was_alone = w->turn.mode == TURN_IN_BLOCK;
    for (uint64_t left = done; left; left &= left - 1)
        commit_lane(g, warp, (uint32_t)__builtin_ctzll(left));
    ownership_end_attempt(&g->area->ownership, warp);
    w->left &= ~done;
    w->is_running = 0;
    w->running = 0;
    if (w->left && warp_turn_end(&g->shape.rules, &w->turn, w->left, done != 0))
        block_turn_ask(&g->turn, warp);
    if (!w->left) {
        ownership_leave(&g->area->ownership, warp);
        if (--w->transactions)
            draw_program(g, w);
    }
    if (was_alone)
        block_turn_release(&g->turn);
    grant(g);
}

static void work(scripted_group *g, uint32_t warp)
{
    group_warp *w = &g->warps[warp];
    g->time++;
    if (!w->transactions)
        return;
    if (!w->is_running)
        begin(g, warp);
    else if (w->next < g->shape.operations && w->running)
        access(g, warp);
    else
        end(g, warp);
    g->totals->shared += g->area->ownership.shared_count;
}

/* ---- Runs --------------------------------------------------------------------------------------------------------------- */

static uint32_t is_over(const scripted_group *g)
{
    uint32_t left = 0;
    for (uint32_t warp = 0; warp < g->shape.warps; warp++)
        left |= g->warps[warp].transactions;
    return !left;
}

static void start(scripted_group *g)
{
    block_turn_reset(&g->turn);
    for (uint32_t word = 0; word < g->shape.banks * g->shape.rows; word++)
        g->committed[word] = g->area->memory[word];
    for (uint32_t warp = 0; warp < g->shape.warps; warp++) {
        g->warps[warp].transactions = g->shape.transactions;
        draw_program(g, &g->warps[warp]);
    }
}

uint32_t scripted_group_run(const group_shape *shape, uint64_t seed, group_totals *totals, char *wrong)
{
    scripted_group *g = calloc(1, sizeof *g);
    g->shape = *shape;
    g->area = area_create(shape->algorithm, shape->release, shape->lanes, shape->banks, shape->rows);
    g->history = calloc((size_t)shape->warps * shape->lanes * shape->transactions, sizeof *g->history);
    g->random = seed;
    g->totals = totals;
    g->wrong = wrong;
    *wrong = 0;
    start(g);
    while (!*wrong && !is_over(g) && g->time < STEPS_MAX) {
        work(g, draw(g, shape->warps));
        if (!*wrong)
            group_is_sound(g);
    }
    if (!*wrong && !is_over(g))
        snprintf(wrong, WRONG_BYTES, "not over after %u steps", STEPS_MAX);
    const uint32_t is_right = !*wrong && group_is_serialisable(g);
    free(g->history);
    area_destroy(g->area);
    free(g);
    return is_right;
}
