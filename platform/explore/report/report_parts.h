/* SPDX-License-Identifier: MIT */
/* The parts of a report's data: each adds members to the object of one experiment. 1, or 0 and opened->error. */
#ifndef EXPLORE_REPORT_PARTS_H
#define EXPLORE_REPORT_PARTS_H

#include "report_data.h"

/* "description" to "updated", and "axes". */
int report_add_experiment(store *opened, const view_columns *columns, json_t *object);
/* "points", "machines", "hosts", "inputs": a digest of all points' digests, in order. */
int report_add_points(store *opened, const view_columns *columns, json_t *object);
/* "statistics", "columns": those of `columns`, and those that stacks are made of. */
int report_add_columns(store *opened, const view_columns *columns, json_t *object);
/* "published": [{statistic, value, source, points: [[point, base or null]...]}], points as indices. */
int report_add_published(store *opened, const view_columns *columns, json_t *object);
/* "failures": [{point, repetition, status, exit_code, message, log}]. */
int report_add_failures(store *opened, const view_columns *columns, json_t *object);

/* "stacks" of the whole report. */
json_t *report_stacks(void);

/* A text, with '?' for what is not UTF-8. */
json_t *report_text(const char *text);

#endif
