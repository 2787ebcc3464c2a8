/* SPDX-License-Identifier: MIT */
/*
 * Blocks that wait for a block that has been taken off its core: those of a barrier of the grid in software, and those that want a lock whose
 * holder is away, with places for all victims and with places for some. The policy's watchdog brings it back; without one they wait for ever,
 * and the run says for whom.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "measures.h"
#include "process.h"
#include "stats.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define APP SYSTEM_APPS "/starving"

/* Who holds the lock is heavy, the kernel is not: it stays with kernel_profile. */
static const char *const policies[] = {"rut", "rut_preempt_only", "kernel_profile"};
#define BARRIER "app.lock=0"
#define LOCK "app.lock=1"

typedef struct setting {
    char text[100];
} setting;

static setting of_policy(const char *policy, const char *name, const char *value)
{
    setting made;
    snprintf(made.text, sizeof made.text, "tb_scheduler.policy.%s.%s=%s", policy, name, value);
    return made;
}

/* No two blocks fit on a core, so whoever rises leaves unless it is alone. */
static finished run(const char *policy, const char *lock, const char *watchdog, const char *victims, const char *path)
{
    setting chosen;
    snprintf(chosen.text, sizeof chosen.text, "tb_scheduler.policy=%s", policy);
    const setting limit = of_policy(policy, "limit", "1"), factor = of_policy(policy, "period_factor", "0");
    const setting minimum = of_policy(policy, "period_minimum", "200 cycles");
    const setting steps = of_policy(policy, "demand_steps", "64"), bits = of_policy(policy, "bits", "12");
    const setting given = of_policy(policy, "watchdog", watchdog), places = of_policy(policy, "victims", victims);
    return heddle("run", SMALL, APP, "--stats", path, "--set", lock, "--set", "core.context.engine=stream", "--set",
                  "core.context.levels=blocks", "--set", "watchdog=300 us", "--set", chosen.text, "--set", limit.text,
                  "--set", factor.text, "--set", minimum.text, "--set", steps.text, "--set", bits.text, "--set",
                  given.text, "--set", places.text);
}

static uint64_t sum(const char *path, const char *policy, const char *name)
{
    char full[64];
    uint64_t value = 0;
    snprintf(full, sizeof full, "%s%s%s", policy, *policy ? "_" : "", name);
    json_t *stats = stats_read(path), *measures = measures_of_results(stats);
    cr_expect(measures_sum(measures, "tb_scheduler", full, &value), "%s", full);
    json_decref(measures);
    json_decref(stats);
    return value;
}

static void expect_end(const char *lock, const char *victims, uint32_t is_full)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    for (size_t i = 0; i < (strcmp(lock, LOCK) ? 3 : 2); i++) {
        finished ended = run(policies[i], lock, "10", victims, path);
        cr_assert_eq(ended.code, 0, "%s: %s", policies[i], ended.err);
        expect_output(&ended, "PASS");
        finished_free(&ended);
        cr_expect_gt(sum(path, "", "preemptions"), 0, "%s", policies[i]);
        cr_expect_gt(sum(path, policies[i], "overdue"), 0, "%s", policies[i]);
        cr_expect_eq(sum(path, policies[i], "victims_full") > 0, is_full, "%s", policies[i]);
    }
    free(path);
    folder_remove(folder);
}

/* Nobody but the machine's own watchdog ends it, and says which blocks do not go on. */
static void expect_hang(const char *lock, const char *victims)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished hangs = run("rut", lock, "0", victims, path);
    expect_code(&hangs, 1);
    expect_error(&hangs, "no progress since ");
    expect_error(&hangs, "  tb_scheduler: launch 0: block (6, 0, 0) has been taken off its core, and waits to go on\n");
    finished_free(&hangs);
    cr_expect_gt(sum(path, "", "preemptions"), 0);
    cr_expect_eq(sum(path, "rut", "overdue"), 0);
    free(path);
    folder_remove(folder);
}

Test(starvation, blocks_of_a_barrier_of_the_grid_all_come, .timeout = 300)
{
    expect_end(BARRIER, "1024", 0);
    expect_hang(BARRIER, "1024");
}

Test(starvation, who_holds_a_lock_comes_back, .timeout = 300)
{
    expect_end(LOCK, "1024", 0);
    expect_hang(LOCK, "1024");
}

Test(starvation, a_full_queue_of_victims_is_no_end, .timeout = 300)
{
    expect_end(BARRIER, "2", 1);
    expect_end(LOCK, "2", 1);
    expect_hang(BARRIER, "2");
    expect_hang(LOCK, "2");
}

/* By turns, without levels: more blocks than there are places for. */
Test(starvation, blocks_that_take_turns_all_come, .timeout = 300)
{
    static const char *const locks[] = {BARRIER, LOCK};
    for (size_t i = 0; i < 2; i++) {
        finished ended =
            heddle("run", SMALL, APP, "--set", locks[i], "--set", "app.grid=20", "--set", "core.context.engine=stream",
                   "--set", "core.context.storage=memory", "--set", "tb_scheduler.policy=time_slice", "--set",
                   "tb_scheduler.policy.time_slice.slice=1000 cycles");
        cr_assert_eq(ended.code, 0, "%s: %s", locks[i], ended.err);
        expect_output(&ended, "PASS");
        finished_free(&ended);
    }
}

/* Tables of nothing: one error each, with its place. */
Test(starvation, a_table_or_a_queue_of_nothing_is_refused)
{
    static const struct {
        const char *setting, *error;
    } cases[] = {{"tb_scheduler.policy.rut.table=0 B",
                  "error[N24]: 'policy.rut.table' of block 'tb_scheduler' is '0 B'; it must be between 8 B and 1 GiB"},
                 {"tb_scheduler.policy.rut.victims=0",
                  "error[N24]: 'policy.rut.victims' of block 'tb_scheduler' is '0'; it must be between 1 and 65536"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        finished refused =
            heddle("run", SMALL, APP, "--set", "core.context.engine=stream", "--set", "core.context.levels=blocks",
                   "--set", "tb_scheduler.policy=rut", "--set", cases[i].setting);
        expect_code(&refused, 2);
        expect_error(&refused, "<command line>:1:");
        expect_error(&refused, cases[i].error);
        const char *error = strstr(refused.err, "error[");
        cr_expect(error && !strstr(error + 1, "error["), "not one error:\n%s", refused.err);
        finished_free(&refused);
    }
}
