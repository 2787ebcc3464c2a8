/* SPDX-License-Identifier: MIT */
/* Protocols of transactions of the source tree, built as plug-ins from their folders alone: the same results. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "measures.h"
#include "process.h"
#include "stats.h"

static json_t *run_with(const char *machine, const char *choice, const char *plugin)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished run = plugin
                       ? heddle("run", machine, "hashtable", "--set", "app.sync=tm", "--set", "app.grid=8", "--set",
                                "app.buckets=128", "--set", choice, "--check-tx", "--stats", path, "--plugin", plugin)
                       : heddle("run", machine, "hashtable", "--set", "app.sync=tm", "--set", "app.grid=8", "--set",
                                "app.buckets=128", "--set", choice, "--check-tx", "--stats", path);
    expect_code(&run, 0);
    expect_output(&run, "are serialisable");
    finished_free(&run);
    json_t *stats = stats_read(path), *measures = measures_of_results(stats);
    json_decref(stats);
    free(path);
    folder_remove(folder);
    return measures;
}

static uint64_t sum_of(const json_t *measures, const char *name)
{
    uint64_t sum = 0;
    cr_expect(measures_sum(measures, "simt_core", name, &sum), "%s", name);
    return sum;
}

/* own: a statistic that the protocol brings. */
static void expect_same(const char *protocol, const char *machine, const char *own)
{
    static const char *const names[] = {"cycles",      "tx_attempts",  "tx_aborts",       "tx_commits",
                                        "tx_requests", "packets_sent", "tx_retry_cycles", "slots_transaction"};
    char inside[64], outside[64], plugin[512], own_outside[64];
    snprintf(inside, sizeof inside, "core.tx=%s", protocol);
    snprintf(outside, sizeof outside, "core.tx=%s_outside", protocol);
    snprintf(plugin, sizeof plugin, "%s/%s_outside.so", PLUGINS, protocol);
    snprintf(own_outside, sizeof own_outside, "%s_outside", own);
    json_t *built_in = run_with(machine, inside, NULL), *plugged_in = run_with(machine, outside, plugin);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_expect_eq(sum_of(built_in, names[i]), sum_of(plugged_in, names[i]), "%s of %s", names[i], protocol);
    cr_expect_gt(sum_of(built_in, own), 0);
    cr_expect_eq(sum_of(built_in, own), sum_of(plugged_in, own_outside));
    cr_expect_eq(sum_of(plugged_in, own), 0, "counted by the unit that runs");
    json_decref(built_in);
    json_decref(plugged_in);
}

Test(protocols_outside, getm_is_a_plugin, .timeout = 300)
{
    expect_same("getm", "gtx480_getm", "tx_clock_steps");
}

Test(protocols_outside, ideal_is_a_plugin, .timeout = 300)
{
    expect_same("ideal", "gtx480_ideal_tm", "tx_aborts_read_committed");
}

Test(protocols_outside, warptm_el_is_a_plugin, .timeout = 300)
{
    expect_same("warptm_el", "gtx480_warptm_el", "tx_el_changed_words");
}

Test(protocols_outside, eapg_is_a_plugin, .timeout = 300)
{
    expect_same("eapg", SYSTEM_MACHINES "/eapg_of_lanes.yaml", "tx_eapg_pauses");
}

Test(protocols_outside, kilo_tm_is_a_plugin, .timeout = 300)
{
    expect_same("kilo", "gtx480_kilo_tm", "tx_commit_ids");
}
