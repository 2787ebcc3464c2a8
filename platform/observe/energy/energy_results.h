/* SPDX-License-Identifier: MIT */
/* Energy in results: JSON and numbers for people. */
#ifndef HD_ENERGY_RESULTS_H
#define HD_ENERGY_RESULTS_H

#include "energy_model.h"

struct json_t;

double hd_energy_watts(uint64_t femtojoules, hd_time length);
/* pJ per instruction of an active lane. */
double hd_energy_per_instruction(uint64_t femtojoules, const hd_statistics *statistics, const hd_interval *interval);

/* New references. */
struct json_t *hd_energy_sums_json(const hd_energy_sums *sums);
struct json_t *hd_energy_interval_json(const hd_energy_model *model, const hd_statistics *statistics,
                                       const hd_interval *interval);
struct json_t *hd_energy_json(const hd_energy_model *model, const hd_statistics *statistics);

#endif
