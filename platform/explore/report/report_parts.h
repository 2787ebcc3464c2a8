/* SPDX-License-Identifier: MIT */
/* The parts of a report's data: each adds members to the object of one experiment. 1, or 0 and opened->error. */
#ifndef EXPLORE_REPORT_PARTS_H
#define EXPLORE_REPORT_PARTS_H

#include "report_data.h"

/* "description" to "updated", and "axes". */
int report_add_experiment(store *opened, const view_columns *columns, json_t *object);
/* "points", "machines", "hosts", "inputs": a digest of all points' digests, in order. */
int report_add_points(store *opened, const view_columns *columns, json_t *object);
/* "statistics", "columns": those of `columns`, those that stacks are made of, published ones, and the cycles of each kernel. */
int report_add_columns(store *opened, const view_columns *columns, netlist_registry classes, json_t *object);
/* "published": [{statistic, value, source, points: [[point, base or null]...]}], points as indices. */
int report_add_published(store *opened, const view_columns *columns, json_t *object);
/* "failures": [{point, repetition, status, exit_code, message, log}]. */
int report_add_failures(store *opened, const view_columns *columns, json_t *object);

/* Units of statistics, from the declarations of the blocks of an experiment's machines, as far as they are needed. */
typedef struct report_units {
    netlist_registry classes;
    json_t *blocks;     /* {block: {kind, type}} of the machines looked at */
    sqlite3_stmt *rest; /* those still to be looked at */
    int is_begun;
    char of_quotient[128];
} report_units;

/* "" if nobody declares one; lives as long as the classes, and until the next one is asked for. */
const char *report_unit(report_units *units, store *opened, const view_columns *columns, const char *statistic);
void report_units_free(report_units *units);

/* "stacks" of the whole report. */
json_t *report_stacks(void);

/* A text, with '?' for what is not UTF-8. */
json_t *report_text(const char *text);

#endif
