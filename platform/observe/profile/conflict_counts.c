/* SPDX-License-Identifier: MIT */
#include "conflict_counts.h"

#include <stdlib.h>

void conflict_counts_create(conflict_counts *counts, uint32_t rows)
{
    *counts = (conflict_counts){.first = calloc(rows, sizeof *counts->first)};
    if (!counts->first)
        abort();
}

void conflict_counts_destroy(conflict_counts *counts)
{
    free(counts->first);
    free(counts->pairs);
    *counts = (conflict_counts){0};
}

static void grow(conflict_counts *counts)
{
    counts->capacity = counts->capacity ? 2 * counts->capacity : 16;
    counts->pairs = realloc(counts->pairs, counts->capacity * sizeof *counts->pairs);
    if (!counts->pairs)
        abort();
}

void conflict_counts_add(conflict_counts *counts, uint32_t row, uint32_t winner, uint64_t lanes)
{
    for (uint32_t at = counts->first[row]; at; at = counts->pairs[at - 1].next)
        if (counts->pairs[at - 1].winner == winner) {
            counts->pairs[at - 1].lanes += lanes;
            return;
        }
    if (counts->count == counts->capacity)
        grow(counts);
    counts->pairs[counts->count++] =
        (conflict_pair){.row = row, .winner = winner, .lanes = lanes, .next = counts->first[row]};
    counts->first[row] = counts->count;
}

static int by_place(const void *a, const void *b)
{
    const conflict_pair *one = a, *other = b;
    if (one->row != other->row)
        return one->row < other->row ? -1 : 1;
    return (one->winner > other->winner) - (one->winner < other->winner);
}

void conflict_counts_sort(conflict_counts *counts)
{
    if (counts->count)
        qsort(counts->pairs, counts->count, sizeof *counts->pairs, by_place);
}
