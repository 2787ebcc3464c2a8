/* SPDX-License-Identifier: MIT */
/* Results of runs that never were, in the form of stats.json. */
#ifndef TEST_COMPARE_RESULTS_H
#define TEST_COMPARE_RESULTS_H

#include <jansson.h>

#include "comparison.h"

/* A run of "app" on a machine with a core and a dram. Each test changes what it is about. */
json_t *results_new(void);

/* Sets a value by its path, "machine/blocks/0/count"; the text is JSON with ' for ". */
void results_set(json_t *results, const char *path, const char *json);
void results_remove(json_t *results, const char *path);

/* A comparison that must be made; a and b are kept until results_done. */
const comparison *results_compare(json_t *a, json_t *b);
/* One that must not: the error, until results_done. */
const char *results_refuse(json_t *a, json_t *b);
void results_done(void);

const machine_difference *difference_of(const comparison *made, const char *what);
const statistic_comparison *statistic_of(const comparison *made, const char *name);
const cycle_comparison *cycles_of(const comparison *made, const char *name);

#endif
