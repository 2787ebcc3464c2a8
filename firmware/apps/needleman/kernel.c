/* SPDX-License-Identifier: MIT */
/*
 * Needleman and Wunsch by a wave of tiles: a thread waits until the two neighbours of its tile are there, in a loop of up to four
 * compares, and raises the flag of its own (ElTantawy 2018 §6.4, NW1 and NW2). The flag is raised inside of the loop: lanes that have
 * left it wait for the others of their warp.
 */
#include "args.h"
#include "simt_spin.h"

typedef struct matrix {
    volatile int32_t *scores;
    const int32_t *match;
    volatile uint32_t *flags;
    uint32_t tiles, side;
    int32_t step; /* to the next row or column: 1 or -1 */
} matrix;

/* From its first cell on, row by row; places are worked out from the arguments, and take no registers outside. */
SIMT_INLINE void fill_tile(const matrix *m, uint32_t row, uint32_t column)
{
    const int32_t step = m->step;
    const uint32_t inside = step > 0 ? 1 : m->side, pitch = m->tiles * m->side + 2;
    volatile int32_t *cell = m->scores + (row * m->side + inside) * pitch + column * m->side + inside;
    const int32_t *match = m->match + (row * m->side + inside - 1) * (pitch - 2) + column * m->side + inside - 1;
    for (uint32_t i = m->side; simt_opaque(i); i--) {
        for (uint32_t j = m->side; simt_opaque(j); j--) {
            const volatile int32_t *above = cell - step * (int32_t)pitch;
            *cell = needleman_score(above[-step] + *match, *above, cell[-step]);
            cell += step;
            match += step;
        }
        cell += step * (int32_t)(pitch - m->side);
        match += step * (int32_t)(pitch - 2 - m->side);
    }
}

SIMT_INLINE uint32_t is_there(const matrix *m, uint32_t is_border, uint32_t row, uint32_t column)
{
    return is_border || simt_load_cg(&m->flags[row * m->tiles + column]);
}

SIMT_INLINE void fill(const needleman_args *args, int32_t step)
{
    const uint32_t *order = HD_POINTER(const uint32_t, args->order);
    const matrix m = {.scores = HD_POINTER(volatile int32_t, args->scores),
                      .match = HD_POINTER(const int32_t, args->match),
                      .flags = HD_POINTER(volatile uint32_t, args->flags),
                      .tiles = args->tiles,
                      .side = args->side,
                      .step = step};
    const uint32_t border = step > 0 ? 0 : m.tiles - 1;
    for (uint32_t i = simt_global_index(); i < m.tiles * m.tiles; i += simt_global_size()) {
        const uint32_t row = order[i] >> 16, column = order[i] & 0xFFFF;
        uint32_t done = 0;
        while (!simt_opaque_spins(done)) {
            if (is_there(&m, row == border, row - (uint32_t)step, column) &&
                is_there(&m, column == border, row, column - (uint32_t)step)) {
                simt_fence();
                fill_tile(&m, row, column);
                simt_fence();
                m.flags[row * m.tiles + column] = 1;
                done = 1;
            }
        }
    }
}

SIMT_KERNEL(needleman_forwards, const needleman_args *args)
{
    fill(args, 1);
}

SIMT_KERNEL(needleman_backwards, const needleman_args *args)
{
    fill(args, -1);
}
