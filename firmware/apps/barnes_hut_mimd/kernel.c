/* SPDX-License-Identifier: MIT */
/*
 * Steps of Barnes and Hut in MIMD style (TB, SM and ST of ElTantawy 2018, Table 3.1), beside those of barnes_hut: a thread waits in a loop
 * of its own, and lets others go on behind it.
 */
#include "barnes_hut/kernel.c"

/* A link that no cell is at, and that is now locked: down from the cell where the body is, which stays the one that the link is in. */
SIMT_INLINE uint32_t lock_link(const barnes_hut_args *args, descent *d, point *centre, uint32_t *octant)
{
    for (;;) {
        *octant = octant_of(*centre, d->at);
        volatile uint32_t *child = &children_of(args, d->cell)[*octant];
        const uint32_t link = simt_load_cg(child);
        if (link == BARNES_HUT_LOCKED) {
            simt_spins();
        } else if (is_cell(args, link)) {
            d->cell = cell_of(args, link);
            d->radius *= 0.5f;
            simt_fence(); /* the cell was complete before there was a link to it */
            *centre = centre_of(args, d->cell);
        } else if (simt_lock_cas(child, link, BARNES_HUT_LOCKED) == link) {
            return link;
        }
    }
}

SIMT_KERNEL(barnes_hut_locks_mimd, const barnes_hut_args *args)
{
    for (uint32_t body = simt_global_index(); body < args->bodies; body += simt_global_size()) {
        descent d = {.body = body + 1, .at = body_at(args, body), .cell = 0, .radius = args->radius};
        point centre = centre_of(args, d.cell);
        uint32_t octant;
        const uint32_t link = lock_link(args, &d, &centre, &octant);
        const uint32_t own = link ? branch(args, d, octant, centre, link) : d.body;
        simt_fence();
        simt_lock_store(&children_of(args, d.cell)[octant], own);
    }
}
SIMT_NO_ALIAS(barnes_hut_locks_mimd);

SIMT_INLINE uint32_t is_in_tree(const barnes_hut_args *args, uint32_t cell)
{
    return cell == 0 || CELL_FIELD(args, uint32_t, parent, cell);
}

/* From the last cell to the root: each waits until those right below it, which have higher numbers, are summed up. */
SIMT_KERNEL(barnes_hut_summarise_mimd, const barnes_hut_args *args)
{
    for (uint32_t above = simt_global_index(); above < args->cells; above += simt_global_size()) {
        const uint32_t cell = args->cells - 1 - above;
        if (!is_in_tree(args, cell))
            continue;
        for (uint32_t octant = 0; octant < 8; octant++) {
            const uint32_t link = children_of(args, cell)[octant];
            if (is_cell(args, link))
                while (!simt_load_cg(&CELL_FIELD(args, uint32_t, arrived, cell_of(args, link))))
                    simt_spins();
        }
        simt_fence();
        sum_up(args, cell);
        simt_fence();
        CELL_FIELD(args, uint32_t, arrived, cell) = 1;
    }
}
SIMT_NO_ALIAS(barnes_hut_summarise_mimd);

/* From the root down: each cell waits until the one above has said where it starts. */
SIMT_KERNEL(barnes_hut_sort_mimd, const barnes_hut_args *args)
{
    uint32_t *sorted = HD_POINTER(uint32_t, args->sorted);
    volatile uint32_t *start = HD_POINTER(volatile uint32_t, args->start);
    for (uint32_t cell = simt_global_index(); cell < args->cells; cell += simt_global_size()) {
        if (!is_in_tree(args, cell))
            continue;
        uint32_t place;
        while ((place = simt_load_cg(&start[cell])) == BARNES_HUT_UNKNOWN)
            simt_spins();
        for (uint32_t octant = 0; octant < 8; octant++) {
            const uint32_t link = children_of(args, cell)[octant];
            if (is_cell(args, link))
                start[cell_of(args, link)] = place;
            else if (link)
                sorted[place] = link - 1;
            place += bodies_below(args, link);
        }
    }
}
SIMT_NO_ALIAS(barnes_hut_sort_mimd);
