/* SPDX-License-Identifier: MIT */
/* A block whose lanes wait at switches that the core executes moves to another core and back, again and again. */
#include "core_pair.h"
#include "core_rig.h"
#include "random_locks_program.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define PROGRAMS 20u
#define THREADS 24u
#define WORDS (2 * LOCKS_COUNT + THREADS)

static void read_words(core_rig *rig, uint32_t words[WORDS])
{
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = rig_word(rig, i < 2 * LOCKS_COUNT ? DATA + 4 * i : DATA + LOCKS_RESULTS + 4 * (i - 2 * LOCKS_COUNT));
}

static void run_alone(const uint32_t *program, uint32_t words[WORDS])
{
    core_rig *rig = rig_create((const char *[]){"reconvergence=mimd", "lanes=8", NULL}, program);
    rig_launch(rig, THREADS, 0);
    rig_finish(rig);
    read_words(rig, words);
    rig_destroy(rig);
}

static uint32_t run_moving(const uint32_t *program, uint64_t seed, uint32_t words[WORDS])
{
    const char *const parameters[] = {"ssde=virtual", "lanes=8", NULL};
    core_pair *pair = pair_create(parameters, parameters, program);
    uint64_t random = seed;
    uint32_t moves = 0;
    pair_launch(pair, 0, THREADS, 0);
    pair_run(pair, 20);
    for (uint32_t core = pair_holder(pair, 0); core < 2; core = pair_holder(pair, 0)) {
        cr_assert_lt(moves, 5000, "seed %lu: no end", seed);
        moves += pair_move(pair, core, 0);
        pair_run(pair, 1 + kit_random(&random) % 250);
    }
    pair_finish(pair, 1);
    read_words(pair->rig[0], words);
    pair_destroy(pair);
    return moves;
}

Test(simt_core, lanes_that_wait_at_switches_move_with_their_block)
{
    static uint32_t program[LOCKS_WORDS];
    uint32_t alone[WORDS], moved[WORDS], moves = 0;
    const uint64_t first = 20261126;
    fprintf(stderr, "blocks that wait at switches: seeds %lu to %lu\n", first, first + PROGRAMS - 1);
    for (uint64_t seed = first; seed < first + PROGRAMS; seed++) {
        random_locks_program(seed, program);
        run_alone(program, alone);
        moves += run_moving(program, seed, moved);
        cr_expect_arr_eq(alone, moved, sizeof alone, "seed %lu", seed);
    }
    cr_expect_gt(moves, 20 * PROGRAMS, "%u", moves);
}
