/* SPDX-License-Identifier: MIT */
/* Kernels of which it is known what is found in them, and how often warps that are held back go round (ElTantawy 2018 §6.2, §6.3, §6.7). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define APP SYSTEM_APPS "/spin_loops"
#define BOWS HEDDLE_MACHINES "/../variants/gtx480_bows.yaml"
#define SETS_MAX 6u

/* The app, with the settings up to a NULL. */
static json_t *measured(const char *app, const char *const *sets)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    const char *words[6 + 2 * SETS_MAX + 1] = {"run", BOWS, app, "--quiet", "--stats", path};
    for (uint32_t i = 0; i < SETS_MAX && sets[i]; i++) {
        words[6 + 2 * i] = "--set";
        words[7 + 2 * i] = sets[i];
    }
    finished run = heddle_run(words);
    expect_code(&run, 0);
    json_t *stats = stats_read(path);
    finished_free(&run);
    free(path);
    folder_remove(folder);
    return stats;
}

static uint64_t cycles_of(const json_t *stats)
{
    return (uint64_t)json_integer_value(stats_at(stats, "kernels/0/cycles"));
}

static uint64_t of_core(const json_t *stats, const char *statistic)
{
    char key[64];
    snprintf(key, sizeof key, "busy/core/%s", statistic);
    return (uint64_t)json_integer_value(stats_at(stats, key));
}

/* A history of so many entries holds loops with one compare fewer, or with two fewer. */
static void expect_found(uint32_t compares, const char *length, const char *reach, bool is_found)
{
    char kernel[32], length_is[40], reach_is[40];
    snprintf(kernel, sizeof kernel, "app.kernel=waits_%u", compares);
    snprintf(length_is, sizeof length_is, "core.spin.ddos.length=%s", length);
    snprintf(reach_is, sizeof reach_is, "core.spin.ddos.reach=%s", reach);
    json_t *stats = measured(APP, (const char *const[SETS_MAX]){kernel, "core.back_off=none", length_is, reach_is});
    cr_expect_eq(of_core(stats, "spin_marked"), 1);
    cr_expect_eq(of_core(stats, "spin_marked_repeated"), 1);
    cr_expect_eq(of_core(stats, "spin_marked_found"), is_found, "%u compares, length %s, reach %s", compares, length,
                 reach);
    cr_expect_eq(of_core(stats, "spin_unmarked_found"), 0);
    json_decref(stats);
}

Test(spin_loops, are_found_if_their_compares_fit_into_a_history)
{
    for (uint32_t compares = 1; compares <= 8; compares++) {
        expect_found(compares, "8", "last", compares <= 7);
        expect_found(compares, "8", "before_last", compares <= 6);
    }
    expect_found(1, "2", "last", true);
    expect_found(2, "2", "last", false);
    expect_found(4, "5", "last", true);
    expect_found(5, "5", "last", false);
}

typedef struct wait {
    uint64_t cycles, iterations, delays;
} wait;

/* A warp waits in a loop of one compare for another one that goes round so many times. */
static wait wait_with(const char *back_off, const char *minimum, const char *rounds)
{
    json_t *stats =
        measured(APP, (const char *const[SETS_MAX]){"app.kernel=waits_1", "core.back_off.bows.range=0 cycles",
                                                    "core.spin=oracle", rounds, minimum, back_off});
    const wait w = {.cycles = cycles_of(stats),
                    .iterations = of_core(stats, "spin_branches"),
                    .delays = of_core(stats, "back_off_delays")};
    json_decref(stats);
    return w;
}

/* The sides of a quotient are as far apart as the first iteration, and the last. */
static void expect_paced(const wait *w, uint64_t limit)
{
    cr_expect_leq(w->iterations, w->cycles / limit + 2, "%lu iterations in %lu cycles", w->iterations, w->cycles);
    cr_expect_geq(w->iterations, w->cycles / limit - 2, "%lu iterations in %lu cycles", w->iterations, w->cycles);
}

Test(spin_loops, begin_no_iteration_before_the_delay_is_over_and_each_soon_after)
{
#define LONG "app.rounds=20000"
    const wait free_wait = wait_with("core.back_off=none", "core.back_off.bows.minimum=0 cycles", LONG);
    const wait behind = wait_with("core.back_off=bows", "core.back_off.bows.minimum=0 cycles", LONG);
    const wait paced = wait_with("core.back_off=bows", "core.back_off.bows.minimum=1000 cycles", LONG);
    const wait slower = wait_with("core.back_off=bows", "core.back_off.bows.minimum=5000 cycles", LONG);
    cr_expect_eq(behind.iterations, free_wait.iterations, "nobody else issues at its port");
    cr_expect_gt(free_wait.iterations, 3 * paced.iterations);
    expect_paced(&paced, 1000);
    expect_paced(&slower, 5000);
    cr_expect_eq(behind.delays, 0);
    cr_expect_eq(paced.delays, paced.iterations);
}

/* No wait ends later than by the delay of the last iteration. */
Test(spin_loops, end_soon_after_what_they_wait_for)
{
    const wait free_wait = wait_with("core.back_off=none", "core.back_off.bows.minimum=0 cycles", LONG);
    const wait slower = wait_with("core.back_off=bows", "core.back_off.bows.minimum=5000 cycles", LONG);
    cr_expect_leq(slower.cycles, free_wait.cycles + 6000);
    cr_expect_gt(slower.cycles, free_wait.cycles);
}

/* What a try compares changes with each thread that gets in between. */
Test(spin_loops, of_structures_without_locks_are_not_found)
{
    json_t *stats = measured(APP, (const char *const[SETS_MAX]){"app.kernel=pushes", "app.grid=15"});
    cr_expect_eq(of_core(stats, "spin_marked"), 15);
    cr_expect_eq(of_core(stats, "spin_marked_repeated"), 15);
    cr_expect_eq(of_core(stats, "spin_marked_found"), 0);
    cr_expect_eq(of_core(stats, "spin_branches"), 0);
    json_decref(stats);
}

/* The locks of OpenMP with their sections inside of the loop: one lock for all threads, and one for few (ElTantawy 2018, Table 3.1). The app
 * checks what is counted. */
static json_t *counted(const char *program, const char *locks, const char *back_off)
{
    return measured("openmp_locks", (const char *const[SETS_MAX]){"app.wait=inside", "app.elements=1152", "app.grid=6",
                                                                  program, locks, back_off});
}

static void expect_gain(const char *program)
{
    json_t *without = counted(program, "app.locks=1", "core.back_off=none"),
           *with = counted(program, "app.locks=1", "core.back_off=bows");
    cr_expect_eq(of_core(with, "spin_marked_found"), of_core(with, "spin_marked"));
    cr_expect_eq(of_core(with, "spin_unmarked_found"), 0);
    cr_expect_gt(of_core(without, "warp_instructions"), 4 * of_core(with, "warp_instructions"), "%s", program);
    cr_expect_gt(cycles_of(without), cycles_of(with), "%s", program);
    json_decref(without);
    json_decref(with);
}

Test(spin_loops, around_one_lock_for_all_threads_are_held_back)
{
    expect_gain("app.program=test_lock");
    expect_gain("app.program=array_maximum");
}

/* Few threads to a lock: there is nothing to gain, and little to lose. */
Test(spin_loops, around_many_locks_cost_little)
{
    json_t *without = counted("app.program=test_lock", "app.locks=256", "core.back_off=none"),
           *with = counted("app.program=test_lock", "app.locks=256", "core.back_off=bows");
    cr_expect_lt(cycles_of(with), cycles_of(without) * 11 / 10);
    json_decref(without);
    json_decref(with);
}

/* ---- What is counted ------------------------------------------------------------------------------------------------------- */

/* Insertions into a hash table of one bucket, in blocks of a warp. */
static json_t *inserted(const char *grid, const char *block, const char *inserts)
{
    return measured("hashtable",
                    (const char *const[SETS_MAX]){"app.buckets=1", "core.back_off=none", grid, block, inserts});
}

/* A lane goes to its loop once for each lock, and back once for each try that fails. */
static void expect_tries(json_t *stats, uint64_t taken, uint64_t intra)
{
    const uint64_t inter = of_core(stats, "lock_failures_inter_warp");
    cr_expect_eq(of_core(stats, "locks_taken"), taken);
    cr_expect_eq(of_core(stats, "lock_failures_intra_warp"), intra);
    cr_expect_eq(of_core(stats, "wait_failures"), inter + intra + taken);
    cr_expect_eq(of_core(stats, "wait_successes"), taken);
}

/* Of a warp one lane gets the lock at a time: 31 + 30 + ... + 1 of it fail by one of their own, whoever else wants it. */
Test(spin_loops, end_tries_for_a_lock_that_are_told_apart)
{
    json_t *one = inserted("app.grid=1", "app.block=32", "app.inserts=1"),
           *lanes = inserted("app.grid=4", "app.block=1", "app.inserts=3"),
           *all = inserted("app.grid=4", "app.block=32", "app.inserts=1");
    expect_tries(one, 32, 496);
    expect_tries(lanes, 12, 0);
    expect_tries(all, 128, 4 * 496);
    cr_expect_eq(of_core(one, "lock_failures_inter_warp"), 0);
    cr_expect_gt(of_core(lanes, "lock_failures_inter_warp"), 12);
    cr_expect_gt(of_core(all, "lock_failures_inter_warp"), of_core(all, "lock_failures_intra_warp"));
    json_decref(one);
    json_decref(lanes);
    json_decref(all);
}

Test(spin_loops, free_a_lock_by_what_is_no_try)
{
    json_t *stats = measured(APP, (const char *const[SETS_MAX]){"app.kernel=frees"});
    cr_expect_eq(of_core(stats, "locks_taken"), 1);
    cr_expect_eq(of_core(stats, "lock_failures_inter_warp") + of_core(stats, "lock_failures_intra_warp"), 0);
    json_decref(stats);
}

/* Five times in a row is five times the same branch. */
Test(spin_loops, of_two_branches_in_turn_repeat_neither)
{
    json_t *stats = measured(APP, (const char *const[SETS_MAX]){"app.kernel=alternates"});
    cr_expect_eq(of_core(stats, "spin_marked"), 2);
    cr_expect_eq(of_core(stats, "spin_marked_repeated"), 0);
    json_decref(stats);
}

/* A warp of 32 lanes goes round a loop of so many instructions, all of them alike, and is known to spin from some branch on. */
static void expect_counted(const char *kernel, const char *spin, uint64_t instructions)
{
    json_t *stats = measured(APP, (const char *const[SETS_MAX]){kernel, spin, "app.rounds=5000", "core.back_off=none"});
    const uint64_t taken = of_core(stats, "wait_failures") / 32, known = of_core(stats, "spin_branches");
    const uint64_t before = taken - known; /* with the branch by which it becomes known, if it is learnt */
    cr_expect_eq(of_core(stats, "wait_failures") % 32, 0);
    cr_expect_eq(of_core(stats, "wait_successes"), 32);
    cr_expect_eq(of_core(stats, "spin_instructions"), instructions * (known - 1), "%s, %s", kernel, spin);
    cr_expect_eq(before > 0, !strcmp(spin, "core.spin=ddos"));
    cr_expect_float_eq((double)of_core(stats, "spin_marked_phase"),
                       before ? 1e6 * (double)(before - 1) / (double)taken : 0, 100, "%s, %s", kernel, spin);
    json_decref(stats);
}

Test(spin_loops, are_counted_from_when_they_are_known)
{
    expect_counted("app.kernel=waits_1", "core.spin=oracle", 2);
    expect_counted("app.kernel=waits_3", "core.spin=oracle", 4);
    expect_counted("app.kernel=waits_1", "core.spin=ddos", 2);
}

/* ---- Programs in which nobody waits ------------------------------------------------------------------------------------------ */

#define LONG_DELAY "core.back_off.bows.minimum=5000 cycles"

static uint64_t cycles_with(const char *app, const char *first, const char *second)
{
    json_t *stats = measured(app, (const char *const[SETS_MAX]){first, second});
    const uint64_t cycles = cycles_of(stats);
    if (strcmp(first, "core.spin=none"))
        cr_expect_eq(of_core(stats, "spin_marked"), 0);
    json_decref(stats);
    return cycles;
}

/* ElTantawy 2018 §6.5.2, Fig. 6.13. */
Test(spin_loops, none_is_found_in_programs_without_locks_which_take_the_same_cycles)
{
    static const char *const apps[] = {"scan", "reduce", "transpose", "histogram", "stencil", "strides"};
    for (size_t i = 0; i < sizeof apps / sizeof *apps; i++)
        cr_expect_eq(cycles_with(apps[i], "core.spin.ddos.hash=xor", LONG_DELAY),
                     cycles_with(apps[i], "core.spin=none", "core.back_off=none"), "%s", apps[i]);
}

/* Loops that count, of each core one: how many are taken for spinning. */
static void expect_mistaken(const char *app, const char *how, const char *hash, uint64_t mistaken)
{
    json_t *stats = measured(app, (const char *const[SETS_MAX]){"app.grid=15", "core.back_off=none", how, hash});
    cr_expect_eq(of_core(stats, "spin_unmarked"), 15, "%s", how);
    cr_expect_eq(of_core(stats, "spin_unmarked_found"), mistaken, "%s, %s", how, hash);
    json_decref(stats);
}

/* Steps whose hash stays the same, and conditions that do; but no residue beside a counter, and no compare by an instruction of its own (ElTantawy 2018
 * §6.5.2). */
Test(spin_loops, that_count_are_taken_for_spinning_only_if_what_they_compare_repeats)
{
#define XOR "core.spin.ddos.hash=xor"
#define MODULO "core.spin.ddos.hash=modulo"
    expect_mistaken("strides", "app.step=256", XOR, 0);
    expect_mistaken("strides", "app.step=256", MODULO, 15);
    expect_mistaken("strides", "app.step=257", XOR, 15);
    expect_mistaken("strides", "app.step=257", MODULO, 0);
    expect_mistaken("strides", "app.kernel=quotient", XOR, 15);
    expect_mistaken("strides", "app.kernel=residue", XOR, 0);
    expect_mistaken(APP, "app.kernel=counts", XOR, 0);
    expect_mistaken(APP, "app.kernel=counts", MODULO, 0);
}

Test(spin_loops, steps_of_powers_of_two_are_taken_for_spinning_by_their_lowest_bits)
{
    cr_expect_gt(cycles_with("strides", "core.spin.ddos.hash=modulo", LONG_DELAY),
                 2 * cycles_with("strides", "core.spin.ddos.hash=xor", LONG_DELAY));
}
