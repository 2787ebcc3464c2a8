/* SPDX-License-Identifier: MIT */
/*
 * Square matrices that are drawn, with as many elements as is said. Values are whole numbers from 1 to 8 or their negatives, so that sums
 * of products are exact, in every order, as long as they stay below 2^24.
 *
 *     uniform    every place is as likely
 *     rmat       edges of common/rmat.h: few rows and columns have most elements
 *     banded     places at most `band` columns from the diagonal
 *     power_law  rows and columns by numbers of elements that fall as a power of their rank, and neither knows of the other
 *     diagonal   the diagonal alone, whatever number of elements is said
 */
#ifndef COMMON_SPARSE_DRAW_H
#define COMMON_SPARSE_DRAW_H

#include "common/rmat.h"
#include "common/sparse.h"

enum sparse_kind { SPARSE_UNIFORM, SPARSE_RMAT, SPARSE_BANDED, SPARSE_POWER_LAW, SPARSE_DIAGONAL };
#define SPARSE_KIND_NAMES "uniform", "rmat", "banded", "power_law", "diagonal"
#define SPARSE_TRIES 64u /* draws for an element, on average, before it is given up */

typedef struct sparse_shape {
    enum sparse_kind kind;
    uint32_t size, elements;
    uint32_t band; /* SPARSE_BANDED */
} sparse_shape;

typedef struct place {
    uint32_t row, column;
} place;

/* The product of two uniform numbers: what falls below x has the probability of its square root's rise there, and so 1/sqrt(rank). */
static inline uint32_t draw_by_rank(uint64_t *random, uint32_t size)
{
    const uint64_t part = hd_random(random) >> 32;
    return (uint32_t)((part * part >> 32) * size >> 32);
}

/* Its place may lie outside of the matrix. */
static inline place draw_place(const sparse_shape *shape, uint64_t *random)
{
    place p = {0, 0};
    uint32_t scale = 0;
    switch (shape->kind) {
    case SPARSE_RMAT:
        while (1u << scale < shape->size)
            scale++;
        graph_draw_edge(GRAPH_SKEWED, scale, random, &p.row, &p.column);
        break;
    case SPARSE_BANDED:
        p.row = host_random_below(random, shape->size);
        p.column = p.row + host_random_below(random, 2 * shape->band + 1) - shape->band; /* wraps below 0 */
        break;
    case SPARSE_POWER_LAW:
        p.row = draw_by_rank(random, shape->size);
        p.column = draw_by_rank(random, shape->size);
        break;
    default: p.row = host_random_below(random, shape->size); p.column = host_random_below(random, shape->size);
    }
    return p;
}

static inline float draw_value(uint64_t *random)
{
    const uint32_t drawn = host_random_below(random, 16);
    return drawn < 8 ? (float)drawn - 8 : (float)drawn - 7;
}

/* Places that have been drawn: open addressing; a slot is a place and 1. */
typedef struct place_set {
    uint64_t *slots;
    uint32_t mask;
} place_set;

static inline uint32_t place_is_new(place_set *set, place p)
{
    const uint64_t key = ((uint64_t)p.row << 32 | p.column) + 1;
    uint64_t state = key;
    uint32_t at = (uint32_t)hd_random(&state) & set->mask;
    while (set->slots[at] && set->slots[at] != key)
        at = (at + 1) & set->mask;
    const uint32_t is_new = !set->slots[at];
    set->slots[at] = key;
    return is_new;
}

static inline void draw_elements(const sparse_shape *shape, uint64_t *random, sparse_elements *e)
{
    place_set set = {.mask = 1};
    while (set.mask < 2 * shape->elements)
        set.mask = set.mask << 1 | 1;
    set.slots = hd_host_alloc(((size_t)set.mask + 1) * sizeof *set.slots);
    for (uint64_t tries = 0; e->count < shape->elements; tries++) {
        hd_check(tries < (uint64_t)SPARSE_TRIES * (shape->elements + 16),
                 "%u elements of this kind are too many for a matrix of size %u: after %llu draws there are %u",
                 shape->elements, shape->size, (unsigned long long)tries, e->count);
        const place p = draw_place(shape, random);
        if (p.row < shape->size && p.column < shape->size && place_is_new(&set, p))
            sparse_elements_put(e, p.row, p.column, draw_value(random));
    }
    hd_host_free(set.slots);
}

static inline sparse sparse_drawn(const sparse_shape *shape, uint64_t *random)
{
    const uint32_t room = shape->kind == SPARSE_DIAGONAL ? shape->size : shape->elements;
    sparse_elements e = sparse_elements_new(shape->size, shape->size, room);
    if (shape->kind == SPARSE_DIAGONAL)
        for (uint32_t i = 0; i < shape->size; i++)
            sparse_elements_put(&e, i, i, draw_value(random));
    else
        draw_elements(shape, random, &e);
    const sparse m = sparse_of(&e);
    sparse_elements_free(&e);
    return m;
}

#endif
