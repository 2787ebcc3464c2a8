/* SPDX-License-Identifier: MIT */
/* Blocks whose arrays have been read, and which wait for room side by side. */
#include "core_courier.h"

#include <criterion/criterion.h>

#define COPIES (DATA + 0x10000u)
#define THREADS 32u
#define WORDS_BYTES (4 * THREADS) /* that a block has copied */
#define SCRATCHPAD 4096u
#define ENTRY 16u
#define HOLDER 2u /* the least index of blocks that hold the room */

static const char *const arrays[] = {"context.engine=stream",
                                     "scheduler=lrr",
                                     "warps=2",
                                     "context.storage=memory",
                                     "context.scratchpad=arrays",
                                     "context.unwritten=garbage",
                                     NULL};

static void launch(core_pair *pair, uint32_t core, uint32_t index, uint32_t threads, uint32_t scratchpad)
{
    const hd_grid grid = {
        .grid_size = {16, 1, 1}, .block_size = {threads, 1, 1}, .scratchpad_bytes = scratchpad, .private_bytes = 128};
    rig_launch_grid(pair->rig[core], &grid, (uint32_t[]){index, 0, 0}, pair_now(pair));
}

static uint64_t of(const courier *c, uint32_t core, const char *statistic)
{
    return kit_statistic(rig_kit(c->pair->rig[core]), statistic);
}

static void leave(courier *c)
{
    for (uint64_t tag = 0; tag < 2; tag++) {
        courier_stop(c, tag);
        courier_wait(c, tag);
        cr_assert_eq(c->blocks[tag].place, COURIER_HERE);
    }
}

static void run_until(courier *c, const char *statistic, uint64_t value)
{
    for (uint32_t cycles = 0; of(c, 1, statistic) < value; cycles++) {
        cr_assert_lt(cycles, 100000, "%s is %lu, not %lu", statistic, of(c, 1, statistic), value);
        pair_run(c->pair, 1);
    }
    courier_take(c);
}

/* Each keeps what it has read. What those in its way store meanwhile makes its array words like others, and not those of the other one. */
Test(simt_core, blocks_without_room_keep_their_arrays)
{
    const uint32_t words[] = {csrr(T1, 0xCC3),
                              addi(T2, ZERO, HOLDER),
                              csrr(T0, 0xCC0),
                              slli(A0, T0, 2),
                              lui(A5, COPIES),
                              blt(T1, T2, 24),
                              DELAY(2000),
                              sw(ZERO, 20, A5),
                              ret(),
                              slli(A1, T1, 7),
                              add(A1, A1, A0),
                              add(A5, A5, A1),
                              lui(A4, HD_SCRATCHPAD_BASE),
                              add(A4, A4, A0),
                              lw(A2, 0, A5),
                              sw(A2, 0, A4),
                              DELAY(2000),
                              lui(A3, DATA),
                              add(A3, A3, A1),
                              lw(A2, 0, A4),
                              sw(A2, 0, A3),
                              ret(),
                              0};
    core_pair *pair = pair_create(arrays, arrays, words);
    courier *c = courier_create(pair);
    for (uint32_t i = 0; i < 2 * THREADS; i++)
        rig_set_word(pair->rig[0], COPIES + 4 * i, 0x1000 + i);
    for (uint32_t index = 0; index < 2; index++)
        launch(pair, 0, index, THREADS, SCRATCHPAD);
    pair_run(pair, 2000);
    leave(c);
    for (uint32_t index = 0; index < 2; index++) {
        cr_expect_eq(c->blocks[index].size.scratchpad_bytes, ENTRY);
        launch(pair, 1, HOLDER + index, 1, 0);
    }
    pair_run(pair, 50);
    courier_restore(c, 0, 1);
    courier_restore(c, 1, 1);
    run_until(c, "context_array_bytes", 2 * WORDS_BYTES);
    cr_assert_eq(of(c, 1, "stores"), 0);
    run_until(c, "stores", 2);
    cr_assert_eq(of(c, 1, "blocks_restored"), 0);
    run_until(c, "blocks_restored", 2);
    cr_expect_eq(of(c, 1, "context_array_bytes"), 2 * WORDS_BYTES, "arrays are read once");
    leave(c);
    cr_expect_eq(c->blocks[0].size.scratchpad_bytes, WORDS_BYTES + ENTRY);
    cr_expect_eq(c->blocks[1].size.scratchpad_bytes, ENTRY);
    for (uint64_t tag = 0; tag < 2; tag++)
        courier_restore(c, tag, 0);
    pair_finish(pair, 4);
    for (uint32_t i = 0; i < 2 * THREADS; i++)
        cr_expect_eq(rig_word(pair->rig[0], DATA + 4 * i), 0x1000 + i, "word %u", i);
    cr_expect_eq(rig_word(pair->rig[0], COPIES + 20), 0);
    courier_destroy(c);
    pair_destroy(pair);
}
