/* SPDX-License-Identifier: MIT */
/* The first phase: each element of A times a row of B becomes a node of a row of C. */
#ifndef SPGEMM_MULTIPLY_H
#define SPGEMM_MULTIPLY_H

#include "args.h"
#include "simt.h"

/* What one thread takes for its block: columns of A, and where the nodes of their elements begin. */
typedef struct share {
    uint32_t column, end;
    uint32_t nodes;
} share;

/* Words of the nodes that a column makes: one for each of its elements, each as long as the row of B. */
static uint32_t words_of_column(const spgemm_outer_args *args, uint32_t column)
{
    const uint32_t *a_first = HD_POINTER(const uint32_t, args->a_first);
    const uint32_t *b_first = HD_POINTER(const uint32_t, args->b_first);
    const uint32_t length = b_first[column + 1] - b_first[column];
    return length ? (a_first[column + 1] - a_first[column]) * NODE_WORDS(length) : 0;
}

static share share_of(const spgemm_outer_args *args, uint32_t column)
{
    share taken = {column, simt_min(column + args->columns, args->inner), 0};
    uint32_t words = 0;
    for (; column < taken.end; column++)
        words += words_of_column(args, column);
    if (words)
        taken.nodes = simt_atomic_add(&HD_POINTER(uint32_t, args->counters)[COUNTER_TOP], words);
    return taken;
}

/* One element of A times a row of B. Threads that have elements of one column read the same of B. */
static void make_node(const spgemm_outer_args *args, uint32_t node, uint32_t element, uint32_t begin, uint32_t length)
{
    const uint32_t *columns = HD_POINTER(const uint32_t, args->b_columns) + begin;
    const float *values = HD_POINTER(const float, args->b_values) + begin;
    uint32_t *words = HD_POINTER(uint32_t, args->heap) + node;
    const float a = HD_POINTER(const float, args->a_values)[element];
    const uint32_t row = HD_POINTER(const uint32_t, args->a_rows)[element];
    words[NODE_LENGTH] = length;
#pragma GCC unroll 1
    for (uint32_t i = 0; i < length; i++) {
        uint32_t *pair = words + NODE_PAIRS + PAIR_WORDS * i;
        pair[PAIR_COLUMN] = columns[i];
        ((float *)pair)[PAIR_VALUE] = a * values[i];
    }
    /* Nobody follows a list before this phase has ended: the link may come behind. */
    words[NODE_NEXT] = simt_atomic_swap(&HD_POINTER(uint32_t, args->lists)[row], node);
}

/* The elements of a thread come in ascending order: `at` goes on to the column of this one. */
static void multiply_element(const spgemm_outer_args *args, share *at, uint32_t element)
{
    const uint32_t *a_first = HD_POINTER(const uint32_t, args->a_first);
    const uint32_t *b_first = HD_POINTER(const uint32_t, args->b_first);
    for (; a_first[at->column + 1] <= element; at->column++)
        at->nodes += words_of_column(args, at->column);
    const uint32_t begin = b_first[at->column], length = b_first[at->column + 1] - begin;
    if (length)
        make_node(args, at->nodes + (element - a_first[at->column]) * NODE_WORDS(length), element, begin, length);
}

#endif
