/* SPDX-License-Identifier: MIT */
/* Sweeps, reports and comparisons of machines that need no app: one of their blocks makes work of its own. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "process.h"
#include "stats.h"
#include "sweeps.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define LENGTHS                                                                                                        \
    "set: {machine: vector_core, os.program: v_strlen, os.arguments: 20 1 8}\n"                                        \
    "axes: {core.vlen: [128, 512]}\n"                                                                                  \
    "statistics: [core.measured_cycles, core.measured_instructions / core.measured_cycles]\n"                          \
    "published:\n"                                                                                                     \
    "  - {statistic: core.measured_cycles, value: 0.25, at: {core.vlen: 512}, relative_to: {core.vlen: 128}, source: " \
    "x}\n"

static sweep_bench bench;

static void open_bench(void)
{
    bench = sweep_bench_open();
    setenv("TMPDIR", bench.output, 1);
}

static void close_bench(void)
{
    sweep_bench_close(&bench);
}

TestSuite(no_app, .init = open_bench, .fini = close_bench);

static long long measured_alone(const char *length)
{
    char *path = path_in(bench.output, "stats.json");
    finished run = heddle("run", "vector_core", "--set", "os.program=v_strlen", "--set", "os.arguments=20 1 8", "--set",
                          length, "--stats", path);
    expect_code(&run, 0);
    finished_free(&run);
    json_t *stats = stats_read(path);
    const long long cycles = json_integer_value(stats_at(stats, "blocks/core/total/measured_cycles"));
    json_decref(stats);
    free(path);
    return cycles;
}

Test(no_app, a_point_gives_what_the_run_by_itself_gives)
{
    sweep_bench_write(&bench, "lengths", LENGTHS);
    expect_sweep(sweep_now(&bench, NULL, "--list"), 0, "1  core.vlen=128: none on vector_core\n");
    expect_sweep(sweep_now(&bench, NULL), 0, "0 there before, 2 done now, 0 left; 0 failed");
    expect_sweep(sweep_now(&bench, NULL), 0, "2 there before, 0 done now, 0 left; 0 failed");
    char *row = text_of("1,128,vector_core,none,1,1,pass,%lld,", measured_alone("core.vlen=128"));
    char *other = text_of("2,512,vector_core,none,1,1,pass,%lld,", measured_alone("core.vlen=512"));
    cr_expect_str_neq(strrchr(row, 's'), strrchr(other, 's'));
    finished run = heddle("results", bench.store);
    expect_output(&run, row);
    expect_output(&run, other);
    finished_free(&run);
    free(other);
    free(row);
}

Test(no_app, a_report_shows_them_beside_what_was_published)
{
    char *page = path_in(bench.folder, "page.html"), *text;
    sweep_bench_write(&bench, "lengths", LENGTHS);
    expect_sweep(sweep_now(&bench, NULL), 0, "2 done now");
    finished run = heddle("report", bench.store, "-o", page);
    expect_code(&run, 0);
    finished_free(&run);
    text = file_read(page, NULL);
    cr_expect_not_null(strstr(text, "\"none\""));
    cr_expect_not_null(strstr(text, "core.measured_cycles"));
    cr_expect_not_null(strstr(text, "\"value\":0.25"));
    free(text);
    free(page);
}

static void copy_program(const char *folder, const char *from)
{
    char *words = text_of("cp %s/%s.elf %s/mine.elf", VECTOR_PROGRAMS, from, folder);
    cr_assert_eq(system(words), 0);
    free(words);
}

/* A name is as good as the file that it means. */
Test(no_app, a_program_that_has_changed_is_another_input)
{
    setenv("HEDDLE_PROGRAMS", bench.output, 1);
    copy_program(bench.output, "v_strlen");
    sweep_bench_write(&bench, "mine", "set: {machine: vector_core, os.program: mine, os.arguments: 20 1 8}\n");
    expect_sweep(sweep_now(&bench, NULL), 0, "0 there before, 1 done now, 0 left; 0 failed");
    copy_program(bench.output, "v_strchr");
    expect_sweep(sweep_now(&bench, NULL), 0, "0 there before, 1 done now, 0 left; 0 failed");
    expect_sweep(sweep_now(&bench, NULL), 0, "1 there before, 0 done now, 0 left; 0 failed");
    unsetenv("HEDDLE_PROGRAMS");
    sweep_bench_write(&bench, "mine", "set: {machine: vector_core, os.program: mine}\n");
    expect_sweep(sweep_now(&bench, NULL), 1, "1 failed");
    finished run = heddle("results", bench.store, "--failed");
    expect_output(&run, "program: mine cannot be read");
    finished_free(&run);
}

Test(no_app, a_machine_of_both_kinds_says_which)
{
    sweep_bench_write(&bench, "both",
                      "axes:\n  what:\n    app: {machine: " SMALL ", app: vecadd, app.n: 64}\n"
                      "    traffic: {machine: " SMALL ", core.type: traffic, core.requests: 10}\n"
                      "statistics: [simulated_ps]\n");
    expect_sweep(sweep_now(&bench, NULL), 0, "2 done now, 0 left; 0 failed");
    finished run = heddle("results", bench.store);
    expect_output(&run, "\n1,app,small,vecadd,1,1,pass,");
    expect_output(&run, "\n2,traffic,small,none,1,1,pass,");
    finished_free(&run);
}

Test(no_app, two_machines_are_compared)
{
    finished run = heddle("compare", "vector_core", "vector_core", "--set", "os.program=v_strlen", "--set",
                          "os.arguments=20 1 8", "--set-b", "core.vlen=512");
    expect_code(&run, 0);
    expect_output(&run, "no app on A and B\n");
    expect_output(&run, "core.vlen   128  512\n");
    expect_output(&run, "core.measured_cycles");
    finished_free(&run);
    run = heddle("compare", "vector_big_little", "vector_big_little", "--set", "os.program=pin_nest", "--set-b",
                 "big.vlen=128");
    expect_code(&run, 1);
    expect_error(&run, "error: the run did not pass on B (vector_big_little), fault:\n");
    expect_error(&run, "thread 0 ended with 2");
    finished_free(&run);
    run = heddle("compare", "vector_core", "gtx480", "--set-a", "os.program=v_strlen");
    expect_code(&run, 2);
    expect_error(&run, "error[S09]: machines need an app as well, unless one of their blocks makes work of its own\n"
                       "    heddle compare vector_core gtx480\n");
    finished_free(&run);
}
