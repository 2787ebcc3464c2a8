/* SPDX-License-Identifier: MIT */
/* A sparse matrix, or a graph, in rows: random columns, each once in a row, ascending. */
#ifndef HEDDLE_SPARSE_H
#define HEDDLE_SPARSE_H

#include <stdint.h>

#define SPARSE_ROWS (1u << 20)
#define SPARSE_ENTRIES (1u << 20)

typedef struct sparse {
    uint32_t rows;
    uint32_t begin[SPARSE_ROWS + 1];
    uint32_t offset[SPARSE_ENTRIES]; /* of the column: 4 times its number */
    uint32_t weight[SPARSE_ENTRIES]; /* 1 to 255 */
} sparse;

/* With so many entries of a million in each row on average. */
sparse *sparse_make(uint32_t rows, uint32_t of_million, uint32_t seed);
uint32_t sparse_random(void);

#endif
