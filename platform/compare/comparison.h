/* SPDX-License-Identifier: MIT */
/*
 * Two runs of one app side by side: what was different about them, and what came of it.
 *
 * Differences of the machines come first: blocks, parameters, clocks, links; then the inputs. What follows from another
 * difference (a parameter that the block's other type does not have, links of instances that are not there) is marked.
 *
 * Where both files say what happened while kernels ran, that is compared; otherwise the whole run.
 *
 * Cycles: an issue port of a core does one thing in each cycle of the time compared, and the cores' slots_* say what. Their
 * average over all ports, and the cycles in which a core had no block, add up to that time. So the differences of these
 * rows add up to the difference in time: whatever else changed shows here or cost nothing.
 *
 * Statistics are ranked by effect: the relative change of a number, weighted by its share,
 *   |b - a| / max(a, b)  *  max(a, b) / m  =  |b - a| / m
 * where m is the largest number of the same unit in the same block, in either run. 1 is a number that is all there is of its
 * unit in its block and that one of the runs has not at all; an event that is rare beside others of its kind ranks low
 * however much it changed.
 */
#ifndef COMPARE_COMPARISON_H
#define COMPARE_COMPARISON_H

#include <stdint.h>
#include <stdio.h>

#include "arena.h"
#include "netlist.h"

struct json_t;

/* What `heddle run` writes (results.h), and what it is called here. Both outlive the comparison. */
typedef struct compared_run {
    const char *name; /* a file */
    const struct json_t *results;
} compared_run;

typedef struct machine_difference {
    const char *what;      /* "core.warps", "clocks.core", "app.buckets" */
    const char *values[2]; /* in base units; NULL: that side has none */
    int is_consequence;
} machine_difference;

/* All launches of one function. */
typedef struct kernel_comparison {
    const char *name;
    uint32_t launches[2];
    uint64_t cycles[2]; /* of the command processor */
} kernel_comparison;

/* Where cycles went. */
typedef struct cycle_comparison {
    const char *name; /* "memory pipe" */
    double cycles[2]; /* of an average issue port of the cores */
} cycle_comparison;

typedef struct statistic_comparison {
    const char *name; /* "core.l1_misses" */
    const char *unit; /* "" if nobody declares it */
    const char *doc;
    int is_slot; /* the rows of cycles say it too */
    int is_there[2];
    uint64_t values[2];
    double effect;
} statistic_comparison;

typedef struct comparison {
    arena memory;
    const char *names[2];    /* of the runs */
    const char *machines[2]; /* their names */
    const char *app;         /* NULL: runs without one */
    int is_of_kernels;       /* what is compared is the time in which kernels ran */
    uint64_t time_ps[2];     /* that time */
    machine_difference *differences;
    uint32_t difference_count;
    kernel_comparison *kernels; /* in the order of their first launch */
    uint32_t kernel_count;
    cycle_comparison *cycles; /* the largest difference first; none if the cores have no issue slots */
    uint32_t cycle_count;
    statistic_comparison *statistics; /* by effect; those that both do not have last */
    uint32_t statistic_count;
} comparison;

/* classes: for units and meanings of statistics. Returns 1; or 0 and *error, lines for the user, to be freed: results that
 * are none, or not to be compared. */
int comparison_make(comparison *result, const compared_run runs[2], netlist_registry classes, char **error);
void comparison_free(comparison *made);

/* Cycles of all kernels of a run. */
uint64_t comparison_kernel_cycles(const comparison *made, int side);

/* rows: so many statistics at most; UINT32_MAX: all, and consequences too. */
void comparison_write_text(const comparison *made, uint32_t rows, FILE *out);
/* A row per item, RFC 4180 with lines that end in \n: what,name,unit,a,b,effect. */
void comparison_write_csv(const comparison *made, FILE *out);
/* One object, its keys sorted. */
void comparison_write_json(const comparison *made, FILE *out);

#endif
