/* SPDX-License-Identifier: MIT */
/*
 * Leaps: blocks of two sides are ahead of each other by turns, each by up to the time that it takes there and back, where in a window all go
 * as far as the shortest way. In a machine whose links mostly join the sides (cores and slices with networks and memories) a side is
 * called half as often, for twice the time.
 *
 * A block of one side can be called up to `end` if nothing that anybody still has to do reaches that side before. What block b does next it does
 * at its next call, or when it promises; it reaches the side by a link of its own, or from the other side, whose blocks answer at
 * once. Chains that return to the side in between have reached it before.
 */
#include "engine_internal.h"

#include <stdlib.h>
#include <string.h>

#define LEAPS_LONGEST UINT64_C(1000000) /* ps: so often whoever steps looks after the run */
#define NO_SIDE 2u
#define LITTLE 4u                   /* a promise that moves the end of a leap by less than such a part of it */
#define PAUSE_MAX UINT64_C(2000000) /* ps */

static void put_block(hd_engine *engine, const node *node, uint32_t side, uint32_t *queue, uint32_t *count)
{
    engine->leap.side[node->index] = (uint8_t)side;
    queue[(*count)++] = node->index;
}

/* Blocks that are joined by taps are called together: they are on one side. */
static void put(hd_engine *engine, const node *node, uint32_t side, uint32_t *queue, uint32_t *count)
{
    if (engine->leap.side[node->index] != NO_SIDE)
        return;
    if (!node->group)
        put_block(engine, node, side, queue, count);
    for (uint32_t i = 0; node->group && i < node->group->count; i++)
        put_block(engine, node->group->members[i], side, queue, count);
}

/* Blocks that a link joins are on different sides, if that can be. */
static void put_neighbours(hd_engine *engine, const node *of, uint32_t *queue, uint32_t *count)
{
    const uint32_t side = engine->leap.side[of->index];
    for (uint32_t i = 0; i < of->input_count; i++) {
        const hd_link *link = of->input_links[i];
        const node *other = link->sender == of ? link->receiver : link->sender;
        if (other)
            put(engine, other, !side, queue, count);
    }
}

static void choose_sides(hd_engine *engine)
{
    uint32_t *queue = calloc(engine->node_count + 1, sizeof *queue), count = 0;
    if (!queue)
        abort();
    memset(engine->leap.side, NO_SIDE, engine->node_count);
    for (uint32_t b = 0, next = 0; b < engine->node_count; b++) {
        put(engine, engine->nodes[b], 0, queue, &count);
        while (next < count)
            put_neighbours(engine, engine->nodes[queue[next++]], queue, &count);
    }
    memset(engine->leap.members[LEAP_ALL], 0xff, (engine->node_count + 7) / 8);
    for (uint32_t b = 0; b < engine->node_count; b++)
        engine->leap.members[engine->leap.side[b]][b / 64] |= UINT64_C(1) << b % 64;
    free(queue);
}

static void may_reach(const hd_engine *engine, const node *other, hd_time latency, hd_time to[LEAP_SIDES])
{
    if (other)
        to[engine->leap.side[other->index]] = hd_earlier(to[engine->leap.side[other->index]], latency);
}

/* Least latency over the links of a block, or of all that it is called with, to each side. */
static void find_latencies(hd_engine *engine, const node *node, hd_time to[LEAP_SIDES])
{
    for (uint32_t i = 0; i < node->input_count; i++) {
        const hd_link *link = node->input_links[i];
        if (link->sender == node)
            may_reach(engine, link->receiver, link->latency, to);
        if (link->receiver == node)
            may_reach(engine, link->sender, link->credit_latency, to);
    }
}

static void find_reach(hd_engine *engine)
{
    hd_time across[LEAP_SIDES] = {HD_WINDOW_MAX, HD_WINDOW_MAX}; /* from the other side */
    for (uint32_t b = 0; b < engine->node_count; b++) {
        const node *node = engine->nodes[b];
        hd_time to[LEAP_SIDES] = {HD_WINDOW_MAX, HD_WINDOW_MAX};
        find_latencies(engine, node, to);
        for (uint32_t i = 0; node->group && i < node->group->count; i++)
            find_latencies(engine, node->group->members[i], to);
        for (uint32_t side = 0; side < LEAP_SIDES; side++) {
            engine->leap.reach[side][b] = to[side];
            if (engine->leap.side[b] != side)
                across[side] = hd_earlier(across[side], to[side]);
        }
    }
    for (uint32_t b = 0; b < engine->node_count; b++) {
        hd_time *zero = &engine->leap.reach[0][b], *one = &engine->leap.reach[1][b];
        const hd_time there = *zero;
        *zero = hd_earlier(*zero, *one + across[0]);
        *one = hd_earlier(*one, there + across[1]);
    }
}

/* NULL: who is outside. */
static const hd_time *called_until(const hd_engine *engine, const node *node)
{
    return node ? &engine->leap.reached[engine->leap.side[node->index]] : &engine->window_end;
}

void leap_prepare(hd_engine *engine)
{
    engine->leap.side = aligned_zero(engine->node_count + 1);
    for (uint32_t side = 0; side <= LEAP_ALL; side++)
        engine->leap.members[side] = aligned_zero((engine->node_count / 64 + 1) * sizeof(uint64_t));
    for (uint32_t side = 0; side < LEAP_SIDES; side++)
        engine->leap.reach[side] = aligned_zero((engine->node_count + 1) * sizeof(hd_time));
    engine->leap.acts = aligned_zero((engine->node_count + 1) * sizeof(hd_time));
    engine->leap.ask_from = aligned_zero((engine->node_count + 1) * sizeof(hd_time));
    engine->leap.pauses = aligned_zero((engine->node_count + 1) * sizeof(hd_time));
    engine->leap.paused = aligned_zero((engine->node_count + 1) * sizeof(hd_time));
    engine->leap.calls = LEAP_ALL;
    choose_sides(engine);
    find_reach(engine);
    for (uint32_t i = 0; i < engine->link_count; i++) {
        engine->links[i]->receiver_called = called_until(engine, engine->links[i]->receiver);
        engine->links[i]->sender_called = called_until(engine, engine->links[i]->sender);
    }
}

void leap_reset(hd_engine *engine)
{
    memset(engine->leap.pauses, 0, engine->node_count * sizeof(hd_time));
    memset(engine->leap.paused, 0, engine->node_count * sizeof(hd_time));
}

void leap_destroy(hd_engine *engine)
{
    free(engine->leap.side);
    for (uint32_t side = 0; side < LEAP_SIDES; side++)
        free(engine->leap.reach[side]);
    for (uint32_t side = 0; side <= LEAP_ALL; side++)
        free(engine->leap.members[side]);
    free(engine->leap.acts);
    free(engine->leap.ask_from);
    free(engine->leap.pauses);
    free(engine->leap.paused);
}

/* Whoever is outside, or wants to hear of things in the order in which they happen, takes windows; so does who limits them. */
uint32_t leap_is_possible(const hd_engine *engine)
{
    return !engine->wire_count && !engine->has_direct && !engine->observer.tracer && !engine->observer.sent &&
           !engine->disturbance && engine->window_max == HD_WINDOW_MAX;
}

/* No sooner than this a block acts that is to be called next. Most that wait for packets do nothing but act when they are called:
 * who promises little is left alone for some time, the longer the more often that was so. */
static __attribute__((noinline)) hd_time ask(hd_engine *engine, uint32_t b, hd_time next, hd_time reach)
{
    leap *leap = &engine->leap;
    leap->ask_from[b] = next + 1;
    if (!window_can_promise(engine->nodes[b]))
        return next;
    const hd_time acts = window_acts_at(engine, b, next);
    const uint32_t is_little = acts - next < reach / LITTLE;
    leap->pauses[b] = is_little ? hd_earlier(2 * leap->pauses[b] + 1, PAUSE_MAX) : 0;
    leap->paused[b] = next + leap->pauses[b];
    if (is_little)
        leap->ask_from[b] = leap->paused[b];
    return leap->acts[b] = acts;
}

/* Up to where a side can be called. What a block has promised holds until something comes to it (leap_forget), also when it was
 * called since; but if that is too soon, it is asked again, once for each call that lies ahead of it. */
static hd_time leap_end(hd_engine *engine, uint32_t side, hd_time limit)
{
    const hd_time *reach = engine->leap.reach[side], *nexts = engine->next, *acts = engine->leap.acts;
    const hd_time *ask_from = engine->leap.ask_from;
    hd_time end = limit;
    for (uint32_t first = 0; first < engine->node_count; first += 64)
        for (uint64_t left = engine->awake[first / 64]; left; left &= left - 1) {
            const uint32_t b = first + (uint32_t)__builtin_ctzll(left);
            const hd_time next = nexts[b];
            if (next >= end)
                continue;
            hd_time most = acts[b] > next ? acts[b] : next;
            if (most < end && most + reach[b] < end && ask_from[b] <= next)
                most = ask(engine, b, next, reach[b]);
            if (most < end)
                end = hd_earlier(end, most + reach[b]);
        }
    return end;
}

/* Calls the side of the block that is next, which can always go on: the other one has nothing to do before. */
static void leap_once(hd_engine *engine, uint32_t side, hd_time limit)
{
    leap *leap = &engine->leap;
    const hd_time end = leap_end(engine, side, hd_earlier(limit, engine->earliest[side] + HD_WINDOW_MAX));
    leap->calls = side;
    leap->reached[side] = end;
    if (engine->team)
        team_run(engine->team, end);
    else
        engine->earliest[side] = window_run_in_order(engine, end);
    if (engine->team || engine->group_count)
        window_find_earliest(engine);
    outboxes_publish(engine);
}

void leap_run(hd_engine *engine, hd_time start, hd_time limit)
{
    leap *leap = &engine->leap;
    const hd_time most = hd_earlier(hd_earlier(start + LEAPS_LONGEST, limit), engine->next_turn);
    const hd_time *earliest = engine->earliest;
    leap->reached[0] = leap->reached[1] = start;
    memset(leap->acts, 0, engine->node_count * sizeof *leap->acts);
    memcpy(leap->ask_from, leap->paused, engine->node_count * sizeof *leap->ask_from);
    while (!engine->has_fault) {
        const hd_time until = hd_earlier(most, rendezvous_next(engine));
        const uint32_t side = earliest[1] < earliest[0];
        if (earliest[side] >= until)
            break;
        leap_once(engine, side, until);
    }
    window_find_earliest(engine);
    leap->calls = LEAP_ALL;
    window_set_end(engine, leap->reached[0] > leap->reached[1] ? leap->reached[0] : leap->reached[1]);
    engine->now = engine->window_end;
    outboxes_merge(engine);
}
