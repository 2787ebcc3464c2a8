/* SPDX-License-Identifier: MIT */
/* Which place in the program had to give way to which, and how often (hd_profile_table.conflict). */
#ifndef HD_CONFLICT_COUNTS_H
#define HD_CONFLICT_COUNTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct conflict_pair {
    uint64_t lanes;
    uint32_t row;
    uint32_t winner;
    uint32_t next; /* of the row: 1 + index, 0 = none */
    uint32_t reserved;
} conflict_pair;

typedef struct conflict_counts {
    uint32_t *first; /* [row]: 1 + index in pairs, 0 = none */
    conflict_pair *pairs;
    uint32_t count, capacity;
} conflict_counts;

/* rows: with the one for what is not known. */
void conflict_counts_create(conflict_counts *counts, uint32_t rows);
void conflict_counts_destroy(conflict_counts *counts);
void conflict_counts_add(conflict_counts *counts, uint32_t row, uint32_t winner, uint64_t lanes);
/* Pairs by row, then by winner; chains are lost. */
void conflict_counts_sort(conflict_counts *counts);

#ifdef __cplusplus
}
#endif

#endif
