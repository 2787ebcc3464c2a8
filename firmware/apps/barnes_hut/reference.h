/* SPDX-License-Identifier: MIT */
/*
 * What the tree must be. A cell holds two bodies or more, and nothing else decides the tree: whatever the order of
 * insertions, it is the one that comes of dividing the bodies by octants.
 */
#ifndef BARNES_HUT_REFERENCE_H
#define BARNES_HUT_REFERENCE_H

#include "bodies.h"

typedef struct cell_box {
    float x, y, z, radius;
} cell_box;

typedef struct reference {
    const bodies *bodies;
    uint32_t *order; /* [bodies]: by octants, at every level */
    uint32_t *other; /* [bodies]: room to divide */
    uint32_t cells;
    uint32_t depth; /* levels of cells */
} reference;

static inline cell_box reference_octant(const cell_box *cell, uint32_t octant)
{
    const float half = cell->radius * 0.5f;
    return (cell_box){barnes_hut_octant_centre(cell->x, half, octant, 0),
                      barnes_hut_octant_centre(cell->y, half, octant, 1),
                      barnes_hut_octant_centre(cell->z, half, octant, 2), half};
}

/* Puts the bodies from first on into the order of their octants; those of octant i begin at begin[i]. */
static inline void reference_divide(reference *r, const cell_box *cell, uint32_t first, uint32_t count,
                                    uint32_t begin[9])
{
    uint32_t size[9] = {0}, place[8];
    const bodies *b = r->bodies;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = first; i < first + count; i++) {
            const uint32_t body = r->order[i];
            const uint32_t octant = barnes_hut_octant(cell->x, cell->y, cell->z, b->x[body], b->y[body], b->z[body]);
            if (pass)
                r->other[place[octant]++] = body;
            else
                size[octant + 1]++;
        }
        begin[0] = first;
        for (uint32_t octant = 0; octant < 8 && !pass; octant++) {
            place[octant] = begin[octant];
            begin[octant + 1] = begin[octant] + size[octant + 1];
        }
    }
    memcpy(&r->order[first], &r->other[first], count * sizeof *r->order);
}

static inline void reference_add_cells(reference *r, const cell_box *cell, uint32_t first, uint32_t count,
                                       uint32_t level)
{
    uint32_t begin[9];
    hd_check(level < 200, "bodies %u and %u are at one place", r->order[first], r->order[first + 1]);
    r->cells++;
    r->depth = level > r->depth ? level : r->depth;
    reference_divide(r, cell, first, count, begin);
    for (uint32_t octant = 0; octant < 8; octant++) {
        const cell_box below = reference_octant(cell, octant);
        if (begin[octant + 1] - begin[octant] >= 2)
            reference_add_cells(r, &below, begin[octant], begin[octant + 1] - begin[octant], level + 1);
    }
}

static inline reference reference_tree(const bodies *b)
{
    reference r = {.bodies = b};
    const cell_box root = {.radius = BODIES_RADIUS};
    r.order = hd_host_alloc(b->count * sizeof *r.order);
    r.other = hd_host_alloc(b->count * sizeof *r.other);
    for (uint32_t i = 0; i < b->count; i++)
        r.order[i] = i;
    reference_add_cells(&r, &root, 0, b->count, 1);
    return r;
}

#endif
