/* SPDX-License-Identifier: MIT */
/* Programs of threads on vector cores, whole: each checks its own results. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "machine_run.h"
#include "measures.h"
#include "stats.h"

#define ONE HEDDLE_MACHINES "/../vector/vector_core.yaml"
#define BIG_LITTLE HEDDLE_MACHINES "/../vector/vector_big_little.yaml"

static const char *const programs[] = {"v_strchr", "v_strcmp", "v_strcpy", "v_strlen", "v_strstr", "v_spmv", "v_sssp"};
#define PROGRAMS (sizeof programs / sizeof *programs)

static machine_run run(const char *machine, const char *program, const char *const *more, uint32_t is_checked)
{
    char set[512];
    const char *sets[RUN_CHANGES] = {set};
    snprintf(set, sizeof set, "os.program=%s/%s.elf", VECTOR_PROGRAMS, program);
    for (uint32_t i = 0; more[i]; i++)
        sets[i + 1] = more[i];
    return run_machine(
        &(run_request){.netlist = machine, .sets = sets, .tlm = {.always = is_checked, .checked = is_checked}});
}

static machine_run expect_pass(const char *machine, const char *program, const char *const *more)
{
    machine_run made = run(machine, program, more, 0);
    cr_assert(made.outcome == HD_OUTCOME_PASS && !made.was_refused, "%s: %s", program, made.message);
    return made;
}

static uint64_t sum(const machine_run *of, const char *kind, const char *statistic)
{
    uint64_t value = 0;
    cr_assert(measures_sum(of->measures, kind, statistic, &value), "%s", statistic);
    return value;
}

Test(vector, programs_pass_with_every_vector_length)
{
    static const char *const lengths[] = {"core.vlen=128", "core.vlen=256", "core.vlen=512", "core.vlen=1024",
                                          "core.vlen=2048"};
    for (size_t p = 0; p < PROGRAMS; p++)
        for (uint32_t i = 0; i < 5; i++) {
            machine_run made = expect_pass(ONE, programs[p], (const char *[]){lengths[i], "os.arguments=100", NULL});
            cr_expect_gt(sum(&made, "vec_core", "vector_instructions"), 100);
            cr_expect_eq(sum(&made, "vec_core", "pins"), sum(&made, "vec_core", "unpins"));
            run_free(&made);
        }
}

Test(vector, what_programs_do_does_not_depend_on_transport)
{
    const char *const sets[] = {"os.arguments=40", "os.policy=random", "os.period=300 cycles", NULL};
    machine_run rings = run(BIG_LITTLE, "v_spmv", sets, 0), calls = run(BIG_LITTLE, "v_spmv", sets, 1);
    cr_assert(rings.outcome == HD_OUTCOME_PASS && calls.outcome == HD_OUTCOME_PASS, "%s %s", rings.message,
              calls.message);
    cr_expect_gt(sum(&rings, "os_model", "moves"), 5);
    expect_same_stats(rings.results, calls.results);
    run_free(&rings);
    run_free(&calls);
}

Test(vector, threads_get_on_however_often_they_are_asked)
{
    machine_run made = expect_pass(
        BIG_LITTLE, "v_strlen", (const char *[]){"os.arguments=3 1 1", "os.policy=random", "os.period=1 cycles", NULL});
    cr_expect_gt(sum(&made, "os_model", "moves"), 100);
    run_free(&made);
}

Test(vector, pinning_does_what_the_thesis_says)
{
    static const char *const of_pins[] = {"pin_nest", "pin_legacy", "pin_longjmp", "pin_starve", "pin_forced"};
    for (uint32_t i = 0; i < 5; i++) {
        machine_run made = expect_pass(BIG_LITTLE, of_pins[i], (const char *[]){NULL});
        run_free(&made);
    }
    machine_run made =
        expect_pass(BIG_LITTLE, "pin_starve",
                    (const char *[]){"os.arguments=1", "os.power.pinned=defer", "os.period=500 cycles", NULL});
    cr_expect_eq(sum(&made, "os_model", "power_deferred"), 1);
    cr_expect_eq(sum(&made, "os_model", "switched_off"), 2);
    run_free(&made);
}

/* ---- Loads that wait for memory ------------------------------------------------------------------------------------------ */

static void run_overlapped(const char *program, const char *loads, const char *length)
{
    machine_run made =
        expect_pass(ONE, program,
                    (const char *[]){"os.arguments=300", "core.l2.bytes=4 KiB", "core.l1i.bytes=4 KiB",
                                     "core.l1d.bytes=512 B", "core.predictor=bimodal", loads, length, NULL});
    cr_expect_gt(sum(&made, "vec_core", "overlapped"), 20, "%s", program);
    run_free(&made);
}

/* The core itself holds each line that comes against what it has gone on with. */
Test(vector, programs_pass_while_loads_wait_together)
{
    static const char *const counts[] = {"core.loads=2", "core.loads=7", "core.loads=64"};
    for (size_t p = 0; p < PROGRAMS; p++)
        for (uint32_t i = 0; i < 3; i++)
            run_overlapped(programs[p], counts[i], i % 2 ? "core.vlen=128" : "core.vlen=1024");
    machine_run made =
        expect_pass(BIG_LITTLE, "v_sssp",
                    (const char *[]){"os.arguments=300", "os.policy=random", "os.period=5000 cycles", "big.loads=16",
                                     "little.loads=16", "big.l2.bytes=8 KiB", "little.l2.bytes=8 KiB",
                                     "big.l1i.bytes=8 KiB", "little.l1i.bytes=8 KiB", NULL});
    cr_expect_gt(sum(&made, "os_model", "moves"), 20);
    cr_expect_gt(sum(&made, "vec_core", "overlapped"), 200);
    run_free(&made);
}

/* Cycles of a step along so many lists, of which every element is in memory only. */
static double cycles_of_step(const char *arguments, const char *loads, const char *more)
{
    machine_run made = expect_pass(ONE, "v_chase",
                                   (const char *[]){arguments, "core.l2.bytes=64 KiB", "core.l1i.bytes=16 KiB",
                                                    "core.l2.prefetch=0", loads, more, NULL});
    const double cycles = (double)sum(&made, "vec_core", "measured_cycles") / 400;
    run_free(&made);
    return cycles;
}

static void expect_near(double cycles, double expected, const char *what)
{
    cr_expect(cycles > expected * 0.94 && cycles < expected * 1.06, "%s: %g cycles, %g expected", what, cycles,
              expected);
}

/*
 * As many loads as are under way take the time of one (Little's law), and as many are under way as the program, the core, its second cache
 * and its window allow: one of R instructions holds R loads of a step of N, and what follows waits for them to leave, so that a step
 * takes ceil(N / R) times as long (Karkhanis and Smith 2004 count long misses within a window as one).
 */
Test(vector, time_of_loads_that_wait_together_is_that_of_one)
{
    const double one = cycles_of_step("os.arguments=1 4096 400", "core.loads=1", NULL);
    cr_expect(one > 150 && one < 220, "%g cycles", one);
    expect_near(cycles_of_step("os.arguments=8 4096 400", "core.loads=1", NULL), 8 * one, "8 lists, one at a time");
    expect_near(cycles_of_step("os.arguments=1 4096 400", "core.loads=64", NULL), one, "1 list: each needs the last");
    expect_near(cycles_of_step("os.arguments=4 4096 400", "core.loads=64", NULL), one, "4 lists");
    expect_near(cycles_of_step("os.arguments=8 4096 400", "core.loads=64", NULL), one, "8 lists");
    expect_near(cycles_of_step("os.arguments=8 4096 400", "core.loads=4", NULL), 2 * one, "4 loads");
    expect_near(cycles_of_step("os.arguments=8 4096 400", "core.loads=2", NULL), 4 * one, "2 loads");
    expect_near(cycles_of_step("os.arguments=8 4096 400", "core.loads=64", "core.l2.misses=2"), 4 * one, "2 misses");
    expect_near(cycles_of_step("os.arguments=8 4096 400", "core.loads=64", "core.rob.entries=4"), 2 * one,
                "window of 4");
    expect_near(cycles_of_step("os.arguments=8 4096 400", "core.loads=64", "core.rob.entries=8"), one, "window of 8");
}

/* The big core first, as in the trace of the thesis; a machine with the cores the other way round refuses what it expects. */
Test(vector, the_trace_needs_a_big_and_a_little_core)
{
    machine_run made = run(BIG_LITTLE, "pin_nest", (const char *[]){"big.vlen=128", "little.vlen=256", NULL}, 0);
    cr_expect_eq(made.outcome, HD_OUTCOME_FAULT);
    cr_expect_not_null(strstr(made.message, "thread 0 ended with 2"), "%s", made.message);
    run_free(&made);
}

/* Code that knows nothing of pinning is right wherever it begins: it just stays there (Beaumont 2019, claim 5-6). */
Test(vector, unpinned_programs_stay_and_are_right)
{
    for (size_t p = 0; p < PROGRAMS; p++) {
        char name[64];
        snprintf(name, sizeof name, "%s_unpinned", programs[p]);
        machine_run made = expect_pass(
            BIG_LITTLE, name, (const char *[]){"os.arguments=60", "os.policy=random", "os.period=300 cycles", NULL});
        cr_expect_eq(sum(&made, "vec_core", "legacy_pins"), 1, "%s", name);
        cr_expect_eq(sum(&made, "os_model", "forced"), 0);
        run_free(&made);
    }
}
