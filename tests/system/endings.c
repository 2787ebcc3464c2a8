/* SPDX-License-Identifier: MIT */
/* Whatever ends a command: one line and an exit code, and no file that is half-written. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define CRASH SYSTEM_APPS "/crash"

static void expect_end(const char *how, const char *line)
{
    char set[64];
    snprintf(set, sizeof set, "app.how=%s", how);
    finished run = heddle("run", SMALL, CRASH, "--set", set, "--quiet");
    expect_code(&run, 1);
    cr_expect_str_eq(run.err, line, "%s: %s", how, run.err);
    cr_expect_str_eq(run.out, "");
    finished_free(&run);
}

/* Whether the function is known depends on where the compiler has put the instruction that crashes. */
static void expect_crash(const char *how, const char *signal)
{
    char line[128], named[128], set[64];
    snprintf(line, sizeof line, "error: the host program crashed: %s\n", signal);
    snprintf(named, sizeof named, "error: the host program crashed in hd_app_main: %s\n", signal);
    snprintf(set, sizeof set, "app.how=%s", how);
    finished run = heddle("run", SMALL, CRASH, "--set", set, "--quiet");
    expect_code(&run, 1);
    cr_expect(!strcmp(run.err, line) || !strcmp(run.err, named), "%s: %s", how, run.err);
    cr_expect_str_eq(run.out, "");
    finished_free(&run);
}

Test(endings, a_host_program_that_crashes)
{
    expect_crash("segfault", "segmentation fault");
    expect_crash("overflow", "segmentation fault");
    expect_crash("abort", "abort");
    expect_crash("trap", "illegal instruction");
}

Test(endings, a_host_program_that_ends_the_process)
{
#define RETURNS "; a program ends where hd_app_main returns\n"
    expect_end("exit", "error: the host program called exit" RETURNS);
    expect_end("quick_exit", "error: the host program called exit" RETURNS);
    expect_end("_exit", "error: the host program called _exit" RETURNS);
    expect_end("_Exit", "error: the host program called _Exit" RETURNS);
}

Test(endings, a_host_program_and_threads)
{
    expect_end("pthread_exit", "error: the host program called pthread_exit" RETURNS);
    expect_end("second_thread", "error: a second thread of the host program called a function of heddle_rt.h; only the "
                                "thread that runs hd_app_main may\n");
}

/* What it forks off is not the program, and ends as it likes. */
Test(endings, a_child_of_the_host_program)
{
    finished run = heddle("run", SMALL, CRASH, "--set", "app.how=child");
    expect_code(&run, 0);
    expect_output(&run, "PASS");
    finished_free(&run);
}

Test(endings, a_plug_in_that_crashes)
{
    static const char *const places[] = {"create", "reset", "advance", "abort"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char set[64], line[512];
        snprintf(set, sizeof set, "spare.at=%s", places[i]);
        snprintf(line, sizeof line, "error: the plug-in %s crashed: %s\n", CRASHING,
                 strcmp(places[i], "abort") ? "segmentation fault" : "abort");
        finished run =
            heddle("run", SYSTEM_MACHINES "/crashing.yaml", CRASH, "--plugin", CRASHING, "--set", set, "--quiet");
        expect_code(&run, 1);
        cr_expect_str_eq(run.err, line, "%s: %s", places[i], run.err);
        finished_free(&run);
    }
    finished run = heddle("run", SYSTEM_MACHINES "/crashing.yaml", CRASH, "--plugin", CRASHING);
    expect_code(&run, 0);
    finished_free(&run);
}

/* Neither PASS nor an exit code of its own. */
Test(endings, a_plug_in_that_ends_the_process)
{
    static const struct {
        const char *at, *function;
    } ways[] = {{"create_exit", "exit"}, {"exit", "exit"}, {"_exit", "_exit"}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char set[64], line[512];
        snprintf(set, sizeof set, "spare.at=%s", ways[i].at);
        snprintf(line, sizeof line, "error: the plug-in %s called %s, which would have ended the command\n", CRASHING,
                 ways[i].function);
        finished run =
            heddle("run", SYSTEM_MACHINES "/crashing.yaml", CRASH, "--plugin", CRASHING, "--set", set, "--quiet");
        expect_code(&run, 1);
        cr_expect_str_eq(run.err, line, "%s: %s", ways[i].at, run.err);
        cr_expect_str_eq(run.out, "");
        finished_free(&run);
    }
}

/* ---- Signals --------------------------------------------------------------------------------------------------------- */

static void wait_for_output(const char *folder, const char *text)
{
    char *path = path_in(folder, "stdout");
    for (uint32_t tries = 0; tries < 600; tries++) {
        char *out = file_read(path, NULL);
        const int is_there = out && strstr(out, text);
        free(out);
        if (is_there)
            break;
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    free(path);
}

static finished interrupted(const char *output, int number, const char *const *words, const char *said)
{
    pid_t child = heddle_start(output, words);
    wait_for_output(output, said);
    kill(child, number);
    return heddle_wait(output, child);
}

Test(endings, an_interrupt_ends_a_host_program_that_computes_for_ever)
{
    char *folder = folder_new(), *output = folder_new(), *path = path_in(folder, "stats.json");
    finished run = interrupted(
        output, SIGINT, (const char *[]){"run", SMALL, CRASH, "--set", "app.how=spin", "--out", folder, NULL}, "spins");
    expect_code(&run, 130);
    expect_error(&run, "error: interrupted at ");
    expect_error(&run, "\n  host: the host program computes\n");
    expect_output(&run, "STOPPED  crash on small");
    json_t *stats = stats_read(path);
    cr_expect_str_eq(json_string_value(stats_at(stats, "status")), "interrupted");
    cr_expect(json_is_true(stats_at(stats, "kernels/0/complete")));
    json_decref(stats);
    finished_free(&run);
    free(path);
    folder_remove(output);
    folder_remove(folder);
}

/* The first ends it in order, the second at once. */
Test(endings, signals_leave_no_half_written_file)
{
    static const int numbers[] = {SIGTERM, SIGHUP};
    for (size_t i = 0; i < 2; i++) {
        char *folder = folder_new(), *output = folder_new(), *trace = path_in(folder, "trace");
        finished run = interrupted(
            output, numbers[i],
            (const char *[]){"run", SMALL, CRASH, "--set", "app.how=spin", "--out", folder, "--trace", trace, NULL},
            "spins");
        expect_code(&run, 128 + numbers[i]);
        expect_error(&run, "error: interrupted at ");
        char *left = folder_list(folder);
        cr_expect_str_eq(left, "stats.json trace ");
        free(left);
        free(trace);
        finished_free(&run);
        folder_remove(output);
        folder_remove(folder);
    }
}

/* As under nohup: also between the signal that ends it and its end. */
Test(endings, a_signal_that_is_ignored_stays_so)
{
    char *output = folder_new();
    signal(SIGHUP, SIG_IGN);
    pid_t child = heddle_start(output, (const char *[]){"run", SMALL, CRASH, "--set", "app.how=spin", NULL});
    wait_for_output(output, "spins");
    kill(child, SIGTERM);
    for (uint32_t i = 0; i < 100 && !kill(child, SIGHUP); i++)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    finished run = heddle_wait(output, child);
    expect_code(&run, 128 + SIGTERM);
    expect_error(&run, "error: interrupted at ");
    finished_free(&run);
    folder_remove(output);
}

/* A program of this name that writes what it reads, and sends the signal to who has started it. */
static void replace(const char *program, const char *folder, const char *signal_name)
{
    char *path = path_in(folder, program), text[256];
    snprintf(text, sizeof text, "#!/bin/sh\ncat\nkill -%s $PPID\nsleep 5\n", signal_name);
    file_write(path, text, strlen(text));
    chmod(path, 0755);
    free(path);
}

Test(endings, a_signal_that_nobody_waits_for_leaves_no_temporary_file)
{
    static const struct {
        const char *name;
        int number;
    } signals[] = {{"INT", SIGINT}, {"TERM", SIGTERM}, {"HUP", SIGHUP}};
    char *tools = folder_new(), *paths = text_of("%s:%s", tools, getenv("PATH"));
    setenv("PATH", paths, 1);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        char *folder = folder_new(), *picture = path_in(folder, "machine.svg");
        replace("dot", tools, signals[i].name);
        finished run = heddle("graph", SMALL, "--svg", picture);
        expect_code(&run, 128 + signals[i].number);
        char *left = folder_list(folder);
        cr_expect_str_eq(left, "", "%s: %s", signals[i].name, left);
        free(left);
        free(picture);
        finished_free(&run);
        folder_remove(folder);
    }
    free(paths);
    folder_remove(tools);
}

/* A sweep of one run. */
static char *sweep_file(const char *folder, const char *steps)
{
    char *path = path_in(folder, "one.yaml");
    char *text =
        text_of("sweep: 1\nname: one\nset: {machine: %s, app: xorshift, app.steps: %s}\naxes: {core.warps: [8]}\n",
                SMALL, steps);
    file_write(path, text, strlen(text));
    free(text);
    return path;
}

/* It ends in order, and can be gone on with. */
Test(endings, a_signal_ends_a_sweep_in_order)
{
    char *folder = folder_new(), *output = folder_new(), *path = sweep_file(folder, "100M");
    char *store = path_in(folder, "one.db");
    const char *words[] = {"sweep", path, "--store", store, NULL};
    pid_t child = heddle_start(output, words);
    for (uint32_t tries = 0; tries < 600 && access(store, F_OK); tries++)
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    kill(child, SIGTERM);
    finished run = heddle_wait(output, child);
    expect_code(&run, 143);
    expect_error(&run, "interrupted; the same command goes on from here");
    char *left = folder_list(folder);
    cr_expect_str_eq(left, "one.db one.db.runs one.yaml ");
    free(left);
    finished_free(&run);
    free(store);
    free(path);
    folder_remove(output);
    folder_remove(folder);
}

/* Pictures are drawn by another program, from a file in the folder for temporary files. */
Test(endings, a_signal_leaves_no_data_of_a_report)
{
    char *folder = folder_new(), *tools = folder_new(), *temporary = folder_new();
    char *path = sweep_file(folder, "8"), *store = path_in(folder, "one.db"), *picture = path_in(folder, "one.svg");
    char *paths = text_of("%s:%s", tools, getenv("PATH"));
    finished sweep = heddle("sweep", path, "--store", store, "--quiet");
    expect_code(&sweep, 0);
    replace("node", tools, "TERM");
    setenv("PATH", paths, 1);
    setenv("TMPDIR", temporary, 1);
    finished run = heddle("report", store, "--svg", picture);
    expect_code(&run, 143);
    char *left = folder_list(temporary);
    cr_expect_str_eq(left, "", "%s", left);
    free(left);
    finished_free(&run);
    finished_free(&sweep);
    free(paths);
    free(picture);
    free(store);
    free(path);
    unsetenv("TMPDIR");
    folder_remove(temporary);
    folder_remove(tools);
    folder_remove(folder);
}

Test(endings, a_file_that_may_not_grow_is_an_error)
{
    char *folder = folder_new(), *trace = path_in(folder, "trace");
    limit_files(20000);
    finished run = heddle("run", SMALL, HEDDLE_APPS "/vecadd", "--trace", trace);
    expect_code(&run, 2);
    expect_error(&run, "File too large");
    limit_files(LIMIT_NONE);
    char *left = folder_list(folder);
    cr_expect_str_eq(left, "");
    free(left);
    free(trace);
    finished_free(&run);
    folder_remove(folder);
}
