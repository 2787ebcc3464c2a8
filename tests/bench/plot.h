/* SPDX-License-Identifier: MIT */
/* Plots of lines and of points as SVG: the same numbers give the same file. */
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include <stdint.h>

enum { PLOT_LINES_MAX = 8 };

/* What is drawn of a line. */
enum { PLOT_LINE_AND_POINTS, PLOT_LINE, PLOT_POINTS };

typedef struct plot_line {
    const char *name;
    const double *x;
    const double *y; /* values that are not above 0 are left out */
    /* [count], names: points are numbered from 1, and a legend says what they are; NULL: nameless. */
    const char *const *points;
    uint32_t count;
    uint32_t drawn;
} plot_line;

typedef struct plot {
    const char *title;
    const char *x_title;
    const char *y_title;
    const char *const *x_names; /* of x = 0, 1, 2 ...; NULL: numbers */
    uint32_t x_name_count;
    uint32_t y_is_logarithmic;
    uint32_t line_count;
    uint32_t reserved;
    plot_line lines[PLOT_LINES_MAX];
} plot;

/* Returns 0 if the file cannot be written. */
uint32_t plot_write(const plot *plot, const char *path);

#endif
