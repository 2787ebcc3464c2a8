/* SPDX-License-Identifier: MIT */
/*
 * Random kernels with choices, loops, breaks, early returns, calls, barriers and atomics: with a SIMT stack every thread
 * does what it does alone, with a path of its own. HEDDLE_RANDOM_KERNELS says how many, HEDDLE_RANDOM_SEED from which seed on.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_random_program.h"
#include "core_rig.h"
#include "functional_core.h"
#include "random_changes.h"

#define BLOCKS 2u
#define MOST_THREADS 160u
#define RESULTS (BLOCKS * MOST_THREADS * RANDOM_RESULT_WORDS)

typedef struct outcome {
    uint32_t words[RESULTS + 8]; /* then those that all threads share */
    uint64_t thread_instructions, warp_instructions;
    uint64_t fingerprint;
} outcome;

static uint64_t setting(const char *name, uint64_t standard)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : standard;
}

static void run(const hd_block_class *type, const char *const *parameters, const uint32_t *words, uint64_t seed,
                uint64_t disturbance, outcome *o)
{
    const uint32_t threads = 1 + (uint32_t)(seed * 7919 % MOST_THREADS);
    core_rig *rig = rig_create_of(type, parameters, words);
    kit_disturb(rig_kit(rig), disturbance);
    kit_renew(rig_kit(rig), disturbance, 0);
    for (uint32_t block = 0; block < BLOCKS; block++) {
        const hd_grid grid = {.grid_size = {BLOCKS, 1, 1},
                              .block_size = {threads, 1, 1},
                              .scratchpad_bytes = threads * 4 + 32,
                              .private_bytes = 128};
        rig_launch_grid(rig, &grid, (uint32_t[]){block, 0, 0}, 0);
    }
    rig_finish(rig);
    for (uint32_t i = 0; i < RESULTS; i++)
        o->words[i] = rig_word(rig, DATA + 4 * i);
    for (uint32_t i = 0; i < 8; i++)
        o->words[RESULTS + i] = rig_word(rig, DATA + RANDOM_SHARED_OFFSET + 4 * i);
    o->thread_instructions = kit_statistic(rig_kit(rig), "thread_instructions");
    o->warp_instructions = kit_statistic(rig_kit(rig), "warp_instructions");
    o->fingerprint = kit_fingerprint(rig_kit(rig));
    rig_destroy(rig);
}

static void compare_words(const outcome *expected, const outcome *got, uint64_t seed, const char *how)
{
    uint32_t i = 0;
    while (i < RESULTS + 8 && expected->words[i] == got->words[i])
        i++;
    cr_expect_eq(i, RESULTS + 8, "seed %" PRIu64 ", %s: word %u is 0x%x, not 0x%x", seed, how, i,
                 got->words[i < RESULTS + 8 ? i : 0], expected->words[i < RESULTS + 8 ? i : 0]);
}

static void compare(const outcome *expected, const outcome *got, uint64_t seed, const char *how)
{
    compare_words(expected, got, seed, how);
    cr_expect_eq(expected->thread_instructions, got->thread_instructions, "seed %" PRIu64 ", %s: instructions", seed,
                 how);
}

Test(functional_core, a_stack_does_for_every_thread_what_the_thread_does_alone)
{
    static const char *const mimd[] = {"reconvergence=mimd", NULL};
    static const char *const stacks[][4] = {
        {"reconvergence=stack", NULL},
        {"reconvergence=stack", "lanes=64", NULL},
        {"reconvergence=stack", "reconvergence.stack.first=not_taken", "quantum=3", NULL},
        {"reconvergence=stack", "lanes=64", "reconvergence.stack.first=fewer", NULL},
    };
    static uint32_t words[RANDOM_WORDS];
    static outcome alone, together;
    const uint64_t count = setting("HEDDLE_RANDOM_KERNELS", 400), first = setting("HEDDLE_RANDOM_SEED", 1);
    fprintf(stderr, "random kernels: %" PRIu64 " of them, seeds %" PRIu64 " to %" PRIu64 "\n", count, first,
            first + count - 1);
    for (uint64_t seed = first; seed < first + count; seed++) {
        random_program(seed, words);
        run(&hd_simt_core_functional, mimd, words, seed, 0, &alone);
        for (size_t i = 0; i < 2; i++) {
            const char *const *stack = stacks[(seed % 2) * 2 + i];
            run(&hd_simt_core_functional, stack, words, seed, 0, &together);
            compare(&alone, &together, seed, stack[1] ? stack[1] : "32 lanes");
        }
    }
}

Test(functional_core, does_what_the_timed_core_does)
{
    static const char *const standard[] = {NULL};
    static uint32_t words[RANDOM_WORDS];
    static outcome timed, functional;
    for (uint64_t seed = 20260401; seed < 20260401 + 60; seed++) {
        random_program(seed, words);
        run(&hd_simt_core_timed, standard, words, seed, 0, &timed);
        run(&hd_simt_core_functional, standard, words, seed, 0, &functional);
        compare(&timed, &functional, seed, "functional");
    }
}

Test(functional_core, other_horizons_change_nothing)
{
    static const char *const short_turns[] = {"run_ahead=7 cycles", "quantum=5", "instructions_per_cycle=2", NULL};
    static uint32_t words[RANDOM_WORDS];
    static outcome straight, disturbed;
    for (uint64_t seed = 20260501; seed < 20260501 + 60; seed++) {
        random_program(seed, words);
        run(&hd_simt_core_functional, short_turns, words, seed, 0, &straight);
        run(&hd_simt_core_functional, short_turns, words, seed, seed, &disturbed);
        cr_expect_eq(straight.fingerprint, disturbed.fingerprint, "seed %" PRIu64, seed);
    }
}

/* ---- Programs that are changed while they are loaded ------------------------------------------------------------------ */

/* How many instructions each thread has executed is one of its results. */
static void forget_counts(outcome *a, outcome *b)
{
    for (uint32_t i = RANDOM_RESULT_COUNT; i < RESULTS; i += RANDOM_RESULT_WORDS)
        a->words[i] = b->words[i] = 0;
}

static const char *const stack_of_32[] = {"reconvergence=stack", NULL};

static void expect_same_words(const hd_block_class *type, const isa_transform *transform, const isa_analysis *analysis,
                              uint64_t first, uint64_t *instructions)
{
    static uint32_t words[RANDOM_WORDS];
    static outcome plain, changed;
    for (uint64_t seed = first; seed < first + 40; seed++) {
        random_program(seed, words);
        run(type, stack_of_32, words, seed, 0, &plain);
        random_changes_begin(seed);
        rig_changes(transform, analysis);
        run(type, stack_of_32, words, seed, 0, &changed);
        rig_changes(NULL, NULL);
        if (transform)
            forget_counts(&plain, &changed);
        compare_words(&plain, &changed, seed, transform ? transform->name : analysis->name);
        *instructions += changed.warp_instructions - plain.warp_instructions;
    }
}

Test(functional_core, instructions_that_are_put_in_anywhere_leave_results_as_they_are)
{
    uint64_t more = 0;
    expect_same_words(&hd_simt_core_functional, &random_nops, NULL, 20261101, &more);
    cr_expect_gt(more, 1000, "%" PRIu64, more);
    expect_same_words(&hd_simt_core_timed, &random_nops, NULL, 20261201, &more);
}

/* Lanes that meet later do the same, in more instructions. */
Test(functional_core, a_later_meeting_point_leaves_results_as_they_are)
{
    uint64_t more = 0;
    expect_same_words(&hd_simt_core_functional, NULL, &later_reconvergence, 20261301, &more);
    cr_expect_gt(more, 100, "%" PRIu64, more);
    more = 0;
    expect_same_words(&hd_simt_core_timed, NULL, &later_reconvergence, 20261401, &more);
    cr_expect_gt(more, 100, "%" PRIu64, more);
}

Test(functional_core, both_at_once_leave_results_as_they_are)
{
    uint64_t more = 0;
    expect_same_words(&hd_simt_core_functional, &random_nops, &later_reconvergence, 20261501, &more);
    cr_expect_gt(more, 1000, "%" PRIu64, more);
}
