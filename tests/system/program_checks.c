/* SPDX-License-Identifier: MIT */
/* --check-memory and --check-races: programs with one mistake are found out on every type of core, by name, line and allocation;
 * the same without it, and all apps, are clean; and nobody is disturbed. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "machine_run.h"
#include "process.h"
#include "test_inputs.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define CHECKED SYSTEM_APPS "/checked"

static const char *const machines[] = {SMALL, SYSTEM_MACHINES "/functional.yaml", SYSTEM_MACHINES "/mimd.yaml",
                                       SYSTEM_MACHINES "/firmware.yaml"};
#define MACHINES (sizeof machines / sizeof *machines)

typedef struct planted {
    const char *kernel;
    const char *distance; /* option; NULL: none */
    const char *parts[5]; /* of the error; NULL at the end */
} planted;

static const planted memory_mistakes[] = {
    {"far_away",
     "100000000",
     {"error: memory errors:\n  4-byte store to 0x", "in no allocation; ", " bytes behind the end of allocation ",
      "warp 0, lane 0, thread (0,0,0)\n", " bytes at 0x"}},
    {"behind_the_end",
     NULL,
     {"4-byte load of 0x", "in no allocation; 0 bytes behind the end of", "lane 31, thread (63,0,0)", ": 516 bytes at",
      "allocated at host.c:14"}},
    {"before_the_start", NULL, {"4-byte store to 0x", "block (0,0,0), warp 0, lane 0, thread (0,0,0)"}},
    {"partly_behind", NULL, {"reaches beyond the end of its allocation", ": 10 bytes at", "allocated at host.c:19"}},
    {"freed",
     NULL,
     {"its allocation has been freed", ": 4096 bytes at", "allocated at host.c:17, freed at host.c:21",
      "and 127 times more there"}},
    {"not_written",
     NULL,
     {"4-byte load of 0x", "has not been written since it was allocated", "allocated at host.c:18"}},
    {"half_written", NULL, {"4-byte load of 0x", "has not been written since it was allocated"}},
    {"atomic_not_written", NULL, {"4-byte atomic on 0x", "has not been written since it was allocated", ", simt.h:"}},
    {"store_to_code",
     "0x10000000",
     {"4-byte store to 0x10000000: belongs to the kernel program, and is not to be written"}},
};

#define WARP_SYNC_MISSING "in one warp: neither warp.sync, a barrier, nor a release and acquire orders them"
#define RELEASE_MISSING "in different blocks: no release and acquire orders them"

static const planted races[] = {
    {"tree_without_barrier",
     NULL,
     {"error: data races:\n", " of the scratchpad at byte 0x", "    load: pc 0x", "    store: pc 0x"}},
    {"counted_too_early", NULL, {"atomic", "load", " of the scratchpad at byte 0x", ", simt.h:"}},
    {"neighbour_lane", NULL, {"the scratchpad at byte 0x", WARP_SYNC_MISSING}},
    {"one_word", NULL, {"store and store of 0x", RELEASE_MISSING, "byte 0 of allocation", "allocated at host.c:15"}},
    {"counter", NULL, {"store", "byte 0 of allocation", "lane 0"}},
    {"counter_without_fences", NULL, {"byte 4 of allocation"}},
    {"locked_here_only", NULL, {"store", "byte 4 of allocation"}},
    {"published_without_fence", NULL, {"store and load of 0x", RELEASE_MISSING, "block (0,0,0)", "block (1,0,0)"}},
    {"summed_up_too_early", NULL, {"store and load of 0x", RELEASE_MISSING}},
    {"looked_at", NULL, {"load", "atomic", "of allocation"}},
};

static const char *const clean[] = {"nothing",           "tree",
                                    "counted",           "neighbour_lane_synchronised",
                                    "scratchpad_lock",   "one_word_one_value",
                                    "bytes_of_one_word", "counter_locked",
                                    "published",         "published_by_release",
                                    "summed_up",         "looked_at_on_purpose"};

static finished run_kernel(const char *machine, const char *kernel, const char *distance, const char *first,
                           const char *second)
{
    char kernel_set[64], distance_set[64];
    snprintf(kernel_set, sizeof kernel_set, "app.kernel=%s", kernel);
    snprintf(distance_set, sizeof distance_set, "app.distance=%s", distance ? distance : "0");
    return heddle("run", machine, CHECKED, "--set", kernel_set, "--set", distance_set, first, second);
}

/* "kernel.c:12)" of the line that ends in the comment. */
static void expect_line(const finished *run, const char *kernel)
{
    char line[256], mark[64], place[32] = "";
    uint32_t number = 0;
    FILE *source = fopen(SYSTEM_APP_SOURCES "/checked/kernel.c", "r");
    cr_assert(source);
    snprintf(mark, sizeof mark, "/* %s */", kernel);
    while (fgets(line, sizeof line, source) && ++number)
        if (strstr(line, mark))
            snprintf(place, sizeof place, ", kernel.c:%u)", number);
    fclose(source);
    if (*place)
        expect_error(run, place);
}

static void expect_found_on(const char *machine, const planted *mistake, const char *check)
{
    finished run = run_kernel(machine, mistake->kernel, mistake->distance, check, NULL);
    cr_expect_eq(run.code, 1, "%s on %s: %s", mistake->kernel, machine, run.out);
    for (size_t i = 0; i < 5 && mistake->parts[i]; i++)
        cr_expect_not_null(strstr(run.err, mistake->parts[i]), "%s on %s, no \"%s\" in:\n%s", mistake->kernel, machine,
                           mistake->parts[i], run.err);
    expect_line(&run, mistake->kernel);
    expect_output(&run, "FAIL");
    finished_free(&run);
}

static void expect_found(const planted *mistake, const char *check)
{
    for (size_t m = 0; m < MACHINES; m++)
        expect_found_on(machines[m], mistake, check);
}

/* Not asked, nobody says a word. */
static void expect_silence(const planted *mistake)
{
    finished run = run_kernel(SMALL, mistake->kernel, mistake->distance, NULL, NULL);
    cr_expect(!strstr(run.err, "races") && !strstr(run.err, "memory errors"), "%s", run.err);
    finished_free(&run);
}

Test(program_checks, mistakes_with_memory_are_found_on_every_core)
{
    for (size_t i = 0; i < sizeof memory_mistakes / sizeof *memory_mistakes; i++)
        expect_found(&memory_mistakes[i], "--check-memory");
}

Test(program_checks, races_are_found_on_every_core)
{
    for (size_t i = 0; i < sizeof races / sizeof *races; i++)
        expect_found(&races[i], "--check-races");
}

Test(program_checks, mistakes_that_are_not_asked_for_are_not_told)
{
    for (size_t i = 0; i < sizeof races / sizeof *races; i++)
        expect_silence(&races[i]);
    expect_silence(&memory_mistakes[4]);
    expect_silence(&memory_mistakes[5]);
}

Test(program_checks, the_same_without_the_mistake_is_clean)
{
    for (size_t m = 0; m < MACHINES; m++)
        for (size_t i = 0; i < sizeof clean / sizeof *clean; i++) {
            finished run = run_kernel(machines[m], clean[i], NULL, "--check-races", "--tlm=auto");
            cr_expect_eq(run.code, 0, "%s on %s: %s", clean[i], machines[m], run.err);
            expect_output(&run, " events: 0 races\n");
            finished_free(&run);
        }
}

/* ---- Transactions -------------------------------------------------------------------------------------------------------- */

static const char *const transactional[] = {
    HEDDLE_MACHINES "/../variants/gtx480_getm.yaml", HEDDLE_MACHINES "/../variants/gtx480_ideal_tm.yaml",
    HEDDLE_MACHINES "/../variants/gtx480_warptm_tcd.yaml", SYSTEM_MACHINES "/functional.yaml"};

Test(program_checks, transactions_count_as_they_commit)
{
    static const planted race = {"transaction_meets_store", NULL, {"transactional ", "which are not isolated from it"}};
    static const planted unwritten = {
        "transaction_not_written", NULL, {"4-byte load of 0x", "has not been written since it was allocated"}};
    for (size_t m = 0; m < sizeof transactional / sizeof *transactional; m++) {
        expect_found_on(transactional[m], &race, "--check-races");
        expect_found_on(transactional[m], &unwritten, "--check-memory");
        for (uint32_t i = 0; i < 2; i++) {
            finished run =
                run_kernel(transactional[m], i ? "abandoned" : "transactions", NULL, "--check-races", "--check-memory");
            cr_expect_eq(run.code, 0, "%s", run.err);
            expect_output(&run, " 0 races\n");
            finished_free(&run);
        }
    }
}

/* ---- Apps -------------------------------------------------------------------------------------------------------------- */

static machine_run run_app(const char *machine, const test_input *input, uint32_t checks, uint32_t threads)
{
    const char *sets[INPUT_OPTIONS_MAX + 1] = {0};
    for (size_t i = 0; i < input->option_count; i++)
        sets[i] = input->options[i];
    char *app = path_in(HEDDLE_APPS, input->app);
    const machine_run run = run_machine(&(run_request){.netlist = machine,
                                                       .app = app,
                                                       .sets = sets,
                                                       .tlm = {.threads = threads},
                                                       .check_memory = checks,
                                                       .check_races = checks});
    free(app);
    return run;
}

static uint64_t checked(const machine_run *run, const char *check, const char *count)
{
    return (uint64_t)json_integer_value(json_object_get(json_object_get(run->results, check), count));
}

/* All inputs pass, find nothing, and give the same results as without the checks. */
static void expect_clean(const char *machine, test_input *(*inputs_of)(size_t *count), uint32_t threads)
{
    size_t count;
    test_input *inputs = inputs_of(&count);
    cr_assert_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].needs_independent_lanes && !strstr(machine, "/mimd.yaml"))
            continue;
        machine_run with = run_app(machine, &inputs[i], 1, threads), without = run_app(machine, &inputs[i], 0, threads);
        cr_expect(with.outcome == HD_OUTCOME_PASS && !with.was_refused, "%s on %s: %s", inputs[i].app, machine,
                  with.message);
        if (with.outcome == HD_OUTCOME_PASS) {
            cr_expect_gt(checked(&with, "memory_check", "accesses"), 0);
            cr_expect_eq(checked(&with, "memory_check", "errors"), 0);
            cr_expect_gt(checked(&with, "race_check", "accesses"), 0);
            cr_expect_eq(checked(&with, "race_check", "races"), 0);
            json_object_del(with.results, "memory_check");
            json_object_del(with.results, "race_check");
            cr_expect(json_equal(with.results, without.results), "%s on %s: the checks have changed results",
                      inputs[i].app, machine);
        }
        run_free(&with);
        run_free(&without);
    }
    free(inputs);
}

Test(program_checks, apps_are_clean_on_timed_cores_and_their_results_the_same)
{
    expect_clean(SMALL, test_inputs_read, 1);
}

Test(program_checks, apps_are_clean_on_functional_cores_and_their_results_the_same)
{
    expect_clean(SYSTEM_MACHINES "/functional.yaml", test_inputs_read, 1);
}

Test(program_checks, apps_are_clean_with_independent_lanes_a_dma_engine_and_threads)
{
    expect_clean(SYSTEM_MACHINES "/mimd.yaml", test_inputs_read, 1);
    expect_clean(SYSTEM_MACHINES "/dma.yaml", test_inputs_read, 2);
}

Test(program_checks, apps_are_clean_as_firmware)
{
    expect_clean(SYSTEM_MACHINES "/firmware.yaml", test_inputs_read, 1);
}

Test(program_checks, transactional_apps_are_clean_on_machines_with_transactions)
{
    expect_clean(HEDDLE_MACHINES "/../variants/gtx480_getm.yaml", test_inputs_read_transactional, 1);
    expect_clean(HEDDLE_MACHINES "/../variants/gtx480_ideal_tm.yaml", test_inputs_read_transactional, 1);
    expect_clean(HEDDLE_MACHINES "/../variants/gtx480_warptm_tcd.yaml", test_inputs_read_transactional, 1);
    expect_clean(HEDDLE_MACHINES "/../variants/gtx480_warptm_el.yaml", test_inputs_read_transactional, 1);
    expect_clean(SYSTEM_MACHINES "/functional.yaml", test_inputs_read_transactional, 1);
}

/* ---- Refusals ---------------------------------------------------------------------------------------------------------- */

Test(program_checks, a_machine_without_an_app_has_nothing_to_check)
{
    static const char *const checks[] = {"--check-memory", "--check-races"};
    for (size_t i = 0; i < 2; i++) {
        char expected[96];
        finished run = heddle("run", SMALL, "--set", "core.type=traffic", "--set", "launch_align=false", checks[i]);
        snprintf(expected, sizeof expected, "error: %s: there is no app, and so no program to check\n", checks[i]);
        expect_code(&run, 2);
        expect_error(&run, expected);
        finished_free(&run);
    }
}
