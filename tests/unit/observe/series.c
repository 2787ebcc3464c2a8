/* SPDX-License-Identifier: MIT */
/* A series by hand: what its rows hold, when a sample is due, which columns there are. */
#include "series.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "counting.h"

static hd_series *open_series(counting *rig, const char *interval, const char *first, const char *second)
{
    const char *patterns[] = {first, second};
    const hd_series_setup setup = {
        .interval = interval, .patterns = patterns, .pattern_count = first ? second ? 2 : 1 : 0};
    char *error = NULL;
    counting_open(rig);
    hd_series *series = hd_series_create(&rig->machine, rig->engine, rig->endpoints, &setup, &error);
    cr_assert(series, "%s", error);
    return series;
}

static void close_series(counting *rig, hd_series *series)
{
    hd_series_destroy(series);
    counting_close(rig);
}

Test(series, a_row_has_what_was_counted_since_the_last_and_maxima_as_they_are)
{
    counting rig;
    hd_series *series = open_series(&rig, "2 ns", NULL, NULL);
    cr_expect_eq(hd_series_due(series), 2000);
    counting_values(&rig, 0)[COUNTING_EVENTS] = 5;
    counting_values(&rig, 1)[COUNTING_EVENTS] = 6;
    counting_values(&rig, 1)[COUNTING_DEPTH] = 3;
    counting_values(&rig, 2)[COUNTING_EVENTS] = 1;
    hd_series_sample(series, 2000);
    cr_expect_eq(hd_series_due(series), 4000);
    counting_values(&rig, 0)[COUNTING_EVENTS] = 25;
    counting_values(&rig, 0)[COUNTING_DEPTH] = 2;
    hd_series_sample(series, 4000);
    hd_series_sample(series, 4500);
    hd_series_sample(series, 4500);
    cr_expect_eq(hd_series_due(series), 6000, "what is taken at the end is not one that was due");
    cr_expect_str_eq(hd_series_text(series),
                     "begin_ps,end_ps,core.warp_instructions,core.depth,l2.warp_instructions,l2.depth\n"
                     "0,2000,11,3,1,0\n"
                     "2000,4000,20,3,0,0\n"
                     "4000,4500,0,3,0,0\n");
    close_series(&rig, series);
}

Test(series, cycles_are_those_of_the_cores)
{
    counting rig;
    hd_series *series = open_series(&rig, "3 cycles", "core.depth", NULL);
    cr_expect_eq(hd_series_due(series), 3000);
    close_series(&rig, series);
    counting odd;
    counting_open(&odd);
    odd.clock.hz = 1400000000;
    char *error;
    const hd_series_setup setup = {.interval = "1 cycles"};
    series = hd_series_create(&odd.machine, odd.engine, odd.endpoints, &setup, &error);
    cr_assert(series);
    for (uint64_t n = 1; n < 50; n++) {
        cr_expect_eq(hd_series_due(series), n * 5000 / 7, "edge %lu of 1.4 GHz, never a rounded period added up", n);
        hd_series_sample(series, n * 5000 / 7);
    }
    close_series(&odd, series);
    cr_expect_eq(hd_series_due(NULL), HD_NEVER);
    hd_series_destroy(NULL);
}

static void expect_names(const char *first, const char *second, const char *names)
{
    counting rig;
    hd_series *series = open_series(&rig, "1 ns", first, second);
    const char *text = hd_series_text(series);
    cr_expect_eq(strncmp(text + strlen("begin_ps,end_ps,"), names, strlen(names)), 0, "%s", text);
    cr_expect_eq(strlen(text), strlen("begin_ps,end_ps,") + strlen(names) + 1, "%s", text);
    close_series(&rig, series);
}

Test(series, patterns_are_of_blocks_or_of_instances)
{
    expect_names("*.depth", NULL, "core.depth,l2.depth");
    expect_names("core.[dw]*", NULL, "core.warp_instructions,core.depth");
    expect_names("core[1].depth", "l2.depth", "core[1].depth,l2.depth");
    expect_names("core[*].d*", "core.depth", "core.depth,core[0].depth,core[1].depth");
    expect_names("*[0].depth", NULL, "core[0].depth,l2[0].depth");
    expect_names("core.depth", "core.d*", "core.depth");
}

static void expect_refusal(const char *interval, const char *pattern, const char *part)
{
    counting rig;
    char *error = NULL;
    const hd_series_setup setup = {.interval = interval, .patterns = &pattern, .pattern_count = 1};
    counting_open(&rig);
    cr_expect_null(hd_series_create(&rig.machine, rig.engine, rig.endpoints, &setup, &error));
    cr_assert(error);
    cr_expect(strstr(error, part), "%s", error);
    free(error);
    counting_close(&rig);
}

Test(series, what_makes_no_sense_is_refused)
{
    expect_refusal("0 cycles", "core.depth", "--series 0 cycles: it must be longer than 0");
    expect_refusal("1 ps", "core.depth",
                   "--series 1 ps: it must be no shorter than a cycle of the machine's fastest clock");
    expect_refusal("soon", "core.depth",
                   "it must be a time, such as 2 us, or cycles of the cores, such as 1000 cycles");
    expect_refusal("1 GHz", "core.depth", "it must be a time");
    expect_refusal("1 ns", "core[2].depth", "--statistic core[2].depth: no block of the machine has such a statistic");
    expect_refusal("1 ns", "core.dept", "note: did you mean 'core.depth'");
    expect_refusal("1 ns", "core[].depth", "no block of the machine");
}
