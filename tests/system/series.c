/* SPDX-License-Identifier: MIT */
/* heddle run --series: statistics as they go. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define GTX480 HEDDLE_MACHINES "/gtx480.yaml"
#define SMALL SYSTEM_MACHINES "/small.yaml"
#define COLUMNS_MAX 1024u

/* Results, and the text of the series, of a run with up to three further words. */
typedef struct series_run {
    json_t *stats;
    char *text;
} series_run;

static series_run run_with(const char *machine, const char *app, const char *set, const char *interval, const char *a,
                           const char *b)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json"), *series = path_in(folder, "series.csv");
    finished run = heddle("run", machine, app, "--set", set, "--out", folder, "--quiet", "--series", interval, a, b);
    expect_code(&run, 0);
    series_run result = {.stats = stats_read(path), .text = file_read(series, NULL)};
    cr_assert(result.text);
    finished_free(&run);
    free(path);
    free(series);
    folder_remove(folder);
    return result;
}

static void release(series_run *run)
{
    json_decref(run->stats);
    free(run->text);
}

typedef struct table {
    char *names[COLUMNS_MAX];
    uint64_t sums[COLUMNS_MAX];
    size_t columns, rows;
    uint64_t end; /* of the last row */
} table;

/* Rows follow each other without a gap; all but the last have this length. The text is taken apart. */
static table read_table(char *text, uint64_t length)
{
    table read = {0};
    char *line = strsep(&text, "\n");
    for (char *name; (name = strsep(&line, ","));)
        read.names[read.columns++] = name;
    cr_assert_str_eq(read.names[0], "begin_ps");
    cr_assert_str_eq(read.names[1], "end_ps");
    while ((line = strsep(&text, "\n")) && *line) {
        uint64_t values[COLUMNS_MAX];
        size_t count = 0;
        for (char *value; (value = strsep(&line, ","));)
            values[count++] = strtoull(value, NULL, 10);
        cr_assert_eq(count, read.columns);
        cr_expect_eq(values[0], read.end);
        cr_expect(!length || values[1] - values[0] == length || !text || !*text, "a row of %lu",
                  (unsigned long)(values[1] - values[0]));
        cr_expect_gt(values[1], values[0]);
        read.end = values[1];
        read.rows++;
        for (size_t i = 2; i < count; i++)
            read.sums[i] += values[i];
    }
    return read;
}

Test(series, counts_add_up_to_the_results)
{
    series_run run = run_with(SMALL, "vecadd", "app.n=4000", "1 us", NULL, NULL);
    const table read = read_table(run.text, 1000000);
    unsigned compared = 0;
    cr_expect_gt(read.rows, 5);
    cr_expect_geq(read.end, (uint64_t)json_integer_value(stats_at(run.stats, "simulated_ps")));
    for (size_t i = 2; i < read.columns; i++) {
        char *dot = strchr(read.names[i], '.');
        char *block = strndup(read.names[i], (size_t)(dot - read.names[i]));
        const json_t *total = json_object_get(
            json_object_get(json_object_get(json_object_get(run.stats, "blocks"), block), "total"), dot + 1);
        cr_assert(total, "%s", read.names[i]);
        free(block);
        if (strstr(dot, "max"))
            continue;
        cr_expect_eq(read.sums[i], (uint64_t)json_integer_value(total), "%s", read.names[i]);
        compared++;
    }
    cr_expect_gt(compared, 200);
    release(&run);
}

/* Categories, blocks and rows of the results, and the rows of the series, have the same sum to the femtojoule. */
Test(series, energy_adds_up_whichever_way_it_is_split)
{
    series_run run =
        run_with(GTX480, "hashtable", "app.grid=20", "700 cycles", "--statistic=energy.*", "--set=energy=gtx480");
    const table read = read_table(run.text, 500000);
    const json_t *energy = json_object_get(run.stats, "energy"), *whole = json_object_get(energy, "run");
    const json_t *categories = json_object_get(whole, "categories_fj");
    const uint64_t total = (uint64_t)json_integer_value(json_object_get(categories, "total"));
    uint64_t sums[3] = {0};
    const char *name;
    json_t *value;
    size_t i;
    json_object_foreach((json_t *)categories, name, value)
    {
        sums[0] += strcmp(name, "total") && strcmp(name, "dynamic") ? (uint64_t)json_integer_value(value) : 0;
    }
    json_object_foreach(json_object_get(whole, "blocks_fj"), name, value)
    {
        sums[1] += (uint64_t)json_integer_value(value);
    }
    json_array_foreach(json_object_get(energy, "rows"), i, value)
    {
        sums[2] += (uint64_t)json_integer_value(json_object_get(value, "energy_fj"));
    }
    cr_expect_gt(total, 0);
    for (i = 0; i < 3; i++)
        cr_expect_eq(sums[i], total, "%zu", i);
    cr_expect_str_eq(read.names[read.columns - 1], "energy.total");
    cr_expect_eq(read.sums[read.columns - 1], total);
    release(&run);
}

Test(series, says_that_a_machine_has_no_energy_table)
{
    char *folder = folder_new();
    finished run = heddle("run", GTX480, "vecadd", "--out", folder, "--quiet", "--series", "1 us",
                          "--statistic=energy.core", "--set=energy=none_such");
    expect_code(&run, 2);
    expect_error(&run, "there is no energy table 'none_such'");
    finished_free(&run);
    run = heddle("run", SMALL, "vecadd", "--out", folder, "--quiet", "--series", "1 us", "--statistic=energy.core");
    expect_code(&run, 2);
    expect_error(&run, "the machine has no energy table");
    finished_free(&run);
    folder_remove(folder);
}

Test(series, is_the_same_by_all_ways_and_changes_nothing)
{
    series_run one = run_with(GTX480, "hashtable", "app.grid=20", "700 cycles", "--statistic=core.*", "--tlm=auto");
    series_run threads =
        run_with(GTX480, "hashtable", "app.grid=20", "700 cycles", "--statistic=core.*", "--threads=2");
    series_run calls = run_with(GTX480, "hashtable", "app.grid=20", "700 cycles", "--statistic=core.*", "--tlm=always");
    cr_expect_str_eq(one.text, threads.text);
    cr_expect_str_eq(one.text, calls.text);
    expect_same_stats(one.stats, threads.stats);
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished run = heddle("run", GTX480, "hashtable", "--set", "app.grid=20", "--out", folder, "--quiet");
    json_t *plain = stats_read(path);
    expect_same_stats(plain, one.stats);
    const table read = read_table(one.text, 500000); /* 700 cycles of 1.4 GHz */
    cr_expect_gt(read.rows, 30);
    json_decref(plain);
    finished_free(&run);
    free(path);
    folder_remove(folder);
    release(&one);
    release(&threads);
    release(&calls);
}

/* An interval of another length samples the same run: where both have a sample they agree. */
Test(series, a_finer_one_adds_up_to_a_coarser_one)
{
    series_run fine =
        run_with(SMALL, "vecadd", "app.n=4000", "250 ns", "--statistic=*.cycles", "--statistic=dram.row_*");
    series_run coarse =
        run_with(SMALL, "vecadd", "app.n=4000", "1 us", "--statistic=*.cycles", "--statistic=dram.row_*");
    const table first = read_table(fine.text, 250000), second = read_table(coarse.text, 1000000);
    cr_assert_eq(first.columns, second.columns);
    for (size_t i = 2; i < first.columns; i++)
        cr_expect_eq(first.sums[i], second.sums[i], "%s", first.names[i]);
    cr_expect_geq(first.rows, 4 * second.rows - 3);
    release(&fine);
    release(&coarse);
}

Test(series, patterns_name_statistics_and_instances)
{
    series_run run = run_with(SMALL, "vecadd", "app.n=4000", "1 us", "--statistic=core[*].warp_instructions",
                              "--statistic=core.warp_instructions");
    const table read = read_table(run.text, 1000000);
    const uint64_t all = (uint64_t)json_integer_value(stats_at(run.stats, "blocks/core/total/warp_instructions"));
    const size_t cores = json_array_size(stats_at(run.stats, "blocks/core/instances"));
    uint64_t sum = 0;
    cr_assert_eq(read.columns, 2 + 1 + cores);
    cr_expect_str_eq(read.names[2], "core.warp_instructions");
    cr_expect_str_eq(read.names[3], "core[0].warp_instructions");
    for (size_t i = 3; i < read.columns; i++)
        sum += read.sums[i];
    cr_expect_eq(read.sums[2], all);
    cr_expect_eq(sum, all);
    release(&run);
    series_run single = run_with(SMALL, "vecadd", "app.n=4000", "1 us", "--statistic=core[1].slots_[im]*", NULL);
    cr_expect_eq(strncmp(single.text,
                         "begin_ps,end_ps,core[1].slots_issued,core[1].slots_memory_width,core[1].slots_memory_pipe,"
                         "core[1].slots_memory_data,core[1].slots_idle\n",
                         125),
                 0, "%.200s", single.text);
    release(&single);
}

Test(series, a_run_that_ends_early_has_one_too_beside_its_results)
{
    char *folder = folder_new(), *stats = path_in(folder, "early.json"), *series = path_in(folder, "early.series.csv");
    finished run = heddle("run", SMALL, SYSTEM_APPS "/faults", "--set", "app.kernel=illegal_instruction", "--stats",
                          stats, "--series", "100 ns");
    expect_code(&run, 1);
    char *text = file_read(series, NULL), *names = folder_list(folder);
    cr_assert(text);
    cr_expect_str_eq(names, "early.json early.series.csv ", "nothing else is left: %s", names);
    cr_expect_gt(read_table(text, 0).rows, 1);
    free(text);
    free(names);
    finished_free(&run);
    free(stats);
    free(series);
    folder_remove(folder);
}

Test(series, words_that_make_no_sense_are_refused)
{
    static const struct {
        const char *words[5];
        const char *error;
    } uses[] = {
        {{"--series", "1 us"}, "--series needs --out or --stats"},
        {{"--statistic", "core.cycles"}, "--statistic core.cycles: it needs --series"},
        {{"--stats", "@", "--series", "0 ns"}, "--series 0 ns: it must be longer than 0"},
        {{"--stats", "@", "--series", "713 ps"}, "--series 713 ps: it must be no shorter than a cycle of"},
        {{"--stats", "@", "--series", "2 s"}, "--series 2 s: it must be longer than 0, and at most a second"},
        {{"--stats", "@", "--series", "often"}, "--series often: it must be a time, such as 2 us, or cycles"},
        {{"--stats", "@", "--series", "5"}, "--series 5: it must be a time, such as 2 us, or cycles"},
        {{"--stats", "/nowhere/at/all.json", "--series", "1 us"}, "results cannot be written to /nowhere/at/all.json"},
    };
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        const char *const *words = uses[i].words;
        const char *first = *words[1] == '@' ? path : words[1];
        finished run =
            heddle_wait(folder, heddle_start(folder, (const char *const[]){"run", SMALL, "vecadd", words[0], first,
                                                                           words[2], words[3], NULL}));
        expect_code(&run, 2);
        expect_error(&run, uses[i].error);
        finished_free(&run);
    }
    finished run = heddle("run", SMALL, "vecadd", "--stats", path, "--series", "1 us", "--statistic", "core.cyles");
    expect_code(&run, 2);
    expect_error(&run, "error: --statistic core.cyles: no block of the machine has such a statistic\n");
    expect_error(&run, "note: did you mean 'core.cycles'");
    finished_free(&run);
    free(path);
    folder_remove(folder);
}
