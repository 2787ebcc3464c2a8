/* SPDX-License-Identifier: MIT */
/* The command itself: usage, results files, Ctrl-C, and what it prints. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define GTX480 HEDDLE_MACHINES "/gtx480.yaml"
#define SMALL SYSTEM_MACHINES "/small.yaml"

static void expect_usage(finished run, const char *what)
{
    expect_code(&run, 2);
    expect_error(&run, what);
    cr_expect_str_empty(run.out);
    finished_free(&run);
}

Test(command, names_the_nearest_of_what_it_does_not_know)
{
    expect_usage(heddle("rnu", SMALL, "vecadd"), "did you mean 'run'");
    expect_usage(heddle("run", SMALL, "vecadd", "--sed", "4"), "'--seed'");
    expect_usage(heddle("run", SMALL, "vecadd", "--tlm=alway"), "did you mean 'always'");
    expect_usage(heddle("list", "simt_cor"), "did you mean 'simt_core'");
    expect_usage(heddle("list", "nope"), "no kind of block 'nope'; 'heddle list' names all");
    expect_usage(heddle("list", "app"), "did you mean 'apps'");
    expect_usage(heddle("list", "apps", "no*"), "none of the apps matches 'no*'");
    expect_usage(heddle("help", "chekc"), "did you mean 'check'");
}

Test(command, says_that_there_are_no_apps_where_it_was_told_to_look)
{
    setenv("HEDDLE_APPS", "/nowhere", 1);
    expect_usage(heddle("list", "apps"), "there are no apps");
    expect_usage(heddle("run", SMALL, "vecadd"), "there is no app 'vecadd' in /nowhere");
}

Test(command, refuses_what_makes_no_sense)
{
    expect_usage(heddle_run((const char *const[]){NULL}), "usage: heddle COMMAND");
    expect_usage(heddle("run"), "too few arguments");
    expect_usage(heddle("run", SMALL), "no app is given, and no block of the machine makes work of its own");
    expect_usage(heddle("run", SMALL, "--set", "core.type=traffic", "--set", "app.n=4"),
                 "--set app.n=4: no app is given");
    expect_usage(heddle("run", SMALL, "vecadd", "--set", "core.type=traffic"),
                 "'core' (simt_core/traffic) makes work of its own, so that no launch finds the device idle");
    expect_usage(heddle("run", SMALL, "vecadd", "more"), "one argument too many");
    expect_usage(heddle("list", "dram", "more"), "'more' is one argument too many");
    expect_usage(heddle("run", SMALL, "vecadd", "--seed", "-1"), "--seed -1");
    expect_usage(heddle("run", SMALL, "vecadd", "--seed"), "needs a value");
    expect_usage(heddle("run", SMALL, "vecadd", "--quiet=1"), "takes no value");
    expect_usage(heddle("run", SMALL, "vecadd", "--set", "app.n"), "app.NAME=VALUE");
    expect_usage(heddle("run", SMALL, "vecadd", "--out", "a", "--stats", "b"), "one will do");
}

Test(command, explains_itself)
{
    finished run = heddle("help");
    expect_code(&run, 0);
    expect_output(&run, "graph");
    finished_free(&run);
    run = heddle("run", "--help");
    expect_code(&run, 0);
    expect_output(&run, "--tlm=always");
    finished_free(&run);
    run = heddle("--version");
    expect_code(&run, 0);
    expect_output(&run, "heddle 0.");
    finished_free(&run);
}

Test(command, checks_lists_and_draws)
{
    finished run = heddle("check", GTX480);
    expect_code(&run, 0);
    expect_output(&run, "gtx480 is in order: 32 blocks");
    finished_free(&run);
    run = heddle("check", GTX480, "--resolved", "--set", "core.warps=16");
    expect_code(&run, 0);
    expect_output(&run, "warps: 16");
    finished_free(&run);
    run = heddle("check", GTX480, "--print-map");
    expect_code(&run, 0);
    expect_output(&run, "  5  0x0500 .. 0x05ff  l2[5]  endpoint 25  -> dram[5].access[0]\n");
    finished_free(&run);
    expect_usage(heddle("check", GTX480, "--print-map", "--resolved"), "one at a time");
    run = heddle("check", GTX480, "--set", "core.warps=many");
    expect_code(&run, 2);
    finished_free(&run);
    run = heddle("list", "dram");
    expect_code(&run, 0);
    expect_output(&run, "row_bytes");
    finished_free(&run);
    run = heddle("list", "apps", "vec*");
    expect_code(&run, 0);
    expect_output(&run, "vecadd: ");
    expect_output(&run, "app.seed");
    cr_expect_null(strstr(run.out, "hashtable"));
    finished_free(&run);
    run = heddle("list", "--markdown");
    expect_code(&run, 0);
    expect_output(&run, "| `simt_core/timed` |");
    finished_free(&run);
    run = heddle("help", "--markdown");
    expect_code(&run, 0);
    expect_output(&run, "## heddle check\n\n```text\nusage: heddle check NETLIST");
    finished_free(&run);
    run = heddle("graph", GTX480);
    expect_code(&run, 0);
    expect_output(&run, "digraph");
    finished_free(&run);
}

Test(command, draws_a_picture_or_says_what_is_missing)
{
    char *folder = folder_new(), *path = path_in(folder, "machine.svg");
    finished run = heddle("graph", GTX480, "--svg", path);
    if (run.code == 0) {
        char *svg = file_read(path, NULL);
        cr_expect(svg && strstr(svg, "<svg"));
        free(svg);
    } else {
        expect_error(&run, "graphviz");
    }
    finished_free(&run);
    setenv("PATH", folder, 1);
    run = heddle("graph", GTX480, "--svg", path);
    expect_code(&run, 2);
    expect_error(&run, "graphviz");
    finished_free(&run);
    free(path);
    folder_remove(folder);
}

static size_t lines_of(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

Test(command, prints_one_page_and_no_progress_line_when_not_on_a_terminal)
{
    finished run = heddle("run", SMALL, "bfs", "--set", "app.scale=8");
    expect_code(&run, 0);
    cr_expect(!strncmp(run.out, "PASS  bfs on small\n", 19));
    cr_expect_leq(lines_of(run.out), 30);
    cr_expect_null(strchr(run.out, '\033'));
    cr_expect_str_empty(run.err);
    finished_free(&run);
    run = heddle("run", SMALL, "vecadd", "--set", "app.n=1", "--quiet");
    expect_code(&run, 0);
    cr_expect_str_empty(run.out);
    cr_expect_str_empty(run.err);
    finished_free(&run);
}

Test(command, makes_the_folder_of_the_results)
{
    char *parent = folder_new(), *folder = path_in(parent, "results"), *path = path_in(folder, "stats.json");
    for (int again = 0; again < 2; again++) {
        finished run = heddle("run", SMALL, "vecadd", "--set", "app.n=1", "--out", folder);
        expect_code(&run, 0);
        finished_free(&run);
    }
    json_decref(stats_read(path));
    char *left = folder_list(folder);
    cr_expect_str_eq(left, "stats.json ");
    free(left);
    free(path);
    free(folder);
    folder_remove(parent);
}

Test(command, runs_the_app_in_the_folder_it_stands_in)
{
    cr_assert_eq(chdir(HEDDLE_APPS "/vecadd"), 0);
    finished run = heddle("run", SMALL, ".", "--set", "app.n=1");
    expect_code(&run, 0);
    expect_output(&run, "PASS  vecadd on small");
    finished_free(&run);
    run = heddle("lint", ".");
    expect_code(&run, 0);
    finished_free(&run);
}

static void expect_unwritable(const char *option, const char *path, const char *why)
{
    finished run = heddle("run", SMALL, "vecadd", "--set", "app.n=1", option, path);
    expect_code(&run, 2);
    expect_error(&run, path);
    expect_error(&run, why);
    cr_expect_eq(lines_of(run.err), 1);
    cr_expect_str_empty(run.out, "something was simulated first");
    finished_free(&run);
}

Test(command, says_before_the_run_that_results_cannot_be_written)
{
    char *folder = folder_new(), *file = path_in(folder, "file"), *below = path_in(folder, "file/below");
    char *missing = path_in(folder, "missing/stats.json");
    file_write(file, "kept", 4);
    expect_unwritable("--stats", "/proc/stats.json", "cannot be written");
    expect_unwritable("--stats", missing, "No such file");
    expect_unwritable("--stats", folder, "Is a directory");
    expect_unwritable("--out", file, "cannot be written");
    expect_unwritable("--out", below, "Not a directory");
    char *left = folder_list(folder), *kept = file_read(file, NULL);
    cr_expect_str_eq(left, "file ");
    cr_expect_str_eq(kept, "kept");
    free(left);
    free(kept);
    free(file);
    free(below);
    free(missing);
    folder_remove(folder);
}

Test(command, ends_in_order_on_an_interrupt_with_partial_results)
{
    char *folder = folder_new(), *output = folder_new(), *path = path_in(folder, "stats.json");
    const char *words[] = {"run", GTX480, "xorshift", "--set", "app.steps=100M", "--out", folder, NULL};
    pid_t child = heddle_start(output, words);
    nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    kill(child, SIGINT);
    finished run = heddle_wait(output, child);
    expect_code(&run, 130);
    expect_error(&run, "error: interrupted at ");
    expect_error(&run, "  of all warp instructions since ");
    expect_error(&run, "%  at pc 0x");
    expect_error(&run, " (xorshift+0x");
    expect_error(&run, "  core[0]: block (0,0,0), warp 0\n");
    expect_output(&run, "STOPPED  xorshift on gtx480");
    expect_output(&run, "(partial)");
    char *left = folder_list(folder);
    cr_expect_str_eq(left, "stats.json ");
    json_t *stats = stats_read(path);
    cr_expect(json_is_true(stats_at(stats, "partial")));
    cr_expect_str_eq(json_string_value(stats_at(stats, "status")), "interrupted");
    cr_expect(json_is_false(stats_at(stats, "kernels/0/complete")));
    cr_expect_gt(json_integer_value(stats_at(stats, "blocks/core/total/warp_instructions")), 0);
    json_decref(stats);
    free(left);
    free(path);
    finished_free(&run);
    folder_remove(folder);
    folder_remove(output);
}
