/* SPDX-License-Identifier: MIT */
/* The figures of a benchmark run: a table for people, bench.json for programs. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdint.h>

#include "floor.h"
#include "measure.h"
#include "settings.h"

typedef struct bench_floor {
    bench_case which;    /* app and options; type and cores say nothing */
    floor_result result; /* seconds: the median */
} bench_floor;

typedef struct bench_figure {
    bench_case which;
    bench_run run; /* seconds: the median */
    double fastest;
    double slowest;
    uint32_t repetitions;
    uint32_t has_floor;
    bench_floor floor; /* of the same app and options, run alternately */
} bench_figure;

static const uint32_t bench_scales[] = {1, 2, 4, 8, 15, 30, 60, 80};
enum { BENCH_SCALES = sizeof bench_scales / sizeof *bench_scales };

/* Best of several runs. */
typedef struct bench_extras {
    bench_run one_busy[2]; /* one core busy: of 15; of 1 */
    bench_run threads[2];  /* xorshift on 15 cores: two threads; one */
    double idle[2];        /* seconds of the host for a simulated second: nothing launched; the host program computes */
    bench_run scales[BENCH_SCALES];
} bench_extras;

typedef struct bench_report {
    const bench_settings *settings;
    const bench_floor *floors;
    const bench_figure *figures;
    const bench_extras *extras; /* NULL: not measured */
    uint32_t floor_count;
    uint32_t figure_count;
} bench_report;

void bench_print_head(const bench_report *report);
void bench_print_floor(const bench_floor *floor);
void bench_print_titles(void);
void bench_print_figure(const bench_figure *figure);
void bench_print_extras(const bench_extras *extras);

/* "stream n=65536". Returns text. */
const char *bench_label(const bench_case *which, char *text, uint32_t bytes);
/* Of the floor's warp instructions per second. */
double bench_share_of_floor(const bench_figure *figure);

/* Everything; a new reference. */
struct json_t;
struct json_t *bench_json(const bench_report *report);

/* Writes the files that the settings name. Ends the program with a message if one cannot be written. */
void bench_finish(const bench_report *report);

#endif
