/* SPDX-License-Identifier: MIT */
/*
 * The n-body algorithm of Barnes and Hut as Burtscher and Pingali 2011 split it into kernels: build the octree, sum up
 * its cells, sort the bodies by it, and compute forces. The tree is built by one form of synchronisation, each a
 * kernel.
 */
#include "common/atomically.h"
#include "simt_synchronization.h"
#include "tree.h"

/* ---- Building -------------------------------------------------------------------------------------------------- */

/* Where a body is on its way down: cell and its radius. */
typedef struct descent {
    uint32_t body; /* link */
    point at;
    uint32_t cell;
    float radius;
    uint32_t is_placed;
} descent;

/* Where a cell is: down to it. Four words are read. Where nothing is: the body is put there, by one word that is
 * written. Where another body is: the spare cell is put between, with that body in it, and with this one if they part
 * there; three more words are read and fourteen written. */
SIMT_INLINE void take_step(const barnes_hut_args *args, descent *d, uint32_t *spare)
{
    const point centre = centre_of(args, d->cell);
    const uint32_t octant = octant_of(centre, d->at);
    volatile uint32_t *child = &children_of(args, d->cell)[octant];
    const uint32_t link = *child;
    if (is_cell(args, link)) {
        d->cell = cell_of(args, link);
        d->radius *= 0.5f;
    } else if (!link) {
        *child = d->body;
        d->is_placed = 1;
    } else {
        const uint32_t cell = cell_of(args, *spare);
        *child = *spare; /* first: whoever detects conflicts eagerly has it reserved while the cell is written */
        d->radius *= 0.5f;
        const point below = octant_centre(centre, d->radius, octant);
        const uint32_t own = octant_of(below, d->at), others = octant_of(below, body_at(args, link - 1));
        write_cell(args, cell, d->cell, below, (cell_links){own, d->body, others, link});
        d->is_placed = own != others;
        d->cell = cell;
        *spare = 0;
    }
}

SIMT_KERNEL(barnes_hut_tm, const barnes_hut_args *args)
#define ATOMICALLY ATOMICALLY_TM
#include "build.h"
SIMT_NO_ALIAS(barnes_hut_tm);

SIMT_KERNEL(barnes_hut_coarse, const barnes_hut_args *args)
#define ATOMICALLY(section) ATOMICALLY_LOCKED(HD_POINTER(volatile uint32_t, args->lock), section)
#include "build.h"
SIMT_NO_ALIAS(barnes_hut_coarse);

SIMT_KERNEL(barnes_hut_serial, const barnes_hut_args *args)
#define ATOMICALLY ATOMICALLY_ALONE
#include "build.h"
SIMT_NO_ALIAS(barnes_hut_serial);

/* Branches down to the one where the two bodies part. Returns the link to the first. */
SIMT_INLINE uint32_t branch(const barnes_hut_args *args, descent d, uint32_t octant, point centre, uint32_t other)
{
    const point others_place = body_at(args, other - 1);
    uint32_t own = octant, others = octant, first = 0;
    volatile uint32_t *child = 0;
    while (own == others) {
        const uint32_t cell = take_cell(args);
        d.radius *= 0.5f;
        centre = octant_centre(centre, d.radius, own);
        own = octant_of(centre, d.at);
        others = octant_of(centre, others_place);
        write_cell(args, cell, d.cell, centre, (cell_links){own, d.body, others, other});
        if (first)
            *child = link_to_cell(args, cell);
        else
            first = link_to_cell(args, cell);
        child = &children_of(args, cell)[own];
        d.cell = cell;
    }
    return first;
}

/* A lock in the place of the link that is to change: Burtscher and Pingali 2011. */
SIMT_KERNEL(barnes_hut_locks, const barnes_hut_args *args)
{
    for (uint32_t body = simt_global_index(); body < args->bodies; body += simt_global_size()) {
        descent d = {.body = body + 1, .at = body_at(args, body), .cell = 0, .radius = args->radius};
        point centre = centre_of(args, d.cell);
        uint32_t done = 0;
        while (!simt_opaque_spins(done)) {
            const uint32_t octant = octant_of(centre, d.at);
            volatile uint32_t *child = &children_of(args, d.cell)[octant];
            uint32_t link = simt_load_cg(child);
            if (link == BARNES_HUT_LOCKED) {
                continue;
            } else if (is_cell(args, link)) {
                d.cell = cell_of(args, link);
                d.radius *= 0.5f;
                simt_fence(); /* the cell was complete before there was a link to it */
                centre = centre_of(args, d.cell);
            } else if (simt_lock_cas(child, link, BARNES_HUT_LOCKED) == link) {
                link = link ? branch(args, d, octant, centre, link) : d.body;
                simt_fence();
                simt_lock_store(child, link);
                done = 1;
            }
        }
    }
}
SIMT_NO_ALIAS(barnes_hut_locks);

/* ---- Summing up ------------------------------------------------------------------------------------------------ */

SIMT_INLINE uint32_t count_cells_below(const barnes_hut_args *args, uint32_t cell)
{
    uint32_t count = 0;
    for (uint32_t octant = 0; octant < 8; octant++)
        count += is_cell(args, children_of(args, cell)[octant]);
    return count;
}

SIMT_INLINE barnes_hut_summary summary_of(const barnes_hut_args *args, uint32_t link)
{
    if (is_cell(args, link)) {
        const volatile barnes_hut_summary *s =
            &HD_POINTER(const volatile barnes_hut_summary, args->summary)[cell_of(args, link)];
        return (barnes_hut_summary){s->x, s->y, s->z, s->mass, s->bodies};
    }
    const point at = body_at(args, link - 1);
    return (barnes_hut_summary){at.x, at.y, at.z, BODY_FIELD(args, mass, link - 1), 1};
}

SIMT_INLINE void sum_up(const barnes_hut_args *args, uint32_t cell)
{
    barnes_hut_summary sum = {0};
    for (uint32_t octant = 0; octant < 8; octant++) {
        const uint32_t link = children_of(args, cell)[octant];
        if (link) {
            const barnes_hut_summary below = summary_of(args, link);
            sum.x += below.x * below.mass;
            sum.y += below.y * below.mass;
            sum.z += below.z * below.mass;
            sum.mass += below.mass;
            sum.bodies += below.bodies;
        }
    }
    volatile barnes_hut_summary *s = &HD_POINTER(volatile barnes_hut_summary, args->summary)[cell];
    s->x = sum.x / sum.mass;
    s->y = sum.y / sum.mass;
    s->z = sum.z / sum.mass;
    s->mass = sum.mass;
    s->bodies = sum.bodies;
}

/* From each cell below which there are bodies only; who arrives last at the cell above goes on. Nobody waits. */
SIMT_KERNEL(barnes_hut_summarise, const barnes_hut_args *args)
{
    for (uint32_t start = simt_global_index(); start < args->cells; start += simt_global_size()) {
        uint32_t cell = start;
        uint32_t parent = CELL_FIELD(args, uint32_t, parent, cell);
        uint32_t goes_on = (parent || cell == 0) && count_cells_below(args, cell) == 0;
        while (goes_on) {
            sum_up(args, cell);
            goes_on = 0;
            parent = CELL_FIELD(args, uint32_t, parent, cell);
            if (parent) {
                cell = cell_of(args, parent);
                simt_fence();
                const uint32_t before = simt_atomic_add(&CELL_FIELD(args, uint32_t, arrived, cell), 1);
                simt_fence();
                goes_on = before + 1 == count_cells_below(args, cell);
            }
        }
    }
}
SIMT_NO_ALIAS(barnes_hut_summarise);

/* ---- Sorting --------------------------------------------------------------------------------------------------- */

SIMT_INLINE uint32_t bodies_below(const barnes_hut_args *args, uint32_t link)
{
    uint32_t count = link != 0;
    if (is_cell(args, link))
        count = HD_POINTER(const barnes_hut_summary, args->summary)[cell_of(args, link)].bodies;
    return count;
}

/* Of the bodies that come before those below a cell: at each level up, those of the children before it. */
SIMT_INLINE uint32_t count_before(const barnes_hut_args *args, uint32_t cell)
{
    uint32_t count = 0;
    for (uint32_t parent = CELL_FIELD(args, uint32_t, parent, cell); parent;
         parent = CELL_FIELD(args, uint32_t, parent, cell)) {
        const uint32_t own = link_to_cell(args, cell);
        cell = cell_of(args, parent);
        uint32_t is_before = 1;
        for (uint32_t octant = 0; octant < 8; octant++) {
            const uint32_t link = children_of(args, cell)[octant];
            is_before &= link != own;
            count += is_before ? bodies_below(args, link) : 0;
        }
    }
    return count;
}

SIMT_KERNEL(barnes_hut_sort, const barnes_hut_args *args)
{
    uint32_t *sorted = HD_POINTER(uint32_t, args->sorted);
    for (uint32_t cell = simt_global_index(); cell < args->cells; cell += simt_global_size()) {
        if (cell != 0 && !CELL_FIELD(args, uint32_t, parent, cell))
            continue;
        uint32_t place = count_before(args, cell);
        for (uint32_t octant = 0; octant < 8; octant++) {
            const uint32_t link = children_of(args, cell)[octant];
            if (link && !is_cell(args, link))
                sorted[place] = link - 1;
            place += bodies_below(args, link);
        }
    }
}
SIMT_NO_ALIAS(barnes_hut_sort);

/* ---- Forces ---------------------------------------------------------------------------------------------------- */

SIMT_INLINE void attract(point *sum, float dx, float dy, float dz, float square, float mass)
{
    const float inverse = simt_fast_reciprocal_root(square);
    const float pull = mass * inverse * inverse * inverse;
    sum->x += dx * pull;
    sum->y += dy * pull;
    sum->z += dz * pull;
}

/* Through the tree without a stack: behind its last child a cell is left for its parent's next, which its centre tells.
 * */
SIMT_INLINE point acceleration_at(const barnes_hut_args *args, uint32_t body)
{
    const point own = body_at(args, body);
    point sum = {0};
    uint32_t cell = 0, octant = 0, is_over = 0;
    float side = 2 * args->radius;
    while (!is_over) {
        if (octant == 8) {
            const point centre = centre_of(args, cell);
            const uint32_t parent = CELL_FIELD(args, uint32_t, parent, cell);
            is_over = !parent;
            cell = parent ? cell_of(args, parent) : 0;
            octant = octant_of(centre_of(args, cell), centre) + 1;
            side *= 2;
        } else {
            const uint32_t link = children_of(args, cell)[octant];
            octant++;
            if (link && link != body + 1) {
                const barnes_hut_summary there = summary_of(args, link);
                const float dx = there.x - own.x, dy = there.y - own.y, dz = there.z - own.z;
                const float square = dx * dx + dy * dy + dz * dz + args->softening;
                const float side_below = side * 0.5f;
                if (is_cell(args, link) && side_below * side_below >= args->opening * square) {
                    cell = cell_of(args, link);
                    octant = 0;
                    side = side_below;
                } else {
                    attract(&sum, dx, dy, dz, square, there.mass);
                }
            }
        }
    }
    return sum;
}

SIMT_KERNEL(barnes_hut_force, const barnes_hut_args *args)
{
    const uint32_t *sorted = HD_POINTER(const uint32_t, args->sorted);
    float *acceleration = HD_POINTER(float, args->acceleration);
    for (uint32_t i = simt_global_index(); i < args->forces; i += simt_global_size()) {
        const uint32_t body = sorted[i];
        const point a = acceleration_at(args, body);
        acceleration[3 * body] = a.x;
        acceleration[3 * body + 1] = a.y;
        acceleration[3 * body + 2] = a.z;
    }
}
SIMT_NO_ALIAS(barnes_hut_force);

/* ---- The order by signals ------------------------------------------------------------------------------------------- */

/* As barnes_hut_sort, from the root down, as published (Burtscher and Pingali 2011; ElTantawy 2018, Fig. 6.5c): a cell waits until the one above has said
 * where it starts. Cells below have higher numbers, so nobody waits for what comes later. */
SIMT_KERNEL(barnes_hut_sort_signals, const barnes_hut_args *args)
{
    uint32_t *sorted = HD_POINTER(uint32_t, args->sorted);
    volatile uint32_t *start = HD_POINTER(volatile uint32_t, args->start);
    uint32_t cell = simt_global_index();
    while (simt_opaque_spins(cell) < args->cells) {
        uint32_t place = simt_load_cg(&start[cell]);
        const uint32_t is_in_tree = cell == 0 || CELL_FIELD(args, uint32_t, parent, cell);
        if (is_in_tree && place != BARNES_HUT_UNKNOWN) {
            for (uint32_t octant = 0; octant < 8; octant++) {
                const uint32_t link = children_of(args, cell)[octant];
                if (is_cell(args, link))
                    start[cell_of(args, link)] = place;
                else if (link)
                    sorted[place] = link - 1;
                place += bodies_below(args, link);
            }
        }
        if (!is_in_tree || place != BARNES_HUT_UNKNOWN)
            cell += simt_global_size();
    }
}
