/* SPDX-License-Identifier: MIT */
/*
 * Statistics as they go: what each counted in one interval of simulated time after the other, as comma-separated values.
 *
 * All blocks stand at one time when a sample is taken, so that it depends on neither windows nor threads. Over the rows a
 * count adds up to that of the results.
 */
#ifndef HD_SERIES_H
#define HD_SERIES_H

#include <stddef.h>

#include "engine.h"
#include "hd_state.h"
#include "netlist.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_series_setup {
    const char *interval;        /* "2 us", or "1000 cycles" of the cores */
    const char *const *patterns; /* of BLOCK.STATISTIC, BLOCK[2].STATISTIC or BLOCK[*].STATISTIC, with * ? and [...] */
    size_t pattern_count;        /* 0: BLOCK.STATISTIC of everything */
    /* Told the mean power of each interval, by sum of energy, if the machine has an energy table; may be NULL. */
    void (*power)(void *power_context, const char *name, uint64_t milliwatts, hd_time end);
    void *power_context;
} hd_series_setup;

typedef struct hd_series hd_series;

/* endpoints: as of hd_statistics_create. What is pointed to outlives the series, but for the setup. NULL and *error, text for
 * the user to be freed by the caller: an interval or pattern makes no sense. */
hd_series *hd_series_create(const netlist *machine, hd_engine *engine, const uint32_t *endpoints,
                            const hd_series_setup *setup, char **error);
void hd_series_destroy(hd_series *series); /* NULL is allowed */

/* When the next sample is to be taken; HD_NEVER of NULL. */
hd_time hd_series_due(const hd_series *series);
/* While all blocks stand at t, which is when it is due, or the end of the run. */
void hd_series_sample(hd_series *series, hd_time t);
/* One row a sample, below the names: begin_ps, end_ps, then a column per statistic. Valid until the next call. */
const char *hd_series_text(hd_series *series);

/* As hd_statistics_transfer. 0: what is to be restored has other intervals or columns, or not all of it is there. */
uint32_t hd_series_transfer(hd_series *series, const hd_state_stream *stream);

#ifdef __cplusplus
}
#endif

#endif
