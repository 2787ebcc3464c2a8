/* SPDX-License-Identifier: MIT */
/* One run says what the blocks of its kernels use, and the scheduler of another places them by it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"

static void measure(const char *folder, const char *app, const char *set, const char *levels)
{
    char *stats = path_in(folder, "profiled.json");
    finished run = heddle("run", SMALL, app, "--profile", "--stats", stats, "--set", set, "--set",
                          "core.context.levels=blocks", "--set", "tb_scheduler.policy=rut_predict_only", "--set",
                          "tb_scheduler.policy.rut_predict_only.limit=10000", "--set",
                          "tb_scheduler.policy.rut_predict_only.demand_steps=8");
    expect_code(&run, 0);
    finished_free(&run);
    finished written = heddle("profile", stats, "--levels", levels);
    expect_code(&written, 0);
    finished_free(&written);
    free(stats);
}

static finished place(const char *app, const char *set, const char *levels, const char *more)
{
    char *profile = text_of("tb_scheduler.policy.static_oracle.profile=%s", levels);
    finished run = heddle("run", SMALL, app, "--set", set, "--set", "tb_scheduler.policy=static_oracle", "--set",
                          profile, "--set", more);
    free(profile);
    return run;
}

Test(oracle, a_profile_of_one_run_places_the_blocks_of_another)
{
    char *folder = folder_new(), *levels = path_in(folder, "matmul.levels"), *text;
    measure(folder, "matmul", "app.n=64", levels);
    text = file_read(levels, NULL);
    unsigned long long fingerprint, cycles, refused, slots, floats, attempts, ended, aborted;
    cr_assert_eq(sscanf(text, "heddle block levels 1\n%llx matmul %llu %llu %llu %llu %llu %llu %llu\nend",
                        &fingerprint, &cycles, &refused, &slots, &floats, &attempts, &ended, &aborted),
                 8, "%s", text);
    cr_expect_gt(cycles, refused);
    cr_expect_gt(slots, floats);
    cr_expect_gt(floats, 0);
    cr_expect_gt(attempts, 0);
    cr_expect_eq(ended + aborted, 0);
    finished run = place("matmul", "app.n=64", levels, "tb_scheduler.policy.static_oracle.limit=10");
    expect_code(&run, 0);
    expect_output(&run, "PASS  matmul");
    finished_free(&run);
    run = place("matmul", "app.n=32", levels, "tb_scheduler.policy.static_oracle.limit=10"); /* another input */
    expect_code(&run, 0);
    finished_free(&run);
    run = place("vecadd", "app.n=100", levels, "tb_scheduler.policy.static_oracle.limit=10");
    expect_code(&run, 1);
    expect_error(&run, "the profile of block levels does not say what kernel 'vecadd' of launch 0 uses");
    finished_free(&run);
    free(text);
    free(levels);
    folder_remove(folder);
}

/* The kernels of the second app lie elsewhere than in the run in which they were measured. */
Test(oracle, profiles_of_several_apps_are_one_file)
{
    char *folder = folder_new(), *one = path_in(folder, "a"), *two = path_in(folder, "b"),
         *all = path_in(folder, "all");
    measure(folder, "matmul", "app.n=32", one);
    measure(folder, "reduce", "app.n=2048", two);
    char *joined = text_of("cat %s %s > %s", one, two, all);
    cr_assert_eq(system(joined), 0);
    char *profile = text_of("tb_scheduler.policy.static_oracle.profile=%s", all);
    finished run = heddle("run", SMALL, "matmul", "--with", "reduce", "--set", "app.n=32", "--set", "app2.n=2048",
                          "--set", "tb_scheduler.policy=static_oracle", "--set", profile);
    expect_code(&run, 0);
    expect_output(&run, "PASS  matmul, reduce on small");
    finished_free(&run);
    free(joined);
    free(profile);
    free(one);
    free(two);
    free(all);
    folder_remove(folder);
}

Test(oracle, a_stale_profile_is_refused_where_it_stands)
{
    char *folder = folder_new(), *levels = path_in(folder, "levels");
    static const char stale[] = "heddle block levels 1\n1234 matmul 100 10 100 10 10 0 0\nend\n";
    file_write(levels, stale, strlen(stale));
    finished run = place("matmul", "app.n=32", levels, "tb_scheduler.policy.static_oracle.limit=10");
    expect_code(&run, 2);
    expect_error(&run, "levels:2: the profile is stale: the program with kernel 'matmul' has changed since");
    finished_free(&run);
    file_write(levels, "what", 4);
    run = place("matmul", "app.n=32", levels, "tb_scheduler.policy.static_oracle.limit=10");
    expect_code(&run, 2);
    expect_error(&run, "levels:1: it is no profile of block levels: 'heddle profile RUN --levels FILE' writes one");
    finished_free(&run);
    run = place("matmul", "app.n=32", "/nowhere", "tb_scheduler.policy.static_oracle.limit=10");
    expect_code(&run, 2);
    expect_error(&run, "policy 'static_oracle' needs a profile that can be read");
    finished_free(&run);
    free(levels);
    folder_remove(folder);
}
