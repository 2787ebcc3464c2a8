/* SPDX-License-Identifier: MIT */
#include "sparse.h"

static sparse made;
static uint32_t state;

uint32_t sparse_random(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

/* Gaps between columns are uniform around the mean, so that a row costs as many steps as it has entries. */
static uint32_t fill_row(uint32_t entries, uint32_t of_million)
{
    const uint32_t gap = 2000000u / of_million;
    uint64_t column = sparse_random() % gap;
    while (column < made.rows && entries < SPARSE_ENTRIES) {
        made.offset[entries] = 4 * (uint32_t)column;
        made.weight[entries++] = 1 + sparse_random() % 255;
        column += 1 + sparse_random() % (gap > 1 ? gap - 1 : 1);
    }
    return entries;
}

sparse *sparse_make(uint32_t rows, uint32_t of_million, uint32_t seed)
{
    uint32_t entries = 0;
    state = seed ? seed : 1;
    made.rows = rows < SPARSE_ROWS ? rows : SPARSE_ROWS;
    for (uint32_t row = 0; row < made.rows; row++) {
        made.begin[row] = entries;
        entries = fill_row(entries, of_million);
    }
    made.begin[made.rows] = entries;
    return &made;
}
