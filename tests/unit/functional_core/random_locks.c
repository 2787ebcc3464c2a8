/* SPDX-License-Identifier: MIT */
/*
 * Random programs that take locks, on a stack: with their deadlocks removed each ends, with the results of threads that run by
 * themselves. HEDDLE_RANDOM_LOCKS says how many, HEDDLE_RANDOM_SEED from which seed on.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_rig.h"
#include "functional_core.h"
#include "random_locks_program.h"
#include "simt_core.h"

#define THREADS 24u
#define CYCLES 400000u
#define TIMED_CYCLES 4000000u /* with latencies */
#define STARVING_CYCLES 300000u

typedef struct outcome {
    uint32_t ends;
    uint32_t words[2 * LOCKS_COUNT + THREADS];
} outcome;

static uint64_t setting(const char *name, uint64_t standard)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : standard;
}

static void run(const hd_block_class *type, const char *const *parameters, const uint32_t *words, uint64_t cycles,
                outcome *o)
{
    core_rig *rig = rig_create_of(type, parameters, words);
    rig_launch(rig, THREADS, 0);
    kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), cycles));
    o->ends = rig_done(rig);
    for (uint32_t i = 0; i < 2 * LOCKS_COUNT; i++)
        o->words[i] = rig_word(rig, DATA + 4 * i);
    for (uint32_t i = 0; i < THREADS; i++)
        o->words[2 * LOCKS_COUNT + i] = rig_word(rig, DATA + LOCKS_RESULTS + 4 * i);
    rig_destroy(rig);
}

static void compare(const outcome *alone, const outcome *together, uint64_t seed, const char *how)
{
    cr_expect(together->ends, "seed %" PRIu64 ", %s: it does not end", seed, how);
    cr_expect(!together->ends || !memcmp(alone->words, together->words, sizeof alone->words),
              "seed %" PRIu64 ", %s: other results", seed, how);
}

static const char *const mimd[] = {"reconvergence=mimd", "lanes=8", NULL};
static const char *const stack[] = {"lanes=8", NULL};

typedef const char *machine[6]; /* parameters of its core; NULL behind the last */

/* Each of so many programs on each of these cores; what: of all of them. */
static void compare_all(const hd_block_class *type, const machine *machines, size_t machine_count, uint64_t count,
                        const char *what)
{
    static uint32_t words[LOCKS_WORDS];
    static outcome alone, together;
    uint64_t hang = 0;
    const uint64_t first = setting("HEDDLE_RANDOM_SEED", 1);
    const uint64_t cycles = type == &hd_simt_core_functional ? CYCLES : TIMED_CYCLES;
    for (uint64_t seed = first; seed < first + count; seed++) {
        random_locks_program(seed, words);
        run(&hd_simt_core_functional, mimd, words, CYCLES, &alone);
        cr_assert(alone.ends, "seed %" PRIu64, seed);
        for (size_t i = 0; i < machine_count; i++) {
            run(type, machines[i], words, cycles, &together);
            compare(&alone, &together, seed, machines[i][2] ? machines[i][2] : what);
        }
        run(&hd_simt_core_functional, stack, words, CYCLES / 10, &together);
        hang += !together.ends;
    }
    fprintf(stderr, "random locks, %s: seeds %" PRIu64 " to %" PRIu64 "; %" PRIu64 " hang as they are\n", what, first,
            first + count - 1, hang);
    cr_expect_gt(hang, count / 2);
}

static void compare_removal(const char *removal)
{
    char form[32];
    snprintf(form, sizeof form, "ssde=%s", removal);
    const machine machines[] = {{"lanes=8", form},
                                {"lanes=8", form, "reconvergence.stack.first=not_taken"},
                                {"lanes=32", form, "reconvergence.stack.first=fewer"}};
    compare_all(&hd_simt_core_functional, machines, sizeof machines / sizeof *machines,
                setting("HEDDLE_RANDOM_LOCKS", 100), form);
}

Test(functional_core, locks_in_rewritten_programs_are_taken_and_given_back)
{
    compare_removal("rewritten");
}

Test(functional_core, locks_are_taken_and_given_back_by_switches_of_the_core)
{
    compare_removal("virtual");
}

/* Without a time-out: lanes meet where the search says that they may. */
Test(functional_core, locks_are_taken_and_given_back_where_splits_take_turns)
{
#define TURNS "reconvergence=aware", "reconvergence.aware.timeout=0 cycles"
    static const machine machines[] = {{TURNS, "lanes=8"},
                                       {TURNS, "reconvergence.aware.rotate=all", "lanes=8"},
                                       {TURNS, "reconvergence.aware.first=taken", "lanes=32"}};
    compare_all(&hd_simt_core_functional, machines, sizeof machines / sizeof *machines,
                setting("HEDDLE_RANDOM_LOCKS", 100), "splits take turns");
}

/* The functional core has no such unit. */
Test(functional_core, locks_are_taken_and_given_back_where_splits_run_side_by_side)
{
#define SIDE_BY_SIDE "reconvergence=mp", "reconvergence.mp.delayed=true"
    static const machine machines[] = {
        {SIDE_BY_SIDE, "lanes=8", "simd_width=8"},
        {SIDE_BY_SIDE, "reconvergence.mp.first=not_taken", "scoreboard=reserved_masks", "scheduler=lrr"},
        {SIDE_BY_SIDE, "reconvergence.mp.early=true", "scheduler.gto.splits=round_robin"}};
    compare_all(&hd_simt_core_timed, machines, sizeof machines / sizeof *machines, setting("HEDDLE_RANDOM_LOCKS", 20),
                "splits run side by side");
}

/*
 * A greedy scheduler goes on with the split that issued last, or with the oldest that is ready. Where enough of them spin there is always one,
 * and who holds the lock never issues, unless ages rotate. That is told: those that wait for data, and those that could run.
 */
Test(functional_core, splits_starve_under_a_greedy_scheduler_if_their_ages_stay)
{
    static const struct {
        const char *parameter;
        uint32_t ends;
    } cases[] = {{"scheduler.gto.age_rotation=0 cycles", 0},
                 {"scheduler.gto.age_rotation=1000 cycles", 1},
                 {"scheduler.gto.splits=round_robin", 1},
                 {"scheduler=lrr", 1}};
    static const uint64_t seeds[] = {5289, 5387};
    static uint32_t words[LOCKS_WORDS];
    for (uint32_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        random_locks_program(seeds[i % 2], words);
        core_rig *rig = rig_create_of(
            &hd_simt_core_timed,
            (const char *[]){SIDE_BY_SIDE, "reconvergence.mp.first=not_taken", cases[i / 2].parameter, NULL}, words);
        rig_launch(rig, THREADS, 0);
        kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), STARVING_CYCLES));
        cr_expect_eq(rig_done(rig), cases[i / 2].ends, "seed %" PRIu64 ", %s", seeds[i % 2], cases[i / 2].parameter);
        const char *text = kit_described(rig_kit(rig));
        cr_expect_eq(strstr(text, "(kernel+0x") && strstr(text, ", runs\n"), !cases[i / 2].ends, "%s", text);
        rig_destroy(rig);
    }
}

static uint64_t instructions_of(const hd_block_class *type, const char *removal, const uint32_t *words)
{
    char form[32];
    snprintf(form, sizeof form, "ssde=%s", removal);
    core_rig *rig = rig_create_of(type, (const char *[]){form, NULL}, words);
    rig_launch(rig, 1, 0);
    rig_finish(rig);
    const uint64_t instructions = kit_statistic(rig_kit(rig), "warp_instructions");
    rig_destroy(rig);
    return instructions;
}

/* A thread alone comes to switches too, and every core executes them. */
Test(functional_core, switches_are_executed_by_who_has_nobody_to_wait_for)
{
    static const char *const removals[] = {"off", "virtual", "rewritten"};
    static uint32_t words[LOCKS_WORDS];
    for (uint64_t seed = 1; seed < 31; seed++) {
        uint64_t before = 0;
        random_locks_program(seed, words);
        for (size_t i = 0; i < 3; i++) {
            const uint64_t functional = instructions_of(&hd_simt_core_functional, removals[i], words);
            cr_expect_eq(functional, instructions_of(&hd_simt_core_timed, removals[i], words), "seed %" PRIu64 ", %s",
                         seed, removals[i]);
            cr_expect_gt(functional, before, "seed %" PRIu64 ", %s", seed, removals[i]);
            before = functional;
        }
    }
}

/* Lanes come straight on from one integer instruction to another, before which they may have to wait. */
Test(functional_core, switches_are_executed_in_the_middle_of_arithmetic)
{
    const uint32_t words[] = {lui(S1, DATA),
                              addi(A5, ZERO, 1),
                              amoswap_acquire(T1, A5, S1),
                              bne(T1, ZERO, -4),
                              beq(ZERO, ZERO, 12),
                              amoswap_release(ZERO, ZERO, S1),
                              jal(ZERO, 12),
                              amoswap_release(ZERO, ZERO, S1),
                              addi(A0, A0, 1),
                              addi(A0, A0, 1),
                              ret(),
                              0};
    cr_expect_eq(instructions_of(&hd_simt_core_functional, "off", words), 9);
    cr_expect_eq(instructions_of(&hd_simt_core_functional, "virtual", words), 10);
    cr_expect_eq(instructions_of(&hd_simt_core_timed, "virtual", words), 10);
}
