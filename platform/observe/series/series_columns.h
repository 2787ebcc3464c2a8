/* SPDX-License-Identifier: MIT */
#ifndef HD_SERIES_COLUMNS_H
#define HD_SERIES_COLUMNS_H

#include "arena.h"
#include "series.h"

#define SERIES_ALL_INSTANCES UINT32_MAX
#define SERIES_ENERGY                                                                                                  \
    UINT32_MAX /* in place of a block: a sum of energy (energy_model.h), whose number is the statistic */

typedef struct series_column {
    const char *name; /* in the arena */
    uint32_t block;   /* of the netlist */
    uint32_t instance;
    uint32_t statistic;
    uint32_t kind; /* HD_STATISTIC_* */
    uint64_t last; /* value of the sample before */
} series_column;

typedef struct series_columns {
    series_column *columns; /* to be freed */
    uint32_t count;
} series_columns;

/* Each statistic at most once, in the order of the netlist. Returns 1; or 0 and *error: a pattern is about nothing. */
uint32_t series_columns_find(series_columns *found, const netlist *machine, const hd_series_setup *setup, arena *memory,
                             char **error);

#endif
