/* SPDX-License-Identifier: MIT */
#include "race_checker.h"

#include <stdlib.h>

#include "grow.h"
#include "hd_transactions.h"
#include "state.h"

hd_race_checker *hd_race_checker_create(const hd_access_places *places, hd_access_blocks *blocks)
{
    hd_race_checker *checker = calloc(1, sizeof *checker);
    if (!checker)
        abort();
    checker->places = *places;
    checker->blocks = blocks;
    return checker;
}

void hd_race_checker_allocations(hd_race_checker *checker, const hd_allocations *allocations)
{
    checker->allocations = *allocations;
}

/* ---- Blocks --------------------------------------------------------------------------------------------------------- */

static void begin_block(hd_race_checker *checker, uint32_t index)
{
    const hd_access_block *block = &checker->blocks->items[index];
    block_state *state = calloc(1, sizeof *state);
    if (!state)
        abort();
    state->index = index;
    state->warps = (block->threads + block->warp_lanes - 1) / block->warp_lanes;
    state->threads = calloc(block->threads, sizeof *state->threads);
    state->warp_syncs = calloc(state->warps, sizeof *state->warp_syncs);
    if (!state->threads || !state->warp_syncs)
        abort();
    for (; checker->state_count <= index; checker->state_count++) {
        checker->states =
            observe_grow(checker->states, checker->state_count, &checker->state_capacity, sizeof *checker->states);
        checker->states[checker->state_count] = NULL;
    }
    checker->states[index] = state;
}

static void end_block(hd_race_checker *checker, uint32_t index)
{
    block_state *state = checker->states[index];
    if (!state)
        return;
    for (uint32_t i = 0; i < block_of(checker, state)->threads; i++) {
        clock_drop(&state->threads[i].known);
        clock_drop(&state->threads[i].near);
        clock_drop(&state->threads[i].seen);
    }
    marks_free(&state->scratchpad);
    sync_free(&state->syncs);
    free(state->threads);
    free(state->warp_syncs);
    free(state);
    checker->states[index] = NULL;
}

void hd_race_checker_forget(hd_race_checker *checker)
{
    for (uint32_t i = 0; i < checker->state_count; i++)
        end_block(checker, i);
    checker->state_count = 0;
    flights_free(checker);
    marks_free(&checker->global);
    sync_free(&checker->syncs);
    clock_drop(&checker->commits);
}

void hd_race_checker_destroy(hd_race_checker *checker)
{
    if (!checker)
        return;
    hd_race_checker_forget(checker);
    hd_access_findings_free(&checker->findings);
    free(checker->states);
    free(checker);
}

/* ---- Accesses ------------------------------------------------------------------------------------------------------- */

static uint32_t is_same_value(const mark *a, const mark *b)
{
    const uint32_t bits = hd_bits_of_bytes((uint32_t)(a->bytes & b->bytes));
    return a->kind == MARK_STORE && b->kind == MARK_STORE && ((a->value ^ b->value) & bits) == 0;
}

static void touch(hd_race_checker *checker, block_state *state, uint32_t thread, uint32_t address, const mark *own)
{
    const hd_access_block *block = block_of(checker, state);
    marked_word *word = marks_of(is_scratchpad(address) ? &state->scratchpad : &checker->global, address);
    checker->counts.accesses++;
    for (uint32_t i = 0; i < word->count;) {
        const mark *at = &word->marks[i];
        const uint32_t is_before = order_is_before(checker, state, thread, at);
        if (!is_before && at->bytes & own->bytes && marks_conflict(own->kind, at->kind) && !is_same_value(at, own))
            race_report(checker, state, address, at, own);
        if (is_before && (at->bytes & ~own->bytes) == 0 && marks_stand_for(own->kind, at->kind))
            marks_remove(word, i);
        else
            i++;
    }
    marks_add(word, own, block->first_thread, block->threads);
}

static enum mark_kind kind_of(const hd_access_record *record, const thread_state *thread)
{
    const uint32_t is_transactional = record->flags & HD_ACCESS_TRANSACTIONAL;
    switch (record->kind) {
    case HD_ACCESS_LOAD: return is_transactional ? MARK_TRANSACTIONAL_LOAD : MARK_LOAD;
    case HD_ACCESS_STORE:
        if (is_transactional)
            return MARK_TRANSACTIONAL_STORE;
        return thread->is_release ? MARK_RELEASE : MARK_STORE;
    default: return record->flags & HD_ACCESS_READS ? MARK_ATOMIC_READ : MARK_ATOMIC;
    }
}

/* What it does to the order that others are in with its thread. */
static void publish(hd_race_checker *checker, block_state *state, uint32_t thread, uint32_t address,
                    const hd_access_record *record, uint64_t number)
{
    thread_state *own = &state->threads[thread];
    if (record->flags & HD_ACCESS_RELEASE) {
        own->fenced = number;
        own->is_dirty = 0;
    }
    const uint32_t is_atomic = record->kind == HD_ACCESS_ATOMIC;
    checker->counts.orders += is_atomic;
    if (is_atomic ? !(record->flags & HD_ACCESS_READS) : record->kind == HD_ACCESS_STORE && own->fenced)
        sync_publish(checker, state, thread, address, number);
    own->is_dirty |= !is_scratchpad(address);
    own->is_release &= record->kind != HD_ACCESS_STORE;
}

static void take_lane(hd_race_checker *checker, block_state *state, uint32_t thread, uint32_t address, uint32_t value,
                      const hd_access_record *record, uint64_t number)
{
    thread_state *own = &state->threads[thread];
    hd_access_word word;
    const uint32_t shift = address % 4;
    const mark mark = {.number = number,
                       .thread = thread_number(checker, state, thread),
                       .kind = kind_of(record, own),
                       .bytes = (((1u << record->bytes) - 1) << shift) & 0xF,
                       .pc = record->pc,
                       .value = value << 8 * shift};
    if (!is_shared(address))
        return;
    if (hd_access_finds_word(&checker->places, record->endpoint, address, record->kind == HD_ACCESS_STORE, &word)) {
        checker->counts.orders += word.order != 0;
        if (word.order & HD_ACCESS_PUBLISHES)
            sync_publish(checker, state, thread, word.address, number);
        return;
    }
    if (record->flags & (HD_ACCESS_UNCACHED | HD_ACCESS_RELAXED) && mark.kind == MARK_LOAD)
        return; /* part of no race; the first may acquire */
    touch(checker, state, thread, address, &mark);
    if (!(record->flags & HD_ACCESS_TRANSACTIONAL))
        publish(checker, state, thread, address, record, number);
}

static void take_access(hd_race_checker *checker, block_state *state, const hd_access_record *record, uint64_t number)
{
    const uint32_t *address = hd_access_addresses(record);
    const uint32_t *value = record->kind == HD_ACCESS_STORE ? hd_access_values(record) : NULL;
    const uint32_t first = record->warp * record->warp_lanes;
    for (uint64_t left = record->lanes; left; left &= left - 1, address++)
        take_lane(checker, state, first + (uint32_t)__builtin_ctzll(left), *address, value ? *value++ : 0, record,
                  number);
    if (!(record->flags & HD_ACCESS_TRANSACTIONAL) &&
        (record->kind == HD_ACCESS_ATOMIC || record->flags & HD_ACCESS_UNCACHED))
        flight_begin(checker, record);
}

/* ---- Order ---------------------------------------------------------------------------------------------------------- */

static void take_lane_order(hd_race_checker *checker, block_state *state, const hd_access_record *record, uint32_t lane,
                            uint64_t number)
{
    const uint32_t thread = record->warp * record->warp_lanes + lane;
    uint32_t address, acquires;
    hd_access_word word;
    switch (record->kind) {
    case HD_ACCESS_SAMPLED:
        address = flight_of(checker, record, lane, &acquires);
        if (hd_access_finds_word(&checker->places, record->endpoint, address, 0, &word))
            address = word.order & HD_ACCESS_SEES ? word.address : 0;
        if (is_shared(address))
            sync_see(checker, state, thread, address, acquires);
        return;
    case HD_ACCESS_FENCE: order_fence(&state->threads[thread], number, record->flags & HD_ACCESS_ACQUIRE); break;
    default: order_commit(checker, state, thread, number); break;
    }
    checker->counts.orders++;
}

static void take_order(hd_race_checker *checker, block_state *state, const hd_access_record *record, uint64_t number)
{
    for (uint64_t left = record->lanes; left; left &= left - 1)
        take_lane_order(checker, state, record, (uint32_t)__builtin_ctzll(left), number);
}

void hd_race_checker_take(hd_race_checker *checker, const hd_access_record *record, uint64_t number)
{
    const uint32_t index =
        record->kind == HD_ACCESS_WRITTEN ? HD_NO_ACCESS_BLOCK : hd_access_blocks_find(checker->blocks, record->block);
    if (index == HD_NO_ACCESS_BLOCK)
        return;
    if (record->kind == HD_ACCESS_BEGIN) {
        begin_block(checker, index);
        return;
    }
    block_state *state = index < checker->state_count ? checker->states[index] : NULL;
    if (!state)
        return;
    switch (record->kind) {
    case HD_ACCESS_LOAD:
    case HD_ACCESS_STORE:
    case HD_ACCESS_ATOMIC: take_access(checker, state, record, number); return;
    case HD_ACCESS_BARRIER: order_barrier(checker, state, number); break;
    case HD_ACCESS_WARP_SYNC: order_warp_sync(checker, state, record->warp, number); break;
    case HD_ACCESS_SAMPLED:
    case HD_ACCESS_FENCE:
    case HD_ACCESS_COMMIT: take_order(checker, state, record, number); return;
    case HD_ACCESS_END: end_block(checker, index); return;
    default: return;
    }
    checker->counts.orders++;
}

uint32_t hd_race_checker_print(hd_race_checker *checker, const hd_text_sink *sink)
{
    return hd_access_findings_print(&checker->findings, sink);
}

hd_race_checks hd_race_checker_counts(const hd_race_checker *checker)
{
    return checker->counts;
}
