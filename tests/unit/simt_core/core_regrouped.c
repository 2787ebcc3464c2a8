/* SPDX-License-Identifier: MIT */
/*
 * Paths of lanes of several warps (regrouper.h) do what each thread alone does: random programs with loads, stores, atomics,
 * scratchpad, private memory, fences, barriers, calls and early returns; undisturbed, and while their blocks move.
 *
 * HEDDLE_REGROUP_PROGRAMS = how many programs (default 60), HEDDLE_REGROUP_SEED = seed of the first.
 */
#include "core_alone.h"
#include "regrouper.h"

#include <criterion/criterion.h>
#include <stdio.h>

/* How lanes are grouped. */
typedef struct grouping {
    char mix[48], seed[64];
    const char *texts[3];
} grouping;

static const char *const *regrouped(const alone_machine *machine, const char *mix, uint64_t seed)
{
    static grouping g;
    snprintf(g.mix, sizeof g.mix, "reconvergence.regrouper.mix=%s", mix);
    snprintf(g.seed, sizeof g.seed, "reconvergence.regrouper.seed=%lu", seed);
    g.texts[0] = g.mix;
    g.texts[1] = g.seed;
    return alone_with(machine, g.texts);
}

Test(simt_core_regrouped, random_programs_do_what_each_thread_does_alone, .timeout = 3600)
{
    static uint32_t words[RANDOM_WORDS];
    static alone_outcome reference, other, again;
    const uint64_t first = alone_option("HEDDLE_REGROUP_SEED", 20260401),
                   programs = alone_option("HEDDLE_REGROUP_PROGRAMS", 60);
    for (uint64_t seed = first; seed < first + programs; seed++) {
        random_program(seed, words);
        alone_run(alone_mimd, words, seed, 0, &reference);
        for (uint32_t m = 0; m < ALONE_MACHINES; m++) {
            alone_run(regrouped(&alone_machines[m], "swap", 1), words, seed, 0, &other);
            alone_compare(&reference, &other, seed, alone_machines[m].name, "swap");
            alone_run(regrouped(&alone_machines[m], "shuffle", seed), words, seed, 0, &other);
            alone_compare(&reference, &other, seed, alone_machines[m].name, "shuffle");
            if (seed % ALONE_MACHINES != m)
                continue;
            alone_run(regrouped(&alone_machines[m], "shuffle", seed), words, seed, seed, &again);
            cr_expect_eq(again.fingerprint, other.fingerprint, "seed %lu, %s: other horizons", seed,
                         alone_machines[m].name);
        }
    }
    fprintf(stderr, "regrouped lanes: seeds %lu to %lu, %lu paths of several warps, %lu joined\n", first,
            first + programs - 1, regrouper_mixed, regrouper_merged);
    cr_expect_gt(regrouper_mixed, 100 * programs);
    cr_expect_gt(regrouper_merged, programs);
}

Test(simt_core_regrouped, blocks_of_regrouped_lanes_move, .timeout = 3600)
{
    static uint32_t words[RANDOM_WORDS];
    static alone_outcome reference, moved;
    const uint64_t first = alone_option("HEDDLE_REGROUP_SEED", 20260501),
                   programs = alone_option("HEDDLE_REGROUP_PROGRAMS", 60) / 4;
    uint32_t moves = 0;
    for (uint64_t seed = first; seed < first + programs; seed++) {
        random_program(seed, words);
        alone_run(alone_mimd, words, seed, 0, &reference);
        for (uint32_t m = 0; m < ALONE_MACHINES; m++) {
            moves += alone_run_moving(regrouped(&alone_machines[m], seed % 2 ? "swap" : "shuffle", seed), words, seed,
                                      &moved);
            alone_compare(&reference, &moved, seed, alone_machines[m].name, "moved");
        }
    }
    fprintf(stderr, "moved blocks of regrouped lanes: seeds %lu to %lu, %u moves\n", first, first + programs - 1,
            moves);
    cr_expect_gt(moves, 4 * programs);
}
