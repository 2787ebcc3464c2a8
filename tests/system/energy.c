/* SPDX-License-Identifier: MIT */
/* Energy of runs as their users see it: the tables that come with Heddle, and tables of their own. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define GTX480 HEDDLE_MACHINES "/gtx480.yaml"
#define V100 HEDDLE_MACHINES "/v100.yaml"
#define HAND_TOLERANCE 0.05 /* of the worked example, whose run was another */

static json_t *results_of(const char *machine, const char *app, const char *set, const char *energy)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished run =
        heddle("run", machine, app, "--set", set, "--out", folder, "--quiet", energy ? "--set" : NULL, energy);
    expect_code(&run, 0);
    json_t *stats = stats_read(path);
    finished_free(&run);
    free(path);
    folder_remove(folder);
    return stats;
}

static const json_t *row_of(const json_t *stats, const char *block, const char *name)
{
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(json_object_get(stats, "energy"), "rows"), i, row)
    {
        const char *of = json_string_value(json_object_get(row, "block"));
        if (!strcmp(of ? of : "", block) && !strcmp(json_string_value(json_object_get(row, "name")), name))
            return row;
    }
    cr_assert_fail("no row %s %s", block, name);
    return NULL;
}

static uint64_t number_in(const json_t *object, const char *key)
{
    cr_assert(json_is_integer(json_object_get(object, key)), "%s", key);
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

static const json_t *kernel_energy(const json_t *stats)
{
    return json_object_get(json_array_get(json_object_get(stats, "kernels"), 0), "energy");
}

/* By hand, from the counts of a run of vecadd with 65,536 elements and the table of gtx480; in uJ. */
Test(energy, of_vecadd_is_what_it_is_by_hand)
{
    static const struct {
        const char *category;
        double microjoules;
    } rows[] = {{"core", 153.9}, {"noc", 71.8},      {"l2", 31.2},    {"dram", 235.3},
                {"idle", 62.3},  {"leakage", 328.7}, {"total", 883.2}};
    json_t *stats = results_of(GTX480, "vecadd", "app.n=65536", "energy=gtx480");
    const json_t *energy = kernel_energy(stats), *categories = json_object_get(energy, "categories_fj");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double got = (double)number_in(categories, rows[i].category) / 1e9;
        cr_expect(fabs(got / rows[i].microjoules - 1) < HAND_TOLERANCE, "%s: %f", rows[i].category, got);
    }
    cr_expect_eq(number_in(categories, "tm"), 0);
    cr_expect_eq(number_in(categories, "dynamic"),
                 number_in(categories, "total") - number_in(categories, "idle") - number_in(categories, "leakage"));
    const double watts = json_real_value(json_object_get(energy, "average_w"));
    cr_expect(watts > 140 && watts < 250, "%f W, and the card's limit is 250", watts);
    const json_t *issue = row_of(stats, "core", "issue");
    cr_expect_eq(number_in(issue, "count"), 38912);
    cr_expect_eq(number_in(issue, "energy_fj"), UINT64_C(38912) * 58510);
    json_decref(stats);
}

Test(energy, of_leakage_and_clock_is_power_times_time)
{
    json_t *stats = results_of(GTX480, "vecadd", "app.n=4096", "energy=gtx480");
    const json_t *leakage = row_of(stats, "", "leakage"), *clock = row_of(stats, "", "clock");
    const uint64_t length = number_in(leakage, "energy_fj") / 59000; /* fJ by mW: ps */
    cr_expect_eq(number_in(leakage, "energy_fj"), length * 59000);
    cr_expect_eq(number_in(clock, "energy_fj"), length * 9800);
    cr_expect_geq(length, number_in(stats, "simulated_ps"));
    json_decref(stats);
}

static void forget_energy(json_t *stats)
{
    size_t i;
    json_t *kernel;
    json_object_del(stats, "energy");
    json_object_del(json_object_get(stats, "machine"), "energy");
    json_object_del(json_object_get(stats, "busy"), "energy");
    json_object_del(json_object_get(stats, "blocks"), "energy");
    json_array_foreach(json_object_get(stats, "kernels"), i, kernel)
    {
        json_object_del(kernel, "energy");
        json_object_del(json_object_get(kernel, "statistics"), "energy");
    }
}

Test(energy, changes_nothing_else)
{
    json_t *without = results_of(GTX480, "hashtable", "app.grid=15", NULL);
    json_t *with = results_of(GTX480, "hashtable", "app.grid=15", "energy=gtx480");
    cr_expect_null(json_object_get(without, "energy"));
    forget_energy(with);
    expect_same_stats(without, with);
    json_decref(without);
    json_decref(with);
}

Test(energy, of_lanes_that_are_not_active_is_the_tables_decision)
{
    json_t *fermi = results_of(GTX480, "hashtable", "app.grid=15", "energy=gtx480");
    json_t *volta = results_of(V100, "hashtable", "app.grid=15", "energy=v100");
    const json_t *ungated = row_of(fermi, "core", "register_read_inactive"),
                 *gated = row_of(volta, "core", "register_read_inactive");
    cr_expect_gt(number_in(ungated, "count"), 0);
    cr_expect_eq(number_in(ungated, "energy_fj"), number_in(ungated, "count") * 7270);
    cr_expect_gt(number_in(gated, "count"), 0);
    cr_expect_eq(number_in(gated, "energy_fj"), 0);
    json_decref(fermi);
    json_decref(volta);
}

static uint64_t microwatts_of_protocol(const char *machine)
{
    json_t *stats = results_of(machine, "vecadd", "app.n=4096", "energy=gtx480"), *row;
    uint64_t sum = 0;
    size_t i;
    json_array_foreach(json_object_get(json_object_get(stats, "energy"), "rows"), i, row)
    {
        if (!strcmp(json_string_value(json_object_get(row, "category")), "tm"))
            sum += number_in(row, "power_uw");
    }
    json_decref(stats);
    return sum;
}

/* Fung 2015, Table 6.3: its arrays in 15 cores and 6 partitions, whose clocks are ours. The 89 mW of each commit unit of WarpTM that are in
 * its total and in none of its arrays are in none of ours. */
Test(energy, of_a_protocols_arrays_is_the_published_power)
{
    cr_expect_eq(microwatts_of_protocol(HEDDLE_MACHINES "/../variants/gtx480_kilo_tm.yaml"), 6 * 152900);
    cr_expect_eq(microwatts_of_protocol(HEDDLE_MACHINES "/../variants/gtx480_warptm.yaml"), 6 * 330400);
    cr_expect_eq(microwatts_of_protocol(HEDDLE_MACHINES "/../variants/gtx480_warptm_tcd.yaml"),
                 6 * 330400 + 15 * 25500 + 6 * 52300);
}

/* What is published of the same arrays in 32 nm stands beside it: nothing where an array is not published there. */
Test(energy, of_arrays_in_another_process_is_beside_it)
{
    json_t *stats =
        results_of(HEDDLE_MACHINES "/../variants/gtx480_warptm.yaml", "vecadd", "app.n=4096", "energy=gtx480");
    json_t *others = json_object_get(stats, "other_estimates");
    cr_assert_eq(json_array_size(others), 1);
    const json_t *other = json_array_get(others, 0);
    cr_expect_str_eq(json_string_value(json_object_get(other, "process")), "32 nm");
    cr_expect_float_eq(json_real_value(json_object_get(other, "milliwatts")), 21.84 + 12 + 100.62 + 132.48, 1e-6);
    cr_expect_eq(json_array_size(json_object_get(other, "structures")), 4);
    cr_expect_str_eq(json_string_value(json_object_get(json_object_get(stats, "estimate"), "process")), "40 nm");
    json_decref(stats);

    stats = results_of(HEDDLE_MACHINES "/../variants/gtx480_kilo_tm.yaml", "vecadd", "app.n=4096", "energy=gtx480");
    cr_expect_eq(json_array_size(json_object_get(stats, "other_estimates")), 0);
    json_decref(stats);
}

/* Their counts are the core's, and what one costs is the table's; without compressors there are none. */
Test(energy, of_compressors_is_what_they_did)
{
    static const struct {
        const char *name, *statistic;
        uint64_t femtojoules;
    } rows[] = {{"pattern_test", "context_registers_tested", 3200},
                {"pattern_expand", "context_registers_expanded", 3200},
                {"pattern_cache_write", "context_pattern_writes", 10000},
                {"pattern_cache_read", "context_pattern_reads", 10000}};
    char *folder = folder_new(), *path = path_in(folder, "machine.yaml");
    for (uint32_t compresses = 0; compresses < 2; compresses++) {
        FILE *file = fopen(path, "w");
        cr_assert(file);
        fprintf(
            file,
            "heddle: 1\nextends: %s\nname: compressing\nenergy: gtx480\nblocks:\n"
            "  tb_scheduler: {parameters: {policy: time_slice}}\n"
            "  core: {parameters: {context.engine: stream, context.dead: marks, context.compress: %s, blocks: 1}}\n",
            GTX480, compresses ? "write" : "none");
        fclose(file);
        json_t *stats = results_of(path, "ctx_sweep", "app.grid=30", NULL);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            const json_t *row = row_of(stats, "core", rows[i].name);
            const uint64_t count = number_in(row, "count");
            cr_expect_eq(count > 0, compresses, "%s", rows[i].name);
            cr_expect_eq(number_in(row, "energy_fj"), count * rows[i].femtojoules, "%s", rows[i].name);
            if (compresses)
                cr_expect_eq(count, number_in(stats_at(stats, "blocks/core/total"), rows[i].statistic), "%s",
                             rows[i].name);
        }
        json_decref(stats);
    }
    free(path);
    folder_remove(folder);
}

/* 0: it is not known. */
static void expect_area(const json_t *stats, const char *block, uint64_t square_micrometres)
{
    const json_t *area = json_object_get(json_object_get(stats, "energy"), "area_um2"),
                 *of_block = json_object_get(json_object_get(area, "blocks"), block);
    cr_expect_gt(number_in(area, "chip"), 0);
    cr_expect_eq(json_integer_value(of_block), (json_int_t)square_micrometres, "%s", block);
    cr_expect_eq(of_block != NULL, square_micrometres > 0);
}

/* A table of the user's own changes one number of one that comes with Heddle. */
Test(energy, of_an_own_table_is_laid_over_another)
{
    char *folder = folder_new(), *path = path_in(folder, "own.yaml"), set[512];
    FILE *file = fopen(path, "w");
    cr_assert(file);
    fputs("heddle: 1\nextends: gtx480\nname: own\nsources: {me: measured}\nblocks:\n  crossbar:\n    events:\n"
          "      flit: {energy: 969.5 pJ, source: me}\n"
          "    leakage: {power: 1 mW, source: me}\n"
          "    area: {area: 3 mm2, source: me}\n",
          file);
    fclose(file);
    snprintf(set, sizeof set, "energy=%s", path);
    json_t *shipped = results_of(GTX480, "vecadd", "app.n=4096", "energy=gtx480");
    json_t *own = results_of(GTX480, "vecadd", "app.n=4096", set);
    const json_t *before = json_object_get(kernel_energy(shipped), "categories_fj"),
                 *after = json_object_get(kernel_energy(own), "categories_fj");
    cr_expect_eq(number_in(before, "noc"), 2 * number_in(after, "noc"));
    cr_expect_eq(number_in(before, "core"), number_in(after, "core"));
    cr_expect_eq(number_in(before, "total") - number_in(after, "total") + number_in(after, "leakage") -
                     number_in(before, "leakage"),
                 number_in(after, "noc"));
    cr_expect_gt(number_in(after, "leakage"), number_in(before, "leakage"));
    cr_expect_str_eq(json_string_value(json_object_get(row_of(own, "request_network", "leakage"), "source")), "me");
    expect_area(own, "request_network", 3000000);
    expect_area(own, "core", 0);
    json_decref(shipped);
    json_decref(own);
    free(path);
    folder_remove(folder);
}

/* A sweep names a table from where its own file is, wherever it is started. */
Test(energy, of_a_sweep_is_beside_its_file)
{
    char *folder = folder_new(), *table = path_in(folder, "own.yaml"), *path = path_in(folder, "sweep.yaml"),
         *store = path_in(folder, "store.db");
    FILE *file = fopen(table, "w");
    cr_assert(file);
    fputs("heddle: 1\nextends: gtx480\nname: own\n", file);
    fclose(file);
    file = fopen(path, "w");
    cr_assert(file);
    fputs("sweep: 1\nname: own\nset: {machine: gtx480, app: vecadd, app.n: 64, energy: ./own.yaml}\n"
          "statistics: [energy.total]\n",
          file);
    fclose(file);
    finished run = heddle("sweep", path, "--store", store, "--jobs", "1");
    expect_code(&run, 0);
    finished_free(&run);
    free(table);
    free(path);
    free(store);
    folder_remove(folder);
}

/* Published arrays of transactional hardware draw their power all the time, or cost by access. */
Test(energy, of_transactional_hardware_is_of_full_activity_or_of_events)
{
    static const char machine[] = HEDDLE_MACHINES "/../variants/gtx480_getm.yaml";
    char *folder = folder_new(), *path = path_in(folder, "events.yaml"), set[512];
    FILE *file = fopen(path, "w");
    cr_assert(file);
    fputs("heddle: 1\nextends: gtx480\nname: by_events\ntm: events\n", file);
    fclose(file);
    snprintf(set, sizeof set, "energy=%s", path);
    json_t *full = results_of(machine, "hashtable", "app.sync=tm", "energy=gtx480");
    json_t *events = results_of(machine, "hashtable", "app.sync=tm", set);
    const json_t *stores = row_of(full, "", "write buffers of the commit units");
    cr_expect_gt(number_in(stores, "power_uw"), 80000, "85.56 mW for six of 16 KB");
    const json_t *looked_up = row_of(events, "validation_unit", "table_access");
    cr_expect_gt(number_in(looked_up, "count"), 0);
    cr_expect_eq(number_in(looked_up, "energy_fj"), 7000 * number_in(looked_up, "count"));
    json_decref(full);
    json_decref(events);
    free(path);
    folder_remove(folder);
}

Test(energy, of_two_machines_is_compared)
{
    finished run = heddle("compare", GTX480, GTX480, "vecadd", "--set", "app.n=4096", "--set", "energy=gtx480",
                          "--set-b", "energy=gtx480_idd", "--all");
    expect_code(&run, 0);
    cr_expect(strstr(run.out, "gtx480_idd"), "%s", run.out);
    cr_expect(strstr(run.out, "energy.dram"));
    finished_free(&run);
}
