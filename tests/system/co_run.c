/* SPDX-License-Identifier: MIT */
/* Apps that run beside each other: each does what it does alone, whatever machine, policy and order. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define BUSY SYSTEM_APPS "/busy"

static json_t *run_for_stats(const char *const *words)
{
    const char *all[40] = {"run"};
    size_t count = 1;
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    for (; *words; words++)
        all[count++] = *words;
    all[count++] = "--stats";
    all[count] = path;
    finished run = heddle_run(all);
    cr_assert_eq(run.code, 0, "%s %s: %s", all[1], all[2], run.err);
    json_t *stats = stats_read(path);
    finished_free(&run);
    free(path);
    folder_remove(folder);
    return stats;
}
#define RUN(...) run_for_stats((const char *const[]){__VA_ARGS__, NULL})

static json_int_t number_at(const json_t *stats, const char *path)
{
    return json_integer_value(stats_at(stats, path));
}

static void expect_same(const json_t *alone, const char *at, const json_t *beside, const char *there)
{
    cr_expect(json_equal(stats_at(alone, at), stats_at(beside, there)), "%s", there);
}

/* What the app at this place of `together` reports is what it reports alone; so is the work of its kernels, where threads do not
 * wait for each other. */
static void expect_as_alone(const json_t *alone, const json_t *together, const char *place, int does_the_same)
{
    char path[64];
    snprintf(path, sizeof path, "apps/%s/status", place);
    cr_expect_str_eq(json_string_value(stats_at(together, path)), "pass");
    snprintf(path, sizeof path, "apps/%s/reports", place);
    expect_same(alone, "app/reports", together, path);
    snprintf(path, sizeof path, "apps/%s/inputs", place);
    expect_same(alone, "app/inputs", together, path);
    snprintf(path, sizeof path, "apps/%s/statistics/thread_instructions", place);
    if (does_the_same)
        expect_same(alone, "blocks/core/total/thread_instructions", together, path);
}

/* ---- Machines and policies ------------------------------------------------------------------------------------------- */

static void expect_pair(const char *machine, const char *first, const char *first_set, const char *second,
                        const char *second_set, const char *second_set_beside, const char *policy, int does_the_same)
{
    json_t *one = RUN(machine, first, "--set", first_set, "--set", policy);
    json_t *two = RUN(machine, second, "--set", second_set, "--set", policy);
    json_t *both =
        RUN(machine, first, "--with", second, "--set", first_set, "--set", second_set_beside, "--set", policy);
    expect_as_alone(one, both, "0", does_the_same);
    expect_as_alone(two, both, "1", does_the_same);
    cr_expect_lt(number_at(both, "simulated_ps"), number_at(one, "simulated_ps") + number_at(two, "simulated_ps"),
                 "%s and %s: they run at the same time", first, second);
    json_decref(one);
    json_decref(two);
    json_decref(both);
}

Test(co_run, each_app_does_what_it_does_alone, .timeout = 300)
{
    static const char *const machines[] = {SMALL, SYSTEM_MACHINES "/dma.yaml", SYSTEM_MACHINES "/mimd.yaml",
                                           HEDDLE_MACHINES "/gtx480.yaml", HEDDLE_MACHINES "/v100_8_sm.yaml"};
    static const char *const orders[] = {"tb_scheduler.order=arrival", "tb_scheduler.order=stream"};
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++)
        for (size_t p = 0; p < 2; p++)
            expect_pair(machines[m], "matmul", "app.n=48", "reduce", "app.n=4096", "app2.n=4096", orders[p], 1);
}

Test(co_run, kernels_of_all_kinds_go_beside_each_other, .timeout = 300)
{
    static const struct {
        const char *app, *set, *beside;
        int does_the_same;
    } others[] = {{"hashtable", "app.grid=8", "app2.grid=8", 0},
                  {"scan", "app.n=1024", "app2.n=1024", 1},
                  {"mandelbrot", "app.n=32", "app2.n=32", 1},
                  {"atm", "app.transfers=1500", "app2.transfers=1500", 0},
                  {"aes", "app.blocks=256", "app2.blocks=256", 1}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        expect_pair(HEDDLE_MACHINES "/gtx480.yaml", "matmul", "app.n=48", others[i].app, others[i].set,
                    others[i].beside, "tb_scheduler.order=stream", others[i].does_the_same);
}

Test(co_run, blocks_that_leave_their_cores_belong_to_any_app, .timeout = 300)
{
    static const char *const moving[][12] = {
        {"--set", "tb_scheduler.policy=time_slice", "--set", "tb_scheduler.policy.time_slice.slice=900 cycles", NULL},
        {"--set", "tb_scheduler.policy=rut", "--set", "tb_scheduler.policy.rut.limit=5", "--set",
         "tb_scheduler.policy.rut.period_factor=0", "--set", "tb_scheduler.policy.rut.period_minimum=50 cycles",
         "--set", "core.context.levels=blocks", NULL}};
    json_t *one = RUN(SMALL, "matmul", "--set", "app.n=64"), *two = RUN(SMALL, "reduce", "--set", "app.n=8192");
    for (size_t p = 0; p < 2; p++) {
        const char *words[40] = {SMALL,    "matmul",
                                 "--with", "reduce",
                                 "--set",  "app.n=64",
                                 "--set",  "app2.n=8192",
                                 "--set",  "core.context.engine=stream",
                                 "--set",  "core.context.storage=memory",
                                 "--set",  "core.blocks=2",
                                 "--set",  "core.memory.queue=1"};
        size_t count = 16;
        for (size_t i = 0; moving[p][i]; i++)
            words[count++] = moving[p][i];
        json_t *both = run_for_stats(words);
        expect_as_alone(one, both, "0", 1);
        expect_as_alone(two, both, "1", 1);
        cr_expect_gt(number_at(both, "blocks/tb_scheduler/total/preemptions"), 0);
        json_decref(both);
    }
    json_decref(one);
    json_decref(two);
}

/* ---- The same app, several times ------------------------------------------------------------------------------------- */

Test(co_run, an_app_may_run_beside_itself)
{
    json_t *stats = RUN(SMALL, BUSY, "--with", BUSY, "--with", BUSY, "--with", BUSY, "--set", "app.times=200", "--set",
                        "app2.times=220", "--set", "app3.times=100", "--set", "app4.grid=2", "--set", "app4.times=210");
    static const char *const names[] = {"busy", "busy#2", "busy#3", "busy#4"};
    static const json_int_t times[] = {200, 220, 100, 210};
    for (size_t i = 0; i < 4; i++) {
        char path[64];
        snprintf(path, sizeof path, "apps/%zu/name", i);
        cr_expect_str_eq(json_string_value(stats_at(stats, path)), names[i]);
        snprintf(path, sizeof path, "apps/%zu/options/times", i);
        cr_expect_eq(number_at(stats, path), times[i], "variables of the host program are its own");
        snprintf(path, sizeof path, "kernels/%zu/app", i);
        const char *app = json_string_value(stats_at(stats, path));
        const json_int_t queue = (snprintf(path, sizeof path, "kernels/%zu/queue", i), number_at(stats, path));
        cr_expect_str_eq(app, names[queue], "the default queue of each is one of the first");
    }
    json_decref(stats);
}

/* ---- Results ---------------------------------------------------------------------------------------------------------- */

static json_int_t sum_of_apps(const json_t *stats, const char *name, uint32_t apps)
{
    json_int_t sum = 0;
    for (uint32_t i = 0; i < apps; i++) {
        char path[64];
        snprintf(path, sizeof path, "apps/%u/statistics/%s", i, name);
        sum += number_at(stats, path);
    }
    return sum;
}

Test(co_run, statistics_of_apps_add_up)
{
    static const char *const names[] = {"warp_instructions", "thread_instructions", "slots_issued"};
    json_t *stats = RUN(SMALL, "matmul", "--with", "reduce", "--with", "vecadd", "--set", "app.n=32", "--profile");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[64];
        snprintf(path, sizeof path, "blocks/core/total/%s", names[i]);
        cr_expect_eq(sum_of_apps(stats, names[i], 3), number_at(stats, path), "%s", names[i]);
    }
    json_int_t ended = 0, last = number_at(stats, "simulated_ps");
    for (uint32_t i = 0; i < 3; i++) {
        char path[64];
        snprintf(path, sizeof path, "apps/%u/ended_ps", i);
        ended = number_at(stats, path) > ended ? number_at(stats, path) : ended;
        snprintf(path, sizeof path, "apps/%u/cycles", i);
        cr_expect_gt(number_at(stats, path), 0);
    }
    cr_expect_eq(ended, last, "the run ends with the last of them");
    const char *function = json_string_value(stats_at(stats, "profile/rows/0/function"));
    cr_expect_eq(strncmp(function, "matmul/", 7), 0, "%s", function);
    json_decref(stats);
}

Test(co_run, is_the_same_each_time_and_with_several_threads)
{
    json_t *first = RUN(SMALL, "hashtable", "--with", "bfs", "--set", "app.grid=4", "--set", "app2.scale=6");
    json_t *again = RUN(SMALL, "hashtable", "--with", "bfs", "--set", "app.grid=4", "--set", "app2.scale=6");
    json_t *apart = RUN(SMALL, "hashtable", "--with", "bfs", "--set", "app.grid=4", "--set", "app2.scale=6",
                        "--threads", "3", "--tlm=auto");
    expect_same_stats(first, again);
    expect_same_stats(first, apart);
    json_decref(first);
    json_decref(again);
    json_decref(apart);
}

Test(co_run, is_checked_like_one_app)
{
    json_t *stats = RUN(SMALL, "matmul", "--with", "vecadd", "--set", "app.n=32", "--set", "app2.n=1000",
                        "--check-memory", "--check-races");
    cr_expect_gt(number_at(stats, "memory_check/accesses"), 0);
    cr_expect_eq(number_at(stats, "memory_check/errors"), 0);
    cr_expect_eq(number_at(stats, "race_check/races"), 0);
    json_decref(stats);
}

Test(co_run, says_of_each_app_how_it_ended)
{
    finished run = heddle("run", SMALL, BUSY, "--with", "vecadd", "--set", "app.times=100", "--set", "app.words=0");
    expect_code(&run, 1);
    expect_error(&run, "error: busy: ");
    finished_free(&run);
    run = heddle("run", SMALL, "vecadd", "--with", SYSTEM_APPS "/misuse", "--set", "app2.mistake=double_free");
    expect_code(&run, 1);
    expect_error(&run, "error: misuse: hd_free: ");
    finished_free(&run);
    run = heddle("run", SMALL, "vecadd", "--with", "matmul", "--set", "app2.n=32");
    expect_code(&run, 0);
    expect_output(&run, "PASS  vecadd, matmul on small");
    expect_output(&run, "apps        vecadd: pass at ");
    expect_output(&run, "            matmul n=32: pass at ");
    expect_output(&run, "matmul/matmul ");
    finished_free(&run);
}

/* ---- What cannot be --------------------------------------------------------------------------------------------------- */

static void expect_usage(finished run, const char *what)
{
    expect_code(&run, 2);
    expect_error(&run, what);
    finished_free(&run);
}

Test(co_run, says_what_cannot_run_beside_another)
{
    expect_usage(heddle("run", SMALL, "vecadd", "--with", "vecad"), "did you mean 'vecadd'");
    expect_usage(heddle("run", SMALL, "--with", "vecadd"), "no app is given that it could run beside");
    expect_usage(heddle("run", SMALL, "vecadd", "--set", "app2.n=4"), "there is no app 2: --with gives one");
    expect_usage(heddle("run", SMALL, "vecadd", "--with", "matmul", "--set", "app3.n=4"), "there is no app 3");
    expect_usage(heddle("run", SMALL, "vecadd", "--with", "matmul", "--set", "app2.m=4"), "has no option 'm'");
    expect_usage(heddle("run", SMALL, "vecadd", "--with", "matmul", "--set", "app2.n"), "it must be app2.NAME=VALUE");
    expect_usage(heddle("run", SMALL, "vecadd", "--with", "matmul", "--set", "app7.n=2"), "there are at most 4 apps");
    expect_usage(heddle("run", SMALL, "vecadd", "--with", "scan", "--with", "scan", "--with", "scan", "--with", "scan"),
                 "there are at most 4 apps");
    expect_usage(heddle("run", SYSTEM_MACHINES "/firmware.yaml", "vecadd", "--with", "matmul"),
                 "an app beside another needs a host of kind host_cpu, type native");
}

Test(co_run, says_what_the_kernels_beside_others_lack)
{
    char *folder = folder_new(), *app = path_in(folder, "copy"), *file;
    char *made = text_of("mkdir %s && cp %s/busy/kernel.elf %s/busy/host.so %s", app, SYSTEM_APPS, SYSTEM_APPS, app);
    cr_assert_eq(system(made), 0);
    expect_usage(heddle("run", SMALL, "vecadd", "--with", app), "kernel.movable.elf: No such file or directory");
    file = path_in(app, "kernel.movable.elf");
    file_copy(SYSTEM_APPS "/busy/kernel.elf", file);
    expect_usage(heddle("run", SMALL, "vecadd", "--with", app),
                 "it cannot be moved: it has no relocations: link it with --emit-relocs");
    free(file);
    free(made);
    free(app);
    folder_remove(folder);
}

Test(co_run, says_what_the_device_has_not_enough_of)
{
    finished run = heddle("run", SMALL, "vecadd", "--with", "matmul", "--set", "command_processor.queues=1");
    expect_code(&run, 1);
    expect_error(&run, "matmul: hd_queue_create: the device has no more than 1 queues, and other programs use some");
    finished_free(&run);
    run = heddle("run", SMALL, "vecadd", "--with", "matmul", "--set", "command_processor.memory=2 MiB");
    expect_code(&run, 1);
    expect_error(&run, "out of device memory");
    finished_free(&run);
    run = heddle("run", SMALL, "vecadd", "--with", "matmul", "--set", "command_processor.memory=64 KiB");
    expect_code(&run, 1);
    expect_error(&run, "out of device memory");
    finished_free(&run);
}

/* ---- Sweeps ------------------------------------------------------------------------------------------------------------ */

static finished sweep_over(const char *folder, const char *with, const char *option)
{
    char *file = path_in(folder, "pairs.yaml"), *store = path_in(folder, "pairs.db");
    char *text = text_of("sweep: 1\nname: pairs\nset: {machine: " SMALL ", app: vecadd, app.n: 500, %s}\n"
                         "axes:\n  with: [%s]\nstatistics: [app.cycles, app2.cycles, app2.fused_multiply_adds]\n",
                         option, with);
    file_write(file, text, strlen(text));
    finished run = heddle("sweep", file, "--store", store, "--jobs", "1");
    free(text);
    free(file);
    free(store);
    return run;
}

Test(co_run, sweeps_have_apps_beside_each_other)
{
    char *folder = folder_new(), *store = path_in(folder, "pairs.db");
    finished run = sweep_over(folder, "none, matmul, \"matmul, vecadd\"", "app2.n: 32");
    expect_code(&run, 0);
    finished_free(&run);
    run = heddle("results", store);
    expect_code(&run, 0);
    expect_output(&run, "1,none,small,vecadd,1,1,pass,,,\n");
    expect_output(&run, "2,matmul,small,\"vecadd, matmul\",1,1,pass,");
    expect_output(&run, "3,\"matmul, vecadd\",small,\"vecadd, matmul, vecadd\",1,1,pass,");
    expect_output(&run, ",32768\n");
    finished_free(&run);
    run = sweep_over(folder, "none, matmul, \"matmul, vecadd\"", "app2.n: 32");
    expect_output(&run, "3 there before, 0 done now");
    finished_free(&run);
    run = sweep_over(folder, "matmul", "app2.n: 64");
    expect_output(&run, "0 there before, 1 done now");
    finished_free(&run);
    expect_usage(sweep_over(folder, "matmul", "app3.n: 2"), "there is no app 3: 'with' gives one");
    expect_usage(sweep_over(folder, "matmul", "app2.m: 2"), "app 'matmul' has no option 'm'");
    expect_usage(sweep_over(folder, "matmull", "app2.n: 32"), "did you mean 'matmul'");
    free(store);
    folder_remove(folder);
}
