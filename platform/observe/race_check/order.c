/* SPDX-License-Identifier: MIT */
#include "state.h"

uint32_t order_is_before(const hd_race_checker *checker, const block_state *state, uint32_t thread, const mark *at)
{
    const hd_access_block *block = block_of(checker, state);
    const thread_state *own = &state->threads[thread];
    const uint64_t other = at->thread - block->first_thread; /* in the block */
    if (other == thread)
        return 1;
    if (other < block->threads) {
        const uint32_t warp = thread / block->warp_lanes;
        if (at->number <= state->barrier || clock_until(own->near, at->thread) >= at->number)
            return 1;
        if (other / block->warp_lanes == warp && at->number <= state->warp_syncs[warp])
            return 1;
    }
    if (clock_until(own->known, at->thread) >= at->number)
        return 1;
    const hd_access_block *its = hd_access_blocks_of(checker->blocks, at->thread);
    return clock_until(own->known, CLOCK_OF_BLOCK | its->first_thread) >= at->number ||
           checker->blocks->kernels[its->kernel].ended <= checker->blocks->kernels[block->kernel].began;
}

/* What fences of these threads have made visible, all of them learn; *all says whether that is everything they did. */
static race_clock *gather(const hd_race_checker *checker, block_state *state, uint32_t first, uint32_t count,
                          uint32_t *all)
{
    race_clock *known = NULL;
    *all = 1;
    for (uint32_t i = first; i < first + count; i++) {
        clock_join(&known, state->threads[i].known);
        *all &= state->threads[i].fenced && !state->threads[i].is_dirty;
    }
    for (uint32_t i = first; i < first + count && !*all; i++)
        clock_learn(&known, thread_number(checker, state, i), state->threads[i].fenced);
    return known;
}

void order_barrier(hd_race_checker *checker, block_state *state, uint64_t number)
{
    const hd_access_block *block = block_of(checker, state);
    uint32_t all;
    race_clock *known = gather(checker, state, 0, block->threads, &all);
    if (all)
        clock_learn(&known, CLOCK_OF_BLOCK | block->first_thread, number);
    for (uint32_t i = 0; i < block->threads; i++) {
        clock_share(&state->threads[i].known, known);
        clock_drop(&state->threads[i].near);
    }
    clock_drop(&known);
    state->barrier = number;
}

void order_warp_sync(hd_race_checker *checker, block_state *state, uint32_t warp, uint64_t number)
{
    const hd_access_block *block = block_of(checker, state);
    const uint32_t first = warp * block->warp_lanes, left = block->threads - first;
    const uint32_t count = left < block->warp_lanes ? left : block->warp_lanes;
    uint32_t all;
    race_clock *near = NULL, *known = gather(checker, state, first, count, &all);
    for (uint32_t i = first; i < first + count; i++) {
        clock_join(&near, state->threads[i].near);
        if (all)
            clock_learn(&known, thread_number(checker, state, i), state->threads[i].fenced);
    }
    for (uint32_t i = first; i < first + count; i++) {
        clock_share(&state->threads[i].known, known);
        clock_share(&state->threads[i].near, near);
    }
    clock_drop(&known);
    clock_drop(&near);
    state->warp_syncs[warp] = number;
}

void order_fence(thread_state *thread, uint64_t number, uint32_t acquires)
{
    thread->fenced = number;
    thread->is_dirty = 0;
    thread->is_release = 1;
    if (!acquires)
        return;
    clock_join(&thread->known, thread->seen);
    clock_drop(&thread->seen);
}

void order_commit(hd_race_checker *checker, block_state *state, uint32_t thread, uint64_t number)
{
    thread_state *own = &state->threads[thread];
    clock_join(&own->known, checker->commits);
    clock_share(&checker->commits, own->known);
    clock_learn(&checker->commits, thread_number(checker, state, thread), number);
}
