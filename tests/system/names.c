/* SPDX-License-Identifier: MIT */
/* Machines and apps by name, and an app's variants. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "process.h"
#include "stats.h"
#include "sweeps.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"

static sweep_bench bench;

static void open_bench(void)
{
    bench = sweep_bench_open();
    cr_assert(!chdir(bench.folder));
}

static void close_bench(void)
{
    cr_assert(!chdir("/"));
    sweep_bench_close(&bench);
}

TestSuite(names, .init = open_bench, .fini = close_bench);

static void put(const char *path, const char *text)
{
    file_write(path, text, strlen(text));
}

static void expect(finished run, int code, const char *output, const char *error)
{
    expect_code(&run, code);
    if (output)
        expect_output(&run, output);
    if (error)
        expect_error(&run, error);
    finished_free(&run);
}

/* ---- Machines ------------------------------------------------------------------------------------------------------- */

Test(names, of_machines_are_known_to_every_command)
{
    expect(heddle("run", "gtx480_functional", "vecadd", "--set", "app.n=64"), 0, "PASS  vecadd on gtx480_functional",
           NULL);
    expect(heddle("check", "quadro_fx5800"), 0, "machine quadro_fx5800 is in order", NULL);
    expect(heddle("check", "gtx480_lrr", "--resolved"), 0, "scheduler: lrr", NULL);
    expect(heddle("graph", "gtx480"), 0, "<b>gtx480</b>", NULL);
    expect(heddle("compare", "gtx480_functional", "gtx480_functional", "vecadd", "--set", "app.n=64", "--set-b",
                  "core.count=2"),
           0, "A  gtx480_functional", NULL);
    expect(heddle("check", "gtx48"), 2, NULL, "there is no machine 'gtx48'\nnote: did you mean 'gtx480'?");
    expect(heddle("compare", "gtx480", "gtx481", "vecadd"), 2, NULL,
           "<command line>:1:23: error[N01]: there is no machine 'gtx481'\n    heddle compare gtx480 gtx481 vecadd\n");
}

Test(names, of_machines_are_those_of_the_own_folder_too)
{
    cr_assert(!mkdir("machines", 0700));
    put("machines/mine.yaml", "heddle: 1\nname: mine_indeed\nextends: gtx480_functional\n");
    expect(heddle("run", "mine", "vecadd", "--set", "app.n=64"), 0, "PASS  vecadd on mine_indeed", NULL);
    expect(heddle("list", "machines"), 0, "machines\n  mine  gtx480_functional\n", NULL);
    expect(heddle("list", "machines", "quadro*"), 0, "30 SIMT cores in clusters of 3", NULL);
    expect(heddle("list", "machines", "none*"), 2, NULL, "none of the machines matches 'none*'");
    put("gtx480.yaml", "heddle: 1\nname: changed\nextends: gtx480\nclocks: {core: 1 GHz}\n");
    expect(heddle("check", "gtx480"), 2, NULL, "error[N50]: 'gtx480' is the name of 2 machines\nnote: ./gtx480.yaml\n");
    expect(heddle("check", "gtx480.yaml"), 0, "machine changed is in order", NULL);
}

Test(names, of_machines_stand_in_sweeps)
{
    char *other = folder_new(), *machine = path_in(other, "shared_small.yaml");
    cr_assert(!mkdir("machines", 0700));
    put("machines/functional.yaml",
        "heddle: 1\nname: functional\nextends: shared_small\nblocks: {core: {type: functional}}\n");
    put(machine, "heddle: 1\nname: shared\nextends: " SMALL "\n");
    setenv("HEDDLE_MACHINES", other, 1);
    cr_assert(!chdir("/")); /* what is beside the file of the sweep is meant */
    sweep_bench_write(&bench, "by_name",
                      "set: {app: vecadd, app.n: 64}\naxes: {machine: [functional, gtx480_functional]}\n");
    expect_sweep(sweep_now(&bench, NULL), 0, "2 done now, 0 left; 0 failed");
    expect(heddle("results", bench.store), 0, "point,machine,app,seed,repetition,status,cycles\n1,functional,vecadd,",
           NULL);
    sweep_bench_write(&bench, "by_name", "set: {machine: gtx40, app: vecadd}\n");
    expect_sweep(sweep_now(&bench, NULL), 2, "sweep.yaml:3:16: error[N01]: there is no machine 'gtx40'");
    unsetenv("HEDDLE_MACHINES");
    free(machine);
    folder_remove(other);
}

/* ---- Variants of apps ----------------------------------------------------------------------------------------------- */

static json_int_t input(const char *option)
{
    json_t *stats = stats_read("stats.json");
    char *path = text_of("app/inputs/%s", option);
    const json_int_t value = json_integer_value(stats_at(stats, path));
    free(path);
    json_decref(stats);
    return value;
}

Test(names, of_variants_stand_for_what_they_set)
{
    expect(heddle("run", SMALL, "hashtable", "--set", "app.variant=medium", "--set", "app.grid=2", "--set",
                  "app.block=32", "--stats", "stats.json"),
           0, "PASS", NULL);
    cr_expect_eq(input("buckets"), 80000);
    cr_expect_eq(input("grid"), 2);
    cr_expect_eq(input("inserts"), 1);
    expect(heddle("run", SMALL, "hashtable", "--set", "app.buckets=16", "--set", "app.variant=low", "--set",
                  "app.grid=2", "--stats", "stats.json"),
           0, "PASS", NULL);
    cr_expect_eq(input("buckets"), 16);
    json_t *stats = stats_read("stats.json");
    cr_expect_gt(json_integer_value(stats_at(stats, "app/reports/longest_chain")), 1, "the program had other buckets");
    json_decref(stats);
}

/* Of what is said more than once the last holds, and it alone is shown. */
Test(names, of_options_are_shown_once)
{
    expect(heddle("run", SMALL, "hashtable", "--set", "app.buckets=16", "--set", "app.grid=4", "--set",
                  "app.variant=low", "--set", "app.grid=2"),
           0, "\napp         hashtable buckets=16 grid=2  -> ", NULL);
    expect(heddle("run", SMALL, "vecadd", "--set", "app.n=5", "--set", "app.n=6"), 0, "\napp         vecadd n=6  -> ",
           NULL);
}

Test(names, of_variants_are_listed_and_told_in_errors)
{
    expect(heddle("list", "apps", "hashtable"), 0, "  app.variant=medium          app.buckets=80000\n", NULL);
    expect(heddle("run", SMALL, "hashtable", "--set", "app.variant=nothing"), 2, NULL,
           "error: app 'hashtable' has no variant 'nothing'\nnote: known here: 'high', 'medium', 'low'\n");
    expect(heddle("run", SMALL, "hashtable", "--set", "app.low=1"), 2, NULL,
           "note: 'low' is a variant: --set app.variant=low\n");
    expect(heddle("run", SMALL, "vecadd", "--set", "app.variant=low"), 2, NULL,
           "error: app 'vecadd' has no variants, and so no 'low'\n");
}

Test(names, of_variants_are_labels_of_sweeps)
{
    sweep_bench_write(&bench, "variants",
                      "set: {machine: " SMALL ", app: hashtable, app.grid: 2, app.block: 32}\n"
                      "axes: {app.variant: [high, medium]}\n");
    expect_sweep(sweep_now(&bench, NULL), 0, "2 done now");
    sweep_bench_write(&bench, "buckets",
                      "set: {machine: " SMALL ", app: hashtable, app.grid: 2, app.block: 32}\n"
                      "axes: {app.buckets: [8000, 80000]}\n");
    expect_sweep(sweep_now(&bench, NULL), 0, "buckets: 2 runs: 2 there before, 0 done now");
    sweep_bench_write(&bench, "wrong", "set: {machine: " SMALL ", app: hashtable}\naxes: {app.variant: [high, hgh]}\n");
    expect_sweep(sweep_now(&bench, NULL), 2, "error[S11]: app 'hashtable' has no variant 'hgh'");
}

/* ---- Apps ----------------------------------------------------------------------------------------------------------- */

static char *app_with_name(const char *folder, const char *name)
{
    static const char *const files[] = {"host.so", "kernel.elf", "firmware.elf"};
    cr_assert(!mkdir(folder, 0700));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *from = text_of("%s/%s", HEDDLE_APPS "/vecadd", files[i]), *to = path_in(folder, files[i]);
        file_copy(from, to);
        free(from);
        free(to);
    }
    char *declared = path_in(folder, "app.yaml");
    char *text = text_of("name: %s\ndoc: mine\noptions: {n: {default: 64}, seed: {default: 1}}\n", name);
    put(declared, text);
    free(text);
    return declared;
}

Test(names, of_apps_need_not_be_those_of_their_folders)
{
    cr_assert(!mkdir("apps", 0700));
    char *declared = app_with_name("apps/folder", "sum-of-two"), *twin;
    expect(heddle("run", SMALL, "./apps/folder"), 0, "PASS  sum-of-two on small", NULL);
    setenv("HEDDLE_APPS", "apps", 1);
    expect(heddle("run", SMALL, "sum-of-two", "--stats", "stats.json"), 0, "PASS  sum-of-two on small", NULL);
    expect(heddle("list", "apps"), 0, "sum-of-two: mine\n", NULL);
    expect(heddle("run", SMALL, "folder"), 2, NULL, "there is no app 'folder' in apps\nnote: known here: 'sum-of-two'");
    twin = app_with_name("apps/twin", "sum-of-two");
    expect(heddle("run", SMALL, "sum-of-two"), 2, NULL, "'sum-of-two' is the name of several apps: apps/");
    put(twin, "name: \"sum-o\\x66-two\"\n"); /* the same, as YAML may spell it */
    expect(heddle("run", SMALL, "sum-of-two"), 2, NULL, "'sum-of-two' is the name of several apps: apps/");
    put(twin, "name: \"a\\eb\"\noptions: {}\n");
    expect(heddle("run", SMALL, "./apps/twin"), 2, NULL,
           "app.yaml:1:7: error[N15]: the name of an app must be a letter followed by letters");
    put(twin, "options: {variant: {default: 1}}\nvariants: {a: {m: 1}, b: 2}\n");
    expect(heddle("run", SMALL, "./apps/twin"), 2, NULL, "error[N15]: no option can be called 'variant'");
    expect(heddle("run", SMALL, "./apps/twin"), 2, NULL, "error[N08]: variant 'a' sets 'm', which is no option");
    expect(heddle("run", SMALL, "./apps/twin"), 2, NULL, "error[N09]: variant 'b' must be a mapping of options");
    unsetenv("HEDDLE_APPS");
    free(declared);
    free(twin);
}

static void expect_listed(const char *option, const char *text)
{
    finished run = heddle("list", "apps", option);
    expect_code(&run, 0);
    cr_expect_str_eq(run.out, text);
    finished_free(&run);
}

/* One app after the other, with an empty line between them in either form. */
Test(names, of_apps_are_listed)
{
    cr_assert(!mkdir("apps", 0700) && !mkdir("apps/a", 0700) && !mkdir("apps/b", 0700));
    put("apps/a/app.yaml", "name: one\ndoc: the first\noptions: {n: {default: 64, doc: threads}}\n");
    put("apps/b/app.yaml", "name: two\ndoc: the second\noptions: {}\n");
    setenv("HEDDLE_APPS", "apps", 1);
    expect_listed(NULL, "one: the first\n  app.n  64  threads\n\ntwo: the second\n");
    expect_listed("--markdown", "## one\n\nThe first.\n\n| Option | Default | Meaning |\n|---|---|---|\n"
                                "| `app.n` | 64 | threads |\n\n## two\n\nThe second.\n\n");
    unsetenv("HEDDLE_APPS");
}
