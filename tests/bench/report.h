/* SPDX-License-Identifier: MIT */
/* The figures of a benchmark run: a table for people, bench.json for programs. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdint.h>

#include "floor.h"
#include "measure.h"

typedef struct bench_floor {
    const char *kernel;
    floor_result result; /* seconds: the median */
} bench_floor;

typedef struct bench_figure {
    const bench_case *which;
    bench_run run; /* seconds: the median */
    double fastest;
    double slowest;
    uint32_t repetitions;
    uint32_t reserved;
    const bench_floor *floor; /* what it is compared with */
} bench_figure;

typedef struct bench_report {
    const char *revision;
    const bench_floor *floors;
    const bench_figure *figures;
    uint32_t floor_count;
    uint32_t figure_count;
} bench_report;

void bench_print_head(const bench_report *report);
void bench_print_floor(const bench_floor *floor);
void bench_print_titles(void);
void bench_print_figure(const bench_figure *figure);

/* Ends the program with a message if the file cannot be written. */
void bench_write_json(const bench_report *report, const char *path);

#endif
