/* SPDX-License-Identifier: MIT */
/* Threads change how long a run takes, and nothing else. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "machine_run.h"
#include "process.h"
#include "stats.h"
#include "test_inputs.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define TIGHT SYSTEM_MACHINES "/tight.yaml"
#define GTX480 HEDDLE_MACHINES "/gtx480.yaml"

static const uint32_t teams[] = {2, 3, 8};
#define TEAMS (sizeof teams / sizeof *teams)

static void expect_same(const run_request *request, const machine_run *alone)
{
    machine_run run = run_machine(request);
    cr_expect_eq(run.outcome, alone->outcome);
    cr_expect_str_eq(run.message, alone->message);
    cr_expect_eq(run.time, alone->time);
    expect_same_stats(run.results, alone->results);
    if (!request->tlm.always)
        expect_same_stats(run.measures, alone->measures);
    run_free(&run);
}

/* Alone, then with teams (a bit each); with rings and with real transport calls, with windows as they come or cut at random. */
static void expect_no_difference(const char *machine, const char *app, const char *const *sets, uint32_t which,
                                 uint32_t disturbs)
{
    char *folder = path_in(HEDDLE_APPS, app);
    run_request request = {.netlist = machine, .app = folder, .sets = sets};
    machine_run alone = run_machine(&request);
    cr_expect_eq(alone.outcome, HD_OUTCOME_PASS, "%s on %s: %s", app, machine, alone.message);
    for (uint32_t i = 0; i < TEAMS; i++) {
        if (!(which >> i & 1))
            continue;
        request.tlm.threads = teams[i];
        request.tlm.always = i == 1;
        request.disturbance = disturbs ? 99 + i : 0;
        expect_same(&request, &alone);
    }
    run_free(&alone);
    free(folder);
}

Test(threads, every_app_gives_the_same_results)
{
    size_t count;
    test_input *inputs = test_inputs_read(&count);
    for (size_t i = 0; i < count; i++) {
        const char *sets[INPUT_OPTIONS_MAX + 1] = {0};
        for (size_t option = 0; option < inputs[i].option_count; option++)
            sets[option] = inputs[i].options[option];
        if (!inputs[i].needs_independent_lanes)
            expect_no_difference(SMALL, inputs[i].app, sets, 1u << i % TEAMS, 0);
    }
    free(inputs);
}

Test(threads, windows_cut_at_random_give_the_same_results)
{
    expect_no_difference(SMALL, "hashtable", (const char *[]){"app.grid=2", "app.buckets=50", NULL}, 7, 1);
    expect_no_difference(TIGHT, "bfs", (const char *[]){"app.scale=6", NULL}, 3, 1);
    expect_no_difference(GTX480, "stream", (const char *[]){"app.n=2000", NULL}, 1, 1);
}

Test(threads, fifteen_cores_give_the_same_results)
{
    expect_no_difference(GTX480, "xorshift", (const char *[]){"app.steps=20", NULL}, 7, 0);
    expect_no_difference(GTX480, "atm", (const char *[]){"app.transfers=500", NULL}, 3, 0);
}

#define FAULTS "run", GTX480, SYSTEM_APPS "/faults", "--quiet", "--set", "app.grid=30", "--set", "app.first=0"

/* All cores make the same mistake, or print. */
Test(threads, faults_and_prints_are_the_same)
{
    static const char *const cases[] = {"null_dereference", "print", "divergent_barrier"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *set = text_of("app.kernel=%s", cases[i]);
        finished alone = heddle(FAULTS, "--set", set);
        finished shared = heddle(FAULTS, "--set", set, "--threads", "3");
        cr_expect_neq(alone.code, 0);
        cr_expect_eq(shared.code, alone.code);
        cr_expect_str_eq(shared.out, alone.out);
        cr_expect_str_eq(shared.err, alone.err);
        finished_free(&alone);
        finished_free(&shared);
        free(set);
    }
}

Test(threads, direct_memory_is_for_one_thread)
{
    finished run = heddle("run", SYSTEM_MACHINES "/functional.yaml", "vecadd", "--set", "app.n=64", "--threads", "2");
    expect_code(&run, 0);
    cr_expect(strstr(run.err, "only one thread"), "%s", run.err);
    finished_free(&run);
}

Test(threads, how_many_is_checked)
{
    for (size_t i = 0; i < 4; i++) {
        finished run = heddle("run", SMALL, "vecadd", "--threads", (const char *[]){"0", "65", "two", "-1"}[i]);
        expect_code(&run, 2);
        cr_expect(strstr(run.err, "from 1 to 64"), "%s", run.err);
        finished_free(&run);
    }
}

/* Nobody has room for another process or thread. */
static finished without_threads(const char *const *words)
{
    char *output = folder_new();
    finished run = heddle_wait(output, program_start(output, words));
    folder_remove(output);
    return run;
}

/* The leak checker is a process of its own. */
static void leave_leaks_alone(void)
{
    const char *set = getenv("ASAN_OPTIONS");
    char *options = text_of("%s:detect_leaks=0", set ? set : "");
    setenv("ASAN_OPTIONS", options, 1);
    free(options);
}

Test(threads, where_none_can_be_started_one_does_it)
{
    setenv("TMPDIR", "/tmp", 1);
    leave_leaks_alone();
    become_nobody();
    if (access(HEDDLE_COMMAND, X_OK) || access(SMALL, R_OK))
        cr_skip_test("the build folder is closed to others");
    finished run = without_threads((const char *const[]){"/usr/bin/prlimit", "--nproc=1:1", HEDDLE_COMMAND, "run",
                                                         SMALL, "--set", "core.type=traffic", "--set",
                                                         "core.requests=10", "--threads", "8", NULL});
    expect_code(&run, 0);
    expect_error(&run, "note: only 1 of 8 threads could be started: Resource temporarily unavailable\n");
    finished_free(&run);
    /* A program of the host has a thread of its own. */
    run = without_threads((const char *const[]){"/usr/bin/prlimit", "--nproc=1:1", HEDDLE_COMMAND, "run", SMALL,
                                                "vecadd", "--threads", "8", NULL});
    expect_code(&run, 1);
    expect_error(&run, "error: no thread or no memory for the host program");
    finished_free(&run);
}

/* Other programs cannot be started either. */
Test(threads, where_no_process_can_be_started_it_is_said)
{
    static const char *const commands[] = {"graph " SMALL " --svg g.svg", "compare " SMALL " " GTX480 " vecadd",
                                           "sweep " SYSTEM_SWEEPS "/tiny.yaml --store s.db", "run " SMALL " ./app"};
    char *folder = folder_new();
    cr_assert(!chdir(folder) && !mkdir("app", 0777));
    file_write("app/host.c", "", 0);
    file_write("app/kernel.c", "", 0);
    cr_assert_eq(chmod(folder, 0777), 0);
    setenv("XDG_CACHE_HOME", folder, 1);
    setenv("TMPDIR", "/tmp", 1);
    leave_leaks_alone();
    become_nobody();
    if (access(HEDDLE_COMMAND, X_OK) || access(SMALL, R_OK))
        cr_skip_test("the build folder is closed to others");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char *line = text_of("exec /usr/bin/prlimit --nproc=1:1 %s %s", HEDDLE_COMMAND, commands[i]);
        finished run = without_threads((const char *const[]){"/bin/sh", "-c", line, NULL});
        expect_code(&run, 2);
        expect_error(&run, "started: Resource temporarily unavailable\n");
        finished_free(&run);
        free(line);
    }
    folder_remove(folder);
}
