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
 *
 * Several runs of each side, whose machines differ in chance alone (perturb), give means, and for each of them how sure it is.
 */
#ifndef COMPARE_COMPARISON_H
#define COMPARE_COMPARISON_H

#include <stdint.h>
#include <stdio.h>

#include "arena.h"
#include "netlist.h"
#include "sample.h"

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

/* How sure the two values of a row are. Of one run of each side nothing is known, and nothing is here. */
typedef struct row_spread {
    double half_width[2]; /* of the interval of 95 % around each mean */
    double p;             /* how often chance alone makes the values so different */
    int is_significant;   /* seldom enough */
    sample samples[2];
} row_spread;

/* All launches of one function. */
typedef struct kernel_comparison {
    const char *name;
    uint32_t launches[2];
    uint64_t cycles[2]; /* of the command processor */
    row_spread spread;
} kernel_comparison;

/* Where cycles went. */
typedef struct cycle_comparison {
    const char *name; /* "memory pipe" */
    double cycles[2]; /* of an average issue port of the cores */
    row_spread spread;
} cycle_comparison;

typedef struct statistic_comparison {
    const char *name; /* "core.l1_misses" */
    const char *unit; /* "" if nobody declares it */
    const char *doc;
    int is_slot; /* the rows of cycles say it too */
    int is_there[2];
    uint64_t values[2];
    double effect;
    const char *block; /* of which it is one */
    row_spread spread;
} statistic_comparison;

typedef struct comparison {
    arena memory;
    uint32_t repetitions;    /* runs of each side; from 2 on all values are means */
    const char *names[2];    /* of the runs */
    const char *machines[2]; /* their names */
    const char *app;         /* NULL: runs without one */
    int is_of_kernels;       /* what is compared is the time in which kernels ran */
    uint64_t time_ps[2];     /* that time */
    row_spread time_spread;
    row_spread cycles_spread; /* of all kernels together */
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
/* The same for `count` runs of each side, first all of A; in these pairs: run i of A, run i of B. What is said of machines and
 * inputs is of the first pair. */
int comparison_make_repeated(comparison *result, const compared_run *runs, uint32_t count, netlist_registry classes,
                             char **error);
void comparison_free(comparison *made);

/* Threads may have waited for each other: there are atomics or transactions. */
int comparison_is_contended(const comparison *made);
/* Cycles of all kernels of a run. */
uint64_t comparison_kernel_cycles(const comparison *made, int side);

/* rows: so many statistics at most; UINT32_MAX: all, and consequences too. */
void comparison_write_text(const comparison *made, uint32_t rows, FILE *out);
/* A row per item, RFC 4180 with lines that end in \n: what,name,unit,a,b,effect. */
void comparison_write_csv(const comparison *made, FILE *out);
/* One object, its keys sorted. */
void comparison_write_json(const comparison *made, FILE *out);

#endif
