/* SPDX-License-Identifier: MIT */
/*
 * What ideal transactional memory is, without time: an array of words, and for each lane the words that it has read, searched from
 * one end to the other.
 */
#ifndef TRANSACTION_MEMORY_RANDOM_MODEL_H
#define TRANSACTION_MEMORY_RANDOM_MODEL_H

#include <stdint.h>

#include "hd_ideal.h"

enum { MODEL_WARPS = 12, MODEL_LANES = 5, MODEL_WORDS = 96 };

typedef struct model {
    uint32_t memory[MODEL_WORDS];
    uint8_t has_read[MODEL_WARPS][MODEL_LANES][MODEL_WORDS];
    uint8_t is_doomed[MODEL_WARPS][MODEL_LANES];
    uint64_t newly[MODEL_WARPS]; /* doomed by the latest commit */
} model;

void model_begin(model *model, uint32_t warp);
void model_read(model *model, uint32_t warp, uint32_t lane, uint32_t word);
/* Lanes that commit, of these; the writes are by lanes. The attempt is over. */
uint64_t model_commit(model *model, uint32_t warp, uint64_t lanes, const hd_ideal_write *writes, uint32_t count);

#endif
