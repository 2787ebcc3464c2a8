/* SPDX-License-Identifier: MIT */
/*
 * "heddle.profile/1", offered by blocks that run programs: counts by program location.
 */
#ifndef HD_PROFILE_H
#define HD_PROFILE_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HD_EXTENSION_PROFILE "heddle.profile/1"

/* A program besides the first: row first_row + i is for its word at first_pc + 4 * i. */
typedef struct hd_profile_program {
    uint32_t module;
    uint32_t first_pc;
    uint32_t words;
    uint32_t first_row;
} hd_profile_program;

/* Row i is for the word at first_pc + 4 * i of this module (hd_programs), row `words` for everything without a location; rows
 * behind it are those of further programs. */
typedef struct hd_profile_table {
    uint64_t *counts; /* [words + 1 and those of further programs][column_count], all 0 */
    uint32_t module;
    uint32_t first_pc;
    uint32_t words;
    uint32_t more_count; /* further programs; usually 0 */
    void *context;
    /* Transactions: `lanes` lanes have aborted at `row` because of an access made at row `winner` (`words` = not known).
     * NULL: not recorded. */
    void (*conflict)(void *context, uint32_t row, uint32_t winner, uint64_t lanes);
    const hd_profile_program *more; /* more_count of them; they live as long as the counts */
} hd_profile_table;

/* Columns are declared like statistics; all are of kind COUNT. A column with the name of one of the block's statistics
 * adds up to what that counts from then on, over all rows. */
typedef struct hd_profile {
    const hd_statistic *columns;
    uint32_t column_count;
    uint32_t reserved;
    /* From now on, until it is reset or destroyed, the block counts into this table and owns its `counts`. Called once after
     * reset, when the block has just answered `counters`. The counts may be read after another call of that. */
    void (*begin)(hd_block *block, const hd_profile_table *table);
} hd_profile;

#ifdef __cplusplus
}
#endif

#endif
