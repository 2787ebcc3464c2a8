/* SPDX-License-Identifier: MIT */
/*
 * As long as every end is known when an instruction enters, that is all computed at once, and there are no slots. Behind a load whose
 * lines are still coming, instructions have slots until all before them are known: who waits for whom is a bit for each pair.
 */
#include "vec_window.h"

#include <string.h>

enum slot_state { SLOT_OPERANDS, SLOT_MEMORY, SLOT_KNOWN };

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void vec_window_reset(vec_window *w, uint64_t cycle)
{
    const uint32_t width = w->width, depth = w->depth, size = w->size, ports = w->ports;
    memset(w, 0, sizeof *w);
    w->width = width;
    w->depth = depth;
    w->size = size;
    w->ports = ports;
    w->entry = w->retirement = cycle;
}

void vec_window_hold(vec_window *w, uint64_t cycle)
{
    if (cycle <= w->entry)
        return;
    w->entry = cycle;
    w->entered = 0;
}

uint64_t vec_window_entry(const vec_window *w)
{
    const uint64_t in_turn = w->entered < w->width ? w->entry : w->entry + 1;
    return w->barrier ? VEC_UNKNOWN : later(in_turn, w->leaves[w->next]);
}

/* ---- Registers ------------------------------------------------------------------------------------------------------ */

/* The cycle in which all operands are there whose makers are known. */
static uint64_t operands(const vec_window *w, const vec_dependencies *of)
{
    uint64_t ready = of->reads_vl ? w->vl_ready : 0;
    for (uint64_t left = of->reads; left; left &= left - 1)
        ready = later(ready, w->ready[__builtin_ctzll(left)]);
    for (uint32_t left = of->vector_reads; left; left &= left - 1)
        ready = later(ready, w->vector_ready[__builtin_ctz(left)]);
    return ready;
}

static void results(vec_window *w, const vec_dependencies *of, uint64_t cycle)
{
    if (of->writes_vl)
        w->vl_ready = cycle;
    for (uint64_t left = of->writes; left; left &= left - 1)
        w->ready[__builtin_ctzll(left)] = cycle;
    for (uint32_t left = of->vector_writes; left; left &= left - 1)
        w->vector_ready[__builtin_ctz(left)] = cycle;
}

/* Adds to `makers` whoever is to write what is read, and is not known: slots, from 1. */
static uint32_t add_maker(uint64_t *makers, uint32_t maker)
{
    const uint64_t bit = UINT64_C(1) << (maker - 1) % 64;
    uint64_t *word = maker ? &makers[(maker - 1) / 64] : NULL;
    if (!word || *word & bit)
        return 0;
    *word |= bit;
    return 1;
}

static uint32_t collect_makers(const vec_window *w, const vec_dependencies *of, uint64_t *makers)
{
    uint32_t count = add_maker(makers, of->reads_vl ? w->vl_maker : 0);
    for (uint64_t left = of->reads; left; left &= left - 1)
        count += add_maker(makers, w->maker[__builtin_ctzll(left)]);
    for (uint32_t left = of->vector_reads; left; left &= left - 1)
        count += add_maker(makers, w->vector_maker[__builtin_ctz(left)]);
    return count;
}

static void set_makers(vec_window *w, const vec_dependencies *of, uint32_t maker)
{
    if (of->writes_vl)
        w->vl_maker = maker;
    for (uint64_t left = of->writes; left; left &= left - 1)
        w->maker[__builtin_ctzll(left)] = maker;
    for (uint32_t left = of->vector_writes; left; left &= left - 1)
        w->vector_maker[__builtin_ctz(left)] = maker;
}

/* Of what it writes, what nobody behind it has written again. */
static vec_dependencies still_made_by(const vec_window *w, const vec_dependencies *of, uint32_t maker)
{
    vec_dependencies left = {.writes_vl = of->writes_vl && w->vl_maker == maker};
    for (uint64_t r = of->writes; r; r &= r - 1)
        if (w->maker[__builtin_ctzll(r)] == maker)
            left.writes |= r & -r;
    for (uint32_t r = of->vector_writes; r; r &= r - 1)
        if (w->vector_maker[__builtin_ctz(r)] == maker)
            left.vector_writes |= r & -r;
    return left;
}

/* ---- Beginning and leaving ------------------------------------------------------------------------------------------ */

static void retire(vec_window *w, uint32_t slot, uint64_t cycle)
{
    const uint64_t in_turn = w->retired < w->width ? w->retirement : w->retirement + 1;
    const uint64_t leaves = later(in_turn, cycle);
    w->retired = leaves == w->retirement ? w->retired + 1 : 1;
    w->retirement = leaves;
    w->leaves[slot] = leaves;
}

/* The first cycle from this one on in which the port has room for another line. */
static uint64_t pass_port(vec_window *w, uint64_t cycle)
{
    vec_port_cycle *at;
    while ((at = &w->port[cycle % VEC_PORT_CYCLES])->cycle == cycle + 1 && at->lines == w->ports)
        cycle++;
    at->lines = at->cycle == cycle + 1 ? at->lines + 1 : 1;
    at->cycle = cycle + 1;
    return cycle;
}

/* The cycle of the last one. */
static uint64_t pass_lines(vec_window *w, uint64_t begin, uint32_t lines)
{
    for (uint32_t line = 0; line < lines; line++)
        begin = pass_port(w, begin);
    return begin;
}

/* ---- Ends that become known ----------------------------------------------------------------------------------------- */

static uint32_t after(const vec_window *w, uint32_t slot)
{
    return slot + 1 == w->size ? 0 : slot + 1;
}

/* Its operands are there. 1: its end is known. */
static uint32_t begin(vec_window *w, uint32_t at)
{
    vec_slot *slot = &w->slots[at];
    slot->begin = pass_lines(w, slot->begin, slot->cost.lines);
    if (slot->cost.is_pending) {
        slot->state = SLOT_MEMORY;
        w->begun[w->begun_count++] = at;
        return 0;
    }
    slot->end = later(slot->begin + slot->cost.latency, slot->cost.until);
    slot->state = SLOT_KNOWN;
    return 1;
}

/* The end of a slot reaches whoever waits for it. Adds those whose ends are known by that to `known`; returns how many there are then. */
static uint32_t spread(vec_window *w, uint32_t at, uint32_t *known, uint32_t count)
{
    const vec_slot *slot = &w->slots[at];
    const vec_dependencies made = still_made_by(w, &slot->of, at + 1);
    const uint64_t bit = UINT64_C(1) << at % 64;
    results(w, &made, slot->end);
    set_makers(w, &made, 0);
    if (w->barrier == at + 1) {
        w->barrier = 0;
        vec_window_hold(w, slot->end + 1);
    }
    for (uint32_t i = after(w, at); i != w->next; i = after(w, i)) {
        vec_slot *waiting = &w->slots[i];
        if (!(waiting->makers[at / 64] & bit))
            continue;
        waiting->makers[at / 64] &= ~bit;
        waiting->begin = later(waiting->begin, slot->end);
        if (!--waiting->maker_count && begin(w, i))
            known[count++] = i;
    }
    return count;
}

/* What is known leaves in order. */
static void settle(vec_window *w)
{
    for (; w->unsettled && w->slots[w->oldest].state == SLOT_KNOWN; w->oldest = after(w, w->oldest), w->unsettled--)
        retire(w, w->oldest, w->slots[w->oldest].end);
}

static void make_known(vec_window *w, uint32_t at)
{
    uint32_t known[VEC_WINDOW_MAX], count = 1;
    known[0] = at;
    for (uint32_t i = 0; i < count; i++)
        count = spread(w, known[i], known, count);
    settle(w);
}

uint32_t vec_window_next_begun(vec_window *w, uint32_t *slot)
{
    if (w->begun_taken == w->begun_count) {
        w->begun_taken = w->begun_count = 0;
        return 0;
    }
    *slot = w->begun[w->begun_taken++];
    return 1;
}

void vec_window_answer(vec_window *w, uint32_t slot, uint32_t latency, uint64_t until)
{
    w->slots[slot].end = later(w->slots[slot].begin + latency, until);
    w->slots[slot].state = SLOT_KNOWN;
    make_known(w, slot);
}

/* ---- Entering ------------------------------------------------------------------------------------------------------- */

static uint64_t add_known(vec_window *w, const vec_dependencies *of, const vec_cost *cost)
{
    const uint64_t begins = pass_lines(w, later(w->entry + w->depth, operands(w, of)), cost->lines);
    const uint64_t end = later(begins + cost->latency, cost->until);
    results(w, of, end);
    retire(w, w->next, end);
    w->oldest = w->next = after(w, w->next);
    return end;
}

static uint64_t add_slot(vec_window *w, const vec_dependencies *of, const vec_cost *cost)
{
    const uint32_t at = w->next;
    vec_slot *slot = &w->slots[at];
    *slot = (vec_slot){.of = *of, .cost = *cost, .begin = later(w->entry + w->depth, operands(w, of))};
    slot->maker_count = collect_makers(w, of, slot->makers);
    results(w, of, 0); /* when its registers were ready before says nothing */
    set_makers(w, of, at + 1);
    w->leaves[at] = VEC_UNKNOWN;
    w->next = after(w, at);
    w->unsettled++;
    if (!slot->maker_count && begin(w, at))
        make_known(w, at);
    return slot->state == SLOT_KNOWN ? slot->end : VEC_UNKNOWN;
}

uint64_t vec_window_add(vec_window *w, const vec_dependencies *of, const vec_cost *cost)
{
    vec_window_hold(w, vec_window_entry(w));
    w->entered++;
    w->last = w->next;
    return w->unsettled || cost->is_pending ? add_slot(w, of, cost) : add_known(w, of, cost);
}

void vec_window_hold_behind(vec_window *w, uint64_t end)
{
    if (end == VEC_UNKNOWN)
        w->barrier = w->last + 1;
    else
        vec_window_hold(w, end + 1);
}
