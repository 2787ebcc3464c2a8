/* SPDX-License-Identifier: MIT */
/* What a store holds of the kernels of a run. */
#ifndef EXPLORE_STORE_KERNELS_H
#define EXPLORE_STORE_KERNELS_H

#include <jansson.h>

#include "diagnostics.h"
#include "store_sql.h"

/*
 * A row for each launch; `cycles` and `launches` of the run; and for each kernel KERNEL/cycles, KERNEL/launches and
 * KERNEL/BLOCK.STATISTIC: the sum over its launches, or the greatest of those that `maxima` names (BLOCK.STATISTIC;
 * NULL: none). Cycles are missing where a launch did not end.
 */
int store_put_kernels(store *opened, int64_t run, const json_t *results, const candidates *maxima);

/* A number of a run by its name; what is no number is left out. store_run.c */
int store_put_statistic(store *opened, int64_t run, const char *name, const json_t *value);

#endif
