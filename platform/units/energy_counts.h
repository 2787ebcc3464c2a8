/* SPDX-License-Identifier: MIT */
/* What an energy event counts: the statistics of a class that its text names, and their signs. */
#ifndef UNITS_ENERGY_COUNTS_H
#define UNITS_ENERGY_COUNTS_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ENERGY_TERMS_MAX 12u

typedef struct energy_term {
    uint32_t statistic; /* of the class */
    uint32_t is_less;   /* it is taken off */
} energy_term;

typedef struct energy_counts {
    energy_term terms[ENERGY_TERMS_MAX];
    uint32_t term_count;
    uint32_t are_cycles;
    uint32_t are_mixed;             /* some are cycles, and some are not */
    char unknown[HD_NAME_MAX + 1u]; /* the first word that is no count of the class; "" if there is none */
} energy_counts;

/* block_class: composed, if it has units. */
energy_counts energy_counts_of(const hd_block_class *block_class, const hd_energy_event *event);

/* How often it has happened; values: of the statistics of the class. */
uint64_t energy_count(const energy_counts *counts, const uint64_t *values);

#ifdef __cplusplus
}
#endif

#endif
