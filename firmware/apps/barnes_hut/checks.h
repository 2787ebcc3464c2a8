/* SPDX-License-Identifier: MIT */
/* The tree is the reference, cell by cell; sums to the bit; and accelerations are those of a direct sum, as near as the
 * angle allows. */
#ifndef BARNES_HUT_CHECKS_H
#define BARNES_HUT_CHECKS_H

#include "memory.h"

typedef struct tree_check {
    reference *reference;
    device_tree tree;
    uint8_t *seen;                     /* [tree.cells] */
    const barnes_hut_summary *summary; /* NULL: not yet */
} tree_check;

static inline void check_link(const tree_check *c, uint32_t cell, uint32_t octant, uint32_t first, uint32_t count)
{
    const uint32_t link = memory_link(&c->tree, cell, octant), bodies = c->reference->bodies->count;
    if (count == 0)
        hd_check(link == 0, "cell %u, octant %u: the link is %u, expected none", cell, octant, link);
    if (count == 1)
        hd_check(link == c->reference->order[first] + 1, "cell %u, octant %u: the link is %u, expected body %u", cell,
                 octant, link, c->reference->order[first]);
    if (count >= 2)
        hd_check(link > bodies && link - bodies - 1 < c->tree.cells && !c->seen[link - bodies - 1],
                 "cell %u, octant %u: the link is %u, expected a cell of its own for %u bodies", cell, octant, link,
                 count);
}

static inline void check_cell_fields(const tree_check *c, uint32_t cell, const cell_box *box, uint32_t parent)
{
    host_check_word("cell.x", cell, memory_cell_word(&c->tree, cell, CELL_X), host_bits_of(box->x));
    host_check_word("cell.y", cell, memory_cell_word(&c->tree, cell, CELL_Y), host_bits_of(box->y));
    host_check_word("cell.z", cell, memory_cell_word(&c->tree, cell, CELL_Z), host_bits_of(box->z));
    host_check_word("cell.parent", cell, memory_cell_word(&c->tree, cell, CELL_PARENT), parent);
}

static inline void check_summary(const tree_check *c, uint32_t cell, const barnes_hut_summary *expected)
{
    const barnes_hut_summary *got = &c->summary[cell];
    host_check_word("summary.bodies", cell, got->bodies, expected->bodies);
    host_check_float("summary.mass", cell, got->mass, expected->mass);
    host_check_float("summary.x", cell, got->x, expected->x);
    host_check_float("summary.y", cell, got->y, expected->y);
    host_check_float("summary.z", cell, got->z, expected->z);
}

static inline void add_to_summary(barnes_hut_summary *sum, const barnes_hut_summary *below)
{
    sum->x += below->x * below->mass;
    sum->y += below->y * below->mass;
    sum->z += below->z * below->mass;
    sum->mass += below->mass;
    sum->bodies += below->bodies;
}

/* Of the bodies from first on, which are below this cell. */
static inline barnes_hut_summary check_cell(const tree_check *c, uint32_t cell, const cell_box *box, uint32_t parent,
                                            uint32_t first, uint32_t count)
{
    uint32_t begin[9];
    const bodies *b = c->reference->bodies;
    barnes_hut_summary sum = {0};
    c->seen[cell] = 1;
    check_cell_fields(c, cell, box, parent);
    reference_divide(c->reference, box, first, count, begin);
    for (uint32_t octant = 0; octant < 8; octant++) {
        const uint32_t below = begin[octant + 1] - begin[octant], body = c->reference->order[begin[octant] % b->count];
        const uint32_t link = memory_link(&c->tree, cell, octant);
        const cell_box box_below = reference_octant(box, octant);
        barnes_hut_summary part = {b->x[body], b->y[body], b->z[body], b->mass, 1};
        check_link(c, cell, octant, begin[octant], below);
        if (below >= 2)
            part = check_cell(c, link - b->count - 1, &box_below, b->count + 1 + cell, begin[octant], below);
        if (below >= 1)
            add_to_summary(&sum, &part);
    }
    sum.x /= sum.mass;
    sum.y /= sum.mass;
    sum.z /= sum.mass;
    if (c->summary)
        check_summary(c, cell, &sum);
    return sum;
}

/* With the sums, if there are any yet. */
static inline void check_tree(reference *r, const barnes_hut_args *args, const barnes_hut_summary *summary)
{
    const cell_box root = {.radius = BODIES_RADIUS};
    const tree_check check = {
        .reference = r, .tree = memory_read_cells(args), .seen = hd_host_alloc(args->cells), .summary = summary};
    check_cell(&check, 0, &root, 0, 0, r->bodies->count);
    hd_host_free(check.seen);
}

static inline void check_sorted(const reference *r, const uint32_t *sorted)
{
    for (uint32_t i = 0; i < r->bodies->count; i++)
        host_check_word("sorted", i, sorted[i], r->order[i]);
}

static inline void sum_directly(const bodies *b, uint32_t body, double softening, double sum[3])
{
    for (uint32_t i = 0; i < b->count; i++) {
        const double x = (double)b->x[i] - b->x[body], y = (double)b->y[i] - b->y[body],
                     z = (double)b->z[i] - b->z[body];
        const double square = x * x + y * y + z * z + softening;
        const double pull = i == body ? 0 : b->mass / (square * bodies_square_root(square));
        sum[0] += x * pull;
        sum[1] += y * pull;
        sum[2] += z * pull;
    }
}

/* The mean error of all, by the mean acceleration (squares): a tenth of the square of the angle, and what floats cost.
 * In millionths. */
static inline uint64_t check_accelerations(const bodies *b, const barnes_hut_args *args, const uint32_t *sorted,
                                           const float *acceleration, float angle)
{
    double errors = 0, all = 0;
    for (uint32_t i = 0; i < args->forces; i++) {
        double sum[3] = {0};
        sum_directly(b, sorted[i], args->softening, sum);
        for (uint32_t axis = 0; axis < 3; axis++) {
            const double error = acceleration[3 * sorted[i] + axis] - sum[axis];
            errors += error * error;
            all += sum[axis] * sum[axis];
        }
    }
    const double allowed = 0.1 * angle * angle + 1e-4;
    hd_check(errors <= allowed * allowed * all,
             "accelerations differ from those of a direct sum by more than %llu millionths",
             (unsigned long long)(allowed * 1e6));
    return errors > 0 ? (uint64_t)(bodies_square_root(errors / all) * 1e6) : 0;
}

#endif
