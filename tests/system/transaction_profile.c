/* SPDX-License-Identifier: MIT */
/* Transactions in a profile and in the summary. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"
#include "profiled.h"
#include "stats.h"

#define GETM HEDDLE_MACHINES "/../variants/gtx480_getm.yaml"
#define RUN "run", GETM, "hashtable", "--set", "app.sync=tm", "--set", "app.grid=10", "--out", folder

static uint64_t total(const json_t *stats, const char *name)
{
    return (uint64_t)json_integer_value(json_object_get(stats_at(stats, "blocks/core/total"), name));
}

/* What is not known comes last. */
static uint64_t order_of(const json_t *conflict)
{
    const json_t *winner = json_object_get(conflict, "winner_pc");
    return (uint64_t)json_integer_value(json_object_get(conflict, "pc")) << 32 |
           (json_is_integer(winner) ? (uint64_t)json_integer_value(winner) : UINT32_MAX);
}

Test(transaction_profile, aborts_have_a_line_and_those_refused_a_line_that_was_in_the_way)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished run = heddle(RUN, "--profile");
    expect_code(&run, 0);
    expect_output(&run, "\ncommits     1,920 transactions, ");
    expect_output(&run, " aborts per 1000 (store read ");
    expect_output(&run, "\n            1.0 words read and 4.0 written by each; warps ran ");
    json_t *stats = stats_read(path), *conflict;
    size_t i;
    uint64_t lanes = 0, known = 0, before = 0;
    expect_profile_adds_up(stats);
    cr_expect_gt(total(stats, "slots_transaction"), 0);
    json_array_foreach(stats_at(stats, "profile/conflicts"), i, conflict)
    {
        lanes += (uint64_t)json_integer_value(json_object_get(conflict, "lanes"));
        known += json_is_integer(json_object_get(conflict, "winner_pc"));
        cr_expect_gt(order_of(conflict), before, "each pair once, in order");
        before = order_of(conflict);
    }
    cr_expect_gt(known, 2);
    cr_expect_eq(lanes, total(stats, "tx_aborts_load_written") + total(stats, "tx_aborts_store_written") +
                            total(stats, "tx_aborts_store_read") + total(stats, "tx_aborts_stall_full"));
    finished lines = heddle("profile", folder, "--sort", "tx_aborts", "--top", "3");
    expect_code(&lines, 0);
    expect_output(&lines, "  tx_attempts   tx_commits    tx_aborts  lost to                          aborted for ");
    expect_output(&lines, " load written ");
    finished pairs = heddle("profile", folder, "--conflicts", "--top", "1");
    expect_code(&pairs, 0);
    expect_output(&pairs, "CONFLICTS  hashtable on gtx480_getm (pass): ");
    expect_output(&pairs, "  kernel.c:60                      kernel.c:56\n");
    expect_output(&pairs, " more; --top says how many are shown\n");
    finished csv = heddle("profile", folder, "--conflicts", "--csv", "--by=function");
    expect_code(&csv, 0);
    expect_output(&csv, "file,line,function,pc,winner_file,winner_line,winner_function,winner_pc,lanes\n");
    expect_output(&csv, ",hashtable_tm,0x");
    json_decref(stats);
    finished_free(&run);
    finished_free(&lines);
    finished_free(&pairs);
    finished_free(&csv);
    free(path);
    folder_remove(folder);
}

Test(transaction_profile, changes_nothing_and_is_the_same_for_any_threads)
{
    static const char *const more[] = {"--tlm=auto", "--threads=2", "--tlm=always"};
    json_t *first = NULL;
    for (size_t i = 0; i < 4; i++) {
        char *folder = folder_new(), *path = path_in(folder, "stats.json");
        finished run = heddle(RUN, "--quiet", i < 3 ? more[i] : "--tlm=auto", i < 3 ? "--profile" : NULL);
        expect_code(&run, 0);
        json_t *stats = stats_read(path);
        if (i == 3)
            json_object_del(first, "profile");
        if (first)
            expect_same_stats(first, stats);
        if (i)
            json_decref(stats);
        else
            first = stats;
        finished_free(&run);
        free(path);
        folder_remove(folder);
    }
    json_decref(first);
}

Test(transaction_profile, conflicts_that_are_none_or_damaged)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished run = heddle("run", SYSTEM_MACHINES "/small.yaml", "vecadd", "--out", folder, "--profile");
    expect_code(&run, 0);
    cr_expect_not(strstr(run.out, "commits "), "a line about transactions that there are none of");
    finished none = heddle("profile", folder, "--conflicts");
    expect_code(&none, 0);
    expect_output(&none, "(pass): 0 aborts because of ");
    finished both = heddle("profile", folder, "--conflicts", "--source");
    expect_code(&both, 2);
    expect_error(&both, "--conflicts shows another table");
    json_t *stats = stats_read(path);
    json_array_append_new(json_object_get(json_object_get(stats, "profile"), "conflicts"),
                          json_pack("{s: i}", "lanes", -1));
    cr_assert_eq(json_dump_file(stats, path, 0), 0);
    finished damaged = heddle("profile", folder);
    expect_code(&damaged, 2);
    expect_error(&damaged, "its profile is damaged");
    json_decref(stats);
    finished_free(&run);
    finished_free(&none);
    finished_free(&both);
    finished_free(&damaged);
    free(path);
    folder_remove(folder);
}
