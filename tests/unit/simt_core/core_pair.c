/* SPDX-License-Identifier: MIT */
#include "core_pair.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define SLICE 7u /* cycles */

core_pair *pair_create(const char *const *first, const char *const *second, const uint32_t *words)
{
    core_pair *pair = calloc(1, sizeof *pair);
    pair->rig[0] = rig_create_as(first, words, 0, 2);
    pair->rig[1] = rig_create_beside(pair->rig[0], second);
    return pair;
}

void pair_destroy(core_pair *pair)
{
    rig_destroy(pair->rig[1]);
    rig_destroy(pair->rig[0]);
    free(pair);
}

static kit_block *kit_of(core_pair *pair, uint32_t core)
{
    return rig_kit(pair->rig[core]);
}

hd_time pair_now(core_pair *pair)
{
    return kit_now(kit_of(pair, 0));
}

void pair_launch(core_pair *pair, uint32_t core, uint32_t threads, uint32_t scratchpad)
{
    hd_grid grid = {
        .grid_size = {16, 1, 1}, .block_size = {threads, 1, 1}, .scratchpad_bytes = scratchpad, .private_bytes = 128};
    rig_launch_grid(pair->rig[core], &grid, (uint32_t[]){0, 0, 0}, pair_now(pair));
}

void pair_run(core_pair *pair, uint64_t cycles)
{
    while (cycles) {
        uint64_t slice = cycles < SLICE ? cycles : SLICE;
        hd_time t = pair_now(pair) + kit_cycles(kit_of(pair, 0), slice);
        for (uint32_t core = 0; core < 2; core++)
            kit_run_until(kit_of(pair, core), t);
        cycles -= slice;
    }
}

static uint32_t works(core_pair *pair)
{
    return kit_next(kit_of(pair, 0)) != HD_NEVER || kit_next(kit_of(pair, 1)) != HD_NEVER;
}

void pair_finish(core_pair *pair, uint32_t blocks)
{
    uint64_t cycles = 0;
    while (rig_done(pair->rig[0]) + rig_done(pair->rig[1]) < blocks || works(pair)) {
        cr_assert_lt(cycles, 1000000, "%u of %u blocks ended", rig_done(pair->rig[0]) + rig_done(pair->rig[1]), blocks);
        pair_run(pair, SLICE);
        cycles += SLICE;
    }
    cr_assert_eq(rig_done(pair->rig[0]) + rig_done(pair->rig[1]), blocks);
    rig_expect_thread_cycles(pair->rig[0]);
    rig_expect_thread_cycles(pair->rig[1]);
}

uint64_t pair_statistic(core_pair *pair, const char *name)
{
    return kit_statistic(kit_of(pair, 0), name) + kit_statistic(kit_of(pair, 1), name);
}

static const hd_context *context_of(core_pair *pair, uint32_t core)
{
    const hd_context *context = hd_simt_core_timed.extension(kit_instance(kit_of(pair, core)), HD_EXTENSION_CONTEXT);
    cr_assert_not_null(context);
    return context;
}

static hd_block *block_of(core_pair *pair, uint32_t core)
{
    return kit_instance(kit_of(pair, core));
}

uint32_t pair_state(core_pair *pair, uint32_t core, uint64_t tag)
{
    return context_of(pair, core)->state(block_of(pair, core), tag);
}

uint32_t pair_holder(core_pair *pair, uint64_t tag)
{
    uint32_t core = 0;
    while (core < 2 && pair_state(pair, core, tag) == HD_CONTEXT_ABSENT)
        core++;
    return core;
}

void pair_stop(core_pair *pair, uint32_t core, uint64_t tag)
{
    cr_assert(context_of(pair, core)->stop(block_of(pair, core), tag, pair_now(pair)));
    kit_wake(kit_of(pair, core));
}

void pair_resume(core_pair *pair, uint32_t core, uint64_t tag)
{
    cr_assert(context_of(pair, core)->resume(block_of(pair, core), tag, pair_now(pair)));
    kit_wake(kit_of(pair, core));
}

hd_context_size pair_size(core_pair *pair, uint32_t core, uint64_t tag)
{
    hd_context_size size;
    cr_assert(context_of(pair, core)->size(block_of(pair, core), tag, &size));
    return size;
}

uint32_t pair_rest(core_pair *pair, uint32_t core, uint64_t tag)
{
    pair_stop(pair, core, tag);
    for (uint32_t cycles = 0; pair_state(pair, core, tag) == HD_CONTEXT_STOPPING; cycles++) {
        cr_assert_lt(cycles, 2000000, "block %lu does not come to rest", tag);
        pair_run(pair, 1);
    }
    return pair_state(pair, core, tag) == HD_CONTEXT_STOPPED;
}

void pair_save(core_pair *pair, uint32_t core, uint64_t tag)
{
    pair->stream_bytes = pair_size(pair, core, tag).stream_bytes;
    cr_assert_leq(pair->stream_bytes, sizeof pair->stream);
    cr_assert(context_of(pair, core)->save(block_of(pair, core), tag, pair->stream, pair->stream_bytes));
}

void pair_release(core_pair *pair, uint32_t core, uint64_t tag)
{
    cr_assert(context_of(pair, core)->release(block_of(pair, core), tag, pair_now(pair)));
    kit_wake(kit_of(pair, core));
}

uint32_t pair_restore(core_pair *pair, uint32_t core)
{
    const uint32_t restored = context_of(pair, core)
                                  ->restore(block_of(pair, core), pair->stream, pair->stream_bytes, pair_now(pair),
                                            pair->error, sizeof pair->error);
    kit_wake(kit_of(pair, core));
    return restored;
}

uint32_t pair_move(core_pair *pair, uint32_t core, uint64_t tag)
{
    if (!pair_rest(pair, core, tag))
        return 0;
    pair_save(pair, core, tag);
    pair_release(pair, core, tag);
    cr_assert(pair_restore(pair, !core), "%s", pair->error);
    pair_resume(pair, !core, tag);
    return 1;
}

void pair_disturb(core_pair *pair, uint64_t tag, uint32_t longest_pause, uint64_t *random, pair_moves *counts)
{
    const uint32_t core = pair_holder(pair, tag);
    if (core == 2)
        return;
    const uint32_t stays = kit_random(random) % 4 == 0;
    const uint32_t pause = (uint32_t)(kit_random(random) % 3 ? 0 : kit_random(random) % longest_pause);
    if (!pair_rest(pair, core, tag)) {
        counts->ended++;
        return;
    }
    pair_run(pair, pause);
    if (stays) {
        counts->resumed++;
        pair_resume(pair, core, tag);
        return;
    }
    pair_save(pair, core, tag);
    pair_release(pair, core, tag);
    pair_run(pair, pause / 2);
    cr_assert(pair_restore(pair, !core), "%s", pair->error);
    pair_run(pair, pause / 3);
    pair_resume(pair, !core, tag);
    counts->moves++;
}
