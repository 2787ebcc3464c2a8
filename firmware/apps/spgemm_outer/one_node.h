/* SPDX-License-Identifier: MIT */
/* Products whose rows have one node each, in a heap with room for as many pairs of each row as are said of it. */
#ifndef SPGEMM_ONE_NODE_H
#define SPGEMM_ONE_NODE_H

#include "reference.h"

typedef struct one_node {
    hd_device_ptr lists, heap;
    uint32_t top; /* when all rows are there */
} one_node;

typedef uint32_t one_node_most(const factors *f, uint32_t row);

static inline one_node one_node_new(const factors *f, one_node_most *most)
{
    uint64_t words = HEAP_BEGIN;
    for (uint32_t row = 0; row < f->a.lines; row++) {
        const uint64_t pairs = most(f, row);
        words += pairs ? NODE_WORDS(pairs) : 0;
    }
    hd_check(words <= 4 * (uint64_t)PRODUCTS_MAX, "the product may have %llu words; it must be at most %u",
             (unsigned long long)words, 4 * PRODUCTS_MAX);
    const one_node c = {.lists = host_filled(0, f->a.lines * sizeof(uint32_t)),
                        .heap = host_poisoned(words * sizeof(uint32_t)),
                        .top = (uint32_t)words};
    return c;
}

static inline uint32_t one_node_check(const one_node *c, const factors *f, uint32_t is_ordered)
{
    const list_rules rules = {"product", 1, is_ordered, HEAP_BEGIN, c->top};
    return check_device_lists(c->lists, c->heap, f, &rules);
}

#endif
