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
    uint32_t tiles, side, pitch;
    int32_t step; /* to the next row or column: 1 or -1 */
} matrix;

SIMT_INLINE void fill_tile(const matrix *m, uint32_t first_row, uint32_t first_column)
{
    const int32_t step = m->step, row_step = step * (int32_t)m->pitch;
    for (uint32_t i = 0; i < m->side; i++) {
        const uint32_t row = first_row + (uint32_t)step * i;
        for (uint32_t j = 0; j < m->side; j++) {
            const uint32_t column = first_column + (uint32_t)step * j;
            volatile int32_t *cell = m->scores + row * m->pitch + column;
            const int32_t match = m->match[(row - 1) * (m->pitch - 2) + column - 1];
            *cell = needleman_score(cell[-row_step - step] + match, cell[-row_step], cell[-step]);
        }
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
                      .pitch = args->tiles * args->side + 2,
                      .step = step};
    const uint32_t border = step > 0 ? 0 : m.tiles - 1, inside = step > 0 ? 1 : m.side;
    for (uint32_t i = simt_global_index(); i < m.tiles * m.tiles; i += simt_global_size()) {
        const uint32_t row = order[i] >> 16, column = order[i] & 0xFFFF;
        uint32_t done = 0;
        while (!simt_opaque_spins(done)) {
            if (is_there(&m, row == border, row - (uint32_t)step, column) &&
                is_there(&m, column == border, row, column - (uint32_t)step)) {
                simt_fence();
                fill_tile(&m, row * m.side + inside, column * m.side + inside);
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
