/* SPDX-License-Identifier: MIT */
/*
 * Energy of intervals, from their statistics and the energy table of the machine (netlist/energy.h). Nothing is counted for it, so a run
 * costs the same with and without. All sums are of whole femtojoules: intervals that follow each other add up, and so do parts.
 */
#ifndef HD_ENERGY_OF_RUNS_H
#define HD_ENERGY_OF_RUNS_H

#include "energy.h"
#include "statistics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One thing that energy goes to. */
typedef struct hd_energy_part {
    const char *name;
    const char *source;
    uint32_t block;              /* of the netlist; NETLIST_NONE: of the whole machine */
    uint32_t category;           /* HD_ENERGY_* */
    const energy_counts *counts; /* NULL: it is power that is always drawn */
    uint64_t femtojoules;        /* each time */
    uint64_t microwatts;         /* of all instances */
} hd_energy_part;

typedef struct hd_energy_model {
    const netlist *machine;
    hd_energy_part *parts;
    uint32_t count; /* 0: the machine has no table */
} hd_energy_model;

hd_energy_model hd_energy_model_of(const netlist *machine);
void hd_energy_model_free(hd_energy_model *model);

typedef struct hd_energy_sums {
    uint64_t categories[HD_ENERGY_CATEGORY_COUNT]; /* fJ */
    uint64_t total;
} hd_energy_sums;

/* What a part costs in the time of an interval. values: of the statistics of its block, all instances together. */
uint64_t hd_energy_of_part(const hd_energy_part *part, const uint64_t *values, const hd_interval *time);

/* Statistics of a block, all its instances together. Asked for once for the parts of a block, which stand together. */
typedef const uint64_t *hd_energy_values(void *context, uint32_t block);
hd_energy_sums hd_energy_of_values(const hd_energy_model *model, hd_energy_values *values, void *context,
                                   const hd_interval *time);
hd_energy_sums hd_energy_of_interval(const hd_energy_model *model, const hd_statistics *statistics,
                                     const hd_interval *interval);

/* The one of that number (NETLIST_ENERGY_SUMS). */
uint64_t hd_energy_sum(const hd_energy_sums *sums, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
