/* SPDX-License-Identifier: MIT */
/* What a machine is opened with, and what that does. */
#define _GNU_SOURCE /* asprintf */
#include "embedding.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *scratch(const char *name)
{
    static char folder[] = "/tmp/embeddingXXXXXX";
    static uint32_t is_made;
    char *path;
    if (!is_made)
        cr_assert_not_null(mkdtemp(folder));
    is_made = 1;
    cr_assert_gt(asprintf(&path, "%s/%s", folder, name), 0);
    return path;
}

static char *run_small(const heddle_settings *settings)
{
    const char *text;
    heddle_machine *machine = open_with(settings);
    EXPECT(launch(machine, default_queue(machine), "add", zeroed_words(machine, 64), 64, 1));
    EXPECT(launch(machine, default_queue(machine), "say", zeroed_words(machine, 64), 64, 1));
    EXPECT(heddle_wait(machine));
    EXPECT(heddle_advance_until(machine, 100000000));
    REQUIRE(heddle_results(machine, &text));
    char *results = strdup(text);
    EXPECT(heddle_close(machine));
    return results;
}

/* A program that was built with an older header passes a smaller structure. */
Test(settings, of_an_older_header_are_enough)
{
    heddle_settings settings = small_machine();
    heddle_machine *machine;
    memset((char *)&settings + offsetof(heddle_settings, app), 0x55, sizeof settings - offsetof(heddle_settings, app));
    settings.struct_bytes = offsetof(heddle_settings, app);
    cr_expect_eq(settings.struct_bytes, 112, "as it was in the first version");
    EXPECT(heddle_open(&settings, &machine));
    EXPECT(heddle_close(machine));
    settings.struct_bytes = sizeof settings + 8;
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT, "settings.struct_bytes");
    settings.struct_bytes = offsetof(heddle_settings, app) - 8;
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT, "settings.struct_bytes");
    settings.struct_bytes = offsetof(heddle_settings, app) + 1;
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT, "settings.struct_bytes");
}

Test(settings, transport_by_tlm_changes_no_result)
{
    static const char *const names[] = {"\"tlm\": \"auto\"", "\"tlm\": \"always\"", "\"tlm\": \"checked\""};
    char *first = NULL;
    for (uint32_t tlm = HEDDLE_TLM_AUTO; tlm <= HEDDLE_TLM_CHECKED; tlm++) {
        heddle_settings settings = small_machine();
        settings.tlm = tlm;
        char *results = run_small(&settings), *host = strstr(results, "\"host\": {\n  \"build\"");
        cr_expect(strstr(results, names[tlm]), "%s", names[tlm]);
        cr_expect_eq(strstr(results, "\"transport_calls\": 0") != NULL, tlm == HEDDLE_TLM_AUTO);
        cr_assert_not_null(host);
        *host = '\0';
        if (!first)
            first = results;
        else
            cr_expect_str_eq(results, first);
        if (results != first)
            free(results);
    }
    free(first);
    heddle_settings settings = small_machine();
    heddle_machine *machine;
    settings.tlm = 3;
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT, "settings.tlm is 3");
}

/* Of the programs that were loaded before the first launch. */
Test(settings, a_profile_counts_by_line)
{
    heddle_settings settings = small_machine();
    char *without = run_small(&settings);
    cr_expect_null(strstr(without, "\"profile\": {"));
    settings.profile = 1;
    char *results = run_small(&settings);
    cr_expect(strstr(results, "\"function\": \"add\"") && strstr(results, "\"function\": \"say\""), "%s", results);
    cr_expect(strstr(results, "kernels.c\""), "%s", results);
    free(results);
    free(without);
}

Test(settings, a_series_has_a_row_for_each_interval)
{
    static const char *const patterns[] = {"core.warp_instructions"};
    uint32_t rows = 0;
    uint64_t sum = 0;
    const char *text;
    heddle_settings settings = small_machine();
    settings.series = "2 us";
    settings.series_statistics = patterns;
    settings.series_statistic_count = 1;
    heddle_machine *machine = open_with(&settings);
    EXPECT(launch(machine, default_queue(machine), "count", zeroed_words(machine, 64), 64, 1));
    EXPECT(heddle_wait(machine));
    EXPECT(heddle_advance_until(machine, 100000000));
    REQUIRE(heddle_series(machine, &text));
    cr_expect_eq(strncmp(text, "begin_ps,end_ps,core.warp_instructions\n", 39), 0, "%s", text);
    for (const char *row = strchr(text, '\n') + 1; *row; row = strchr(row, '\n') + 1) {
        unsigned long long begin, end, value;
        cr_assert_eq(sscanf(row, "%llu,%llu,%llu", &begin, &end, &value), 3);
        cr_expect_eq(begin, rows * UINT64_C(2000000));
        cr_expect_eq(end, begin + 2000000);
        sum += value;
        rows++;
    }
    cr_expect_eq(rows, 50);
    cr_expect_eq(sum, value_of(machine, "core.warp_instructions"));
    cr_expect_gt(sum, 0);
    EXPECT(heddle_close(machine));
}

Test(settings, of_a_series_are_refused_where_they_make_no_sense)
{
    static const char *const patterns[] = {"core.bicycles"};
    const char *text;
    heddle_machine *machine;
    heddle_settings settings = small_machine();
    settings.series = "often";
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_NETLIST, "often");
    settings.series = "1 us";
    settings.series_statistics = patterns;
    settings.series_statistic_count = 1;
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_NETLIST, "core.bicycles");
    settings.series = NULL;
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT, "without settings.series");
    machine = open_small();
    expect_refusal(heddle_series(machine, &text), HEDDLE_ERROR_ARGUMENT, "settings.series of the machine was NULL");
    expect_refusal(heddle_series(machine, NULL), HEDDLE_ERROR_ARGUMENT, "text is NULL");
    EXPECT(heddle_close(machine));
}

static long bytes_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return -1;
    fseek(file, 0, SEEK_END);
    const long bytes = ftell(file);
    fclose(file);
    return bytes;
}

static uint32_t file_has(const char *path, const char *part)
{
    const long bytes = bytes_of(path);
    FILE *file = fopen(path, "rb");
    char *text = malloc((size_t)bytes + 1);
    cr_assert(file && fread(text, 1, (size_t)bytes, file) == (size_t)bytes);
    fclose(file);
    const uint32_t found = memmem(text, (size_t)bytes, part, strlen(part)) != NULL;
    free(text);
    return found;
}

Test(settings, a_trace_is_there_when_it_has_ended_or_the_machine_is_closed)
{
    static const char *const units[] = {"core[0]", "kernels"};
    char *perfetto = scratch("run.pftrace"), *vcd = scratch("run.vcd");
    heddle_settings settings = small_machine();
    settings.trace = (heddle_trace){.perfetto = perfetto, .vcd = vcd, .units = units, .unit_count = 2};
    free(run_small(&settings));
    cr_expect_gt(bytes_of(perfetto), 500);
    cr_expect_gt(bytes_of(vcd), 500);
    cr_expect(file_has(perfetto, "core[0]"));
    cr_expect_not(file_has(perfetto, "core[1]"));
    cr_expect(file_has(perfetto, "say"), "kernels have their names");
    const long whole = bytes_of(perfetto);
    unlink(perfetto);
    heddle_machine *machine = open_with(&settings);
    EXPECT(launch(machine, default_queue(machine), "add", zeroed_words(machine, 64), 64, 1));
    EXPECT(heddle_wait(machine));
    cr_expect_eq(bytes_of(perfetto), -1);
    EXPECT(heddle_trace_end(machine));
    cr_expect(bytes_of(perfetto) > 300 && bytes_of(perfetto) < whole);
    const long first = bytes_of(perfetto);
    expect_refusal(heddle_trace_end(machine), HEDDLE_ERROR_ARGUMENT, "not traced any more");
    EXPECT(launch(machine, default_queue(machine), "count", zeroed_words(machine, 64), 64, 1));
    EXPECT(heddle_wait(machine));
    EXPECT(heddle_close(machine));
    cr_expect_eq(bytes_of(perfetto), first);
    free(perfetto);
    free(vcd);
}

Test(settings, of_a_trace_are_refused_where_they_make_no_sense)
{
    static const char *const names[] = {"nothing"};
    char *path = scratch("refused.pftrace");
    heddle_machine *machine;
    heddle_settings settings = small_machine();
    settings.trace = (heddle_trace){.from = 5};
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT, "where to write it");
    settings.trace = (heddle_trace){.perfetto = path, .from = 5, .to = 5};
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT, "is not after settings.trace.from");
    settings.trace = (heddle_trace){.vcd = path, .picoseconds = 1};
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT, "about perfetto");
    settings.trace = (heddle_trace){.perfetto = path, .vcd = path};
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_FILE, "settings.trace.vcd");
    settings.trace = (heddle_trace){.perfetto = "/nowhere/at/all"};
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_FILE, "/nowhere/at/all");
    settings.trace = (heddle_trace){.perfetto = path, .units = names, .unit_count = 1};
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT, "'nothing': the machine has no unit");
    settings.trace = (heddle_trace){.perfetto = path, .events = names, .event_count = 1};
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT,
                   "'nothing': the machine has no trace event");
    settings.trace = (heddle_trace){.perfetto = path, .units = NULL, .unit_count = 1};
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_ARGUMENT, "settings.trace.units is NULL");
    cr_expect_eq(bytes_of(path), -1, "nothing is left behind");
    machine = open_small();
    expect_refusal(heddle_trace_end(machine), HEDDLE_ERROR_ARGUMENT, "not traced");
    EXPECT(heddle_close(machine));
    free(path);
}
