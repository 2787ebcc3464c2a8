/* SPDX-License-Identifier: MIT */
#include "core_mover.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 3u
#define MOST_THREADS 80u
#define RESULTS (BLOCKS * MOST_THREADS * RANDOM_RESULT_WORDS)
#define LONGEST_PAUSE 120u /* cycles between two moves, and while a block is stopped */

/* Many: a slow block that is told to stop again while it enters issues one instruction before it does. */
#define MOST_ROUNDS 50000u

/* What does not depend on time. */
static const char *const sums[] = {"warp_instructions",
                                   "thread_instructions",
                                   "integer_instructions",
                                   "float_instructions",
                                   "memory_instructions",
                                   "control_instructions",
                                   "synchronisation_instructions",
                                   "divergent_branches",
                                   "lanes_1_4",
                                   "lanes_29_32",
                                   "blocks_run",
                                   "warps_run",
                                   "threads_run",
                                   "barriers_released",
                                   "loads",
                                   "stores",
                                   "atomics",
                                   "wide_accesses",
                                   "lane_accesses",
                                   "scratchpad_passes",
                                   "atomic_bytes"};
#define SUMS (sizeof sums / sizeof *sums)

static const uint64_t tags[BLOCKS] = {0, 1, RIG_SECOND_TAG};

typedef struct move_outcome {
    uint32_t words[RESULTS];
    uint32_t shared[8];
    uint64_t sums[SUMS];
    uint64_t fingerprints[2];
} outcome;

static uint64_t option(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

static core_pair *begin(const move_trial *trial, const move_machine *m, const uint32_t *words, uint64_t seed,
                        uint64_t disturbance)
{
    core_pair *pair = pair_create(m->first, m->second, words);
    uint32_t threads = 1 + (uint32_t)(seed * 7919 % MOST_THREADS);
    hd_grid grid = {.grid_size = {BLOCKS, 1, 1},
                    .block_size = {threads, 1, 1},
                    .scratchpad_bytes = threads * trial->scratchpad_per_thread + 32,
                    .private_bytes = 128};
    if (trial->prepare)
        trial->prepare(pair);
    for (uint32_t core = 0; core < 2; core++)
        kit_disturb(rig_kit(pair->rig[core]), disturbance);
    for (uint32_t block = 0; block < BLOCKS; block++)
        rig_launch_grid(pair->rig[block == 2], &grid, (uint32_t[]){block, 0, 0}, 0);
    return pair;
}

static void end(core_pair *pair, outcome *o)
{
    pair_finish(pair, BLOCKS);
    for (uint32_t i = 0; i < RESULTS; i++)
        o->words[i] = rig_word(pair->rig[0], DATA + 4 * i);
    for (uint32_t i = 0; i < 8; i++)
        o->shared[i] = rig_word(pair->rig[0], DATA + RANDOM_SHARED_OFFSET + 4 * i);
    for (uint32_t i = 0; i < SUMS; i++)
        o->sums[i] = pair_statistic(pair, sums[i]);
    for (uint32_t core = 0; core < 2; core++)
        o->fingerprints[core] = kit_fingerprint(rig_kit(pair->rig[core]));
    pair_destroy(pair);
}

void move_by_hand(const move_trial *trial, const move_machine *m, const uint32_t *words, uint64_t seed,
                  uint64_t disturbance, outcome *o, move_counts *counts)
{
    core_pair *pair = begin(trial, m, words, seed, disturbance);
    uint64_t random = seed;
    pair_run(pair, 20);
    for (uint32_t rounds = 0; rig_done(pair->rig[0]) + rig_done(pair->rig[1]) < BLOCKS; rounds++) {
        cr_assert_lt(rounds, MOST_ROUNDS, "seed %lu, %s: no end", seed, m->name);
        pair_run(pair, 1 + kit_random(&random) % LONGEST_PAUSE);
        pair_disturb(pair, tags[kit_random(&random) % BLOCKS], LONGEST_PAUSE, &random, &counts->blocks);
    }
    end(pair, o);
}

static uint32_t has_buffers(const move_machine *m)
{
    uint32_t found = 0;
    for (uint32_t i = 0; m->first[i]; i++)
        found |= !strcmp(m->first[i], "context.storage=buffer");
    return found;
}

void move_by_messages(const move_trial *trial, const move_machine *m, const uint32_t *words, uint64_t seed,
                      uint64_t disturbance, outcome *o, move_counts *counts)
{
    core_pair *pair = begin(trial, m, words, seed, disturbance);
    courier *c = courier_create(pair);
    uint64_t random = seed;
    for (uint32_t rounds = 0; rig_done(pair->rig[0]) + rig_done(pair->rig[1]) < BLOCKS; rounds++) {
        cr_assert_lt(rounds, MOST_ROUNDS, "seed %lu, %s: no end", seed, m->name);
        pair_run(pair, 1 + kit_random(&random) % LONGEST_PAUSE);
        courier_take(c);
        courier_decide(c, tags[kit_random(&random) % BLOCKS], has_buffers(m), &random);
    }
    for (uint32_t block = 0; block < BLOCKS; block++) {
        counts->blocks.moves += c->blocks[tags[block]].saved;
        counts->blocks.ended += c->blocks[tags[block]].stops;
    }
    counts->arrays += pair_statistic(pair, "context_arrays");
    courier_destroy(c);
    end(pair, o);
}

/* Which lanes run together depends on time. */
static uint32_t regroups(const move_machine *m)
{
    uint32_t found = 0;
    for (uint32_t i = 0; m->first[i]; i++)
        found |= !strncmp(m->first[i], "reconvergence=dwf", 17) || !strcmp(m->first[i], "reconvergence=block_stack");
    return found;
}

static void compare(const outcome *expected, const outcome *got, uint64_t seed, const move_machine *m)
{
    const char *const name = m->name;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < RESULTS && !wrong; i++)
        wrong = expected->words[i] != got->words[i] ? i + 1 : 0;
    cr_expect_eq(wrong, 0, "seed %lu, %s: word %u of thread %u is 0x%x, not 0x%x", seed, name,
                 (wrong - 1) % RANDOM_RESULT_WORDS, (wrong - 1) / RANDOM_RESULT_WORDS,
                 got->words[wrong ? wrong - 1 : 0], expected->words[wrong ? wrong - 1 : 0]);
    cr_expect_arr_eq(expected->shared, got->shared, sizeof got->shared, "seed %lu, %s: shared words", seed, name);
    for (uint32_t i = 0; i < SUMS && !regroups(m); i++)
        cr_expect_eq(expected->sums[i], got->sums[i], "seed %lu, %s: %s is %lu, not %lu", seed, name, sums[i],
                     got->sums[i], expected->sums[i]);
}

move_counts move_programs(const move_trial *trial, mover *moving, uint64_t first, uint64_t programs)
{
    static uint32_t words[RANDOM_WORDS];
    static outcome still, moved, again;
    move_counts counts = {0}, same = {0};
    for (uint64_t seed = first; seed < first + programs; seed++) {
        trial->program(seed, words);
        for (uint32_t m = 0; m < trial->machine_count; m++) {
            end(begin(trial, &trial->machines[m], words, seed, 0), &still);
            moving(trial, &trial->machines[m], words, seed, 0, &moved, &counts);
            compare(&still, &moved, seed, &trial->machines[m]);
            if (seed % trial->machine_count != m)
                continue;
            moving(trial, &trial->machines[m], words, seed, seed, &again, &same);
            cr_expect_arr_eq(again.fingerprints, moved.fingerprints, sizeof moved.fingerprints,
                             "seed %lu, %s: other horizons", seed, trial->machines[m].name);
        }
    }
    fprintf(stderr, "moved blocks: seeds %lu to %lu, %u moves, %u stopped and resumed, %u ended while they stopped\n",
            first, first + programs - 1, counts.blocks.moves, counts.blocks.resumed, counts.blocks.ended);
    cr_expect_gt(counts.blocks.moves, programs);
    cr_expect_gt(counts.blocks.ended, 0);
    return counts;
}

move_counts move_all(const move_trial *trial, mover *moving)
{
    return move_programs(trial, moving, option("HEDDLE_MOVE_SEED", 20260301), option("HEDDLE_MOVE_PROGRAMS", 12));
}
