/* SPDX-License-Identifier: MIT */
/*
 * Every app on every machine that comes with Heddle, with the first inputs of its app.yaml; and each variant with one app in four, each app
 * with one variant in four: with all if HEDDLE_EVERY_PAIR is set.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "machine_run.h"
#include "process.h"
#include "stats.h"
#include "test_inputs.h"

static int is_machine(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && !strcmp(dot, ".yaml");
}

/* Whether the cores of a machine run lanes on their own. */
static int lanes_are_independent(const char *machine)
{
    const char *name = strrchr(machine, '/');
    return strstr(name, "mimd") || strstr(name, "aware");
}

/* Programs of whose loops one cannot be changed so that no lanes wait for others of their warp. */
static int is_refused(const char *machine, const char *app)
{
    static const char *const apps[] = {"apriori", "block_colouring", "hashtable_waits", "merge_sort"};
    for (size_t i = 0; i < sizeof apps / sizeof *apps; i++)
        if (!strcmp(app, apps[i]))
            return strstr(strrchr(machine, '/'), "ssde") != NULL;
    return 0;
}

static void expect_pass(const char *machine, const test_input *input)
{
    const char *sets[INPUT_OPTIONS_MAX + 1] = {0};
    for (size_t i = 0; i < input->option_count; i++)
        sets[i] = input->options[i];
    char *app = path_in(HEDDLE_APPS, input->app);
    machine_run run = run_machine(&(run_request){.netlist = machine, .app = app, .sets = sets});
    const int as_expected = is_refused(machine, input->app)
                                ? run.was_refused && strstr(run.message, "ssde: the loop at")
                                : run.outcome == HD_OUTCOME_PASS && !run.was_refused;
    cr_expect(as_expected, "%s %s on %s: %s", input->app, input->option_count ? input->options[0] : "", machine,
              run.message);
    run_free(&run);
    free(app);
}

/* On one machine in so many, which are others for the next app. */
static void expect_all_pass(const char *folder, size_t one_in)
{
    struct dirent **entries;
    size_t count;
    test_input *inputs = test_inputs_read(&count);
    const int machines = scandir(folder, &entries, is_machine, alphasort);
    cr_assert(machines > 0, "no machines in %s", folder);
    for (int m = 0; m < machines; m++) {
        char *path = path_in(folder, entries[m]->d_name);
        size_t turn = (size_t)m;
        for (size_t i = 0; i < count; i++)
            if ((!i || strcmp(inputs[i].app, inputs[i - 1].app)) && turn++ % one_in == 0 &&
                (lanes_are_independent(path) || !inputs[i].needs_independent_lanes))
                expect_pass(path, &inputs[i]);
        free(path);
        free(entries[m]);
    }
    free(entries);
    free(inputs);
}

/* Private bytes that each memory partition moves while all threads use the top of their stacks: the most, by the mean. */
static double unevenness_of_stacks(const char *machine, const char *blocks)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished run = heddle("run", machine, SYSTEM_APPS "/stacks", "--set", "core.l1.private=bypass", "--set", blocks,
                          "--stats", path);
    expect_code(&run, 0);
    finished_free(&run);
    json_t *stats = stats_read(path);
    const json_t *slices = stats_at(stats, "blocks/l2/instances"), *slice;
    json_int_t most = 0, sum = 0;
    size_t i;
    json_array_foreach(slices, i, slice)
    {
        const json_int_t bytes = json_integer_value(json_object_get(slice, "bytes_in.private"));
        most = bytes > most ? bytes : most;
        sum += bytes;
    }
    cr_assert_gt(sum, 0, "%s: no private memory", machine);
    const double found = (double)most * (double)json_array_size(slices) / (double)sum;
    json_decref(stats);
    free(path);
    folder_remove(folder);
    return found;
}

/* Stacks of all threads are alike, and only their tops are used. */
Test(machines, spread_stacks_over_their_partitions)
{
    static const char *const blocks[] = {"app.blocks=64", "app.blocks=100"};
    struct dirent **entries;
    const int machines = scandir(HEDDLE_MACHINES, &entries, is_machine, alphasort);
    cr_assert_gt(machines, 5);
    for (int m = 0; m < machines; m++) {
        char *path = path_in(HEDDLE_MACHINES, entries[m]->d_name);
        for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
            const double found = unevenness_of_stacks(path, blocks[i]);
            cr_expect_lt(found, 1.5, "%s, %s: one partition has %.2f times its share", entries[m]->d_name, blocks[i],
                         found);
        }
        free(path);
        free(entries[m]);
    }
    free(entries);
}

/* The same where the number of partitions is any. */
Test(machines, spread_stacks_over_any_number_of_partitions)
{
    static const uint32_t counts[] = {1, 2, 3, 4, 5, 7, 8, 12, 16};
    static const char *const hashes[] = {"address_map.hash=none", "address_map.hash=xor", "address_map.hash=ipoly"};
    for (size_t i = 0; i < 3 * sizeof counts / sizeof *counts; i++) {
        const char *hash = hashes[i % 3];
        char *slices = text_of("l2.count=%u", counts[i / 3]), *channels = text_of("dram.count=%u", counts[i / 3]);
        char *folder = folder_new(), *machine = path_in(folder, "machine.yaml");
        finished run = heddle("check", HEDDLE_MACHINES "/gtx480.yaml", "--set", slices, "--set", channels, "--set",
                              hash, "--resolved");
        expect_code(&run, 0);
        file_write(machine, run.out, strlen(run.out));
        finished_free(&run);
        const double found = unevenness_of_stacks(machine, "app.blocks=64");
        cr_expect_lt(found, 1.5, "%s, %s: one partition has %.2f times its share", slices, hash, found);
        free(slices);
        free(channels);
        free(machine);
        folder_remove(folder);
    }
}

Test(machines, run_every_app)
{
    expect_all_pass(HEDDLE_MACHINES, 1);
}

Test(variants, run_their_share_of_apps)
{
    expect_all_pass(HEDDLE_MACHINES "/../variants", getenv("HEDDLE_EVERY_PAIR") ? 1 : 4);
}

/* Each of them gets a block and runs it: networks and the scheduler have as many ports. */
Test(machines, may_have_a_thousand_cores)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished run =
        heddle("run", HEDDLE_MACHINES "/gtx480.yaml", HEDDLE_APPS "/xorshift", "--set", "core.count=1000", "--set",
               "app.threads=32000", "--set", "app.block=32", "--set", "app.steps=1", "--stats", path);
    expect_code(&run, 0);
    finished_free(&run);
    json_t *stats = stats_read(path);
    const json_t *cores = stats_at(stats, "blocks/core/instances"), *core;
    size_t i;
    cr_expect_eq(json_array_size(cores), 1000);
    json_array_foreach(cores, i, core)
        cr_expect_eq(json_integer_value(json_object_get(core, "blocks_run")), 1, "core[%zu]", i);
    json_decref(stats);
    free(path);
    folder_remove(folder);
}
