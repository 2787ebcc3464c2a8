/* SPDX-License-Identifier: MIT */
/*
 * "heddle.profile/1", offered by blocks that run programs: counts by place in the program.
 */
#ifndef HD_PROFILE_H
#define HD_PROFILE_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HD_EXTENSION_PROFILE "heddle.profile/1"

/* Row i is of the word at first_pc + 4 * i of this module (hd_programs); row `words` of what has no place in it. */
typedef struct hd_profile_table {
    uint64_t *counts; /* [words + 1][column_count], all 0 */
    uint32_t module;
    uint32_t first_pc;
    uint32_t words;
    uint32_t reserved;
    void *context;
    /* So many lanes at this row have given way to what was done at that one, `words` = not known: transactions. NULL: nobody
     * asks. */
    void (*conflict)(void *context, uint32_t row, uint32_t winner, uint64_t lanes);
} hd_profile_table;

/* The columns are declared as statistics are, and all of them are counts. A column with the name of one of the block's
 * statistics adds up to it, over all rows and since `begin`. */
typedef struct hd_profile {
    const hd_statistic *columns;
    uint32_t column_count;
    uint32_t reserved;
    /* The block counts into this table until it is reset or destroyed. After reset, before anything is launched. `counts` of
     * the table is the block's until then, to be read after a call of the class's `counters`. */
    void (*begin)(hd_block *block, const hd_profile_table *table);
} hd_profile;

#ifdef __cplusplus
}
#endif

#endif
