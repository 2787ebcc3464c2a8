/* SPDX-License-Identifier: MIT */
/* Random edges by their quadrants: R-MAT (Chakrabarti, Zhan, Faloutsos 2004) with the probabilities of Graph 500, or all as likely. */
#ifndef COMMON_RMAT_H
#define COMMON_RMAT_H

#include "common/host_check.h"

enum graph_kind { GRAPH_SKEWED, GRAPH_UNIFORM };

/* One edge: at each of `scale` levels one quadrant of the adjacency matrix, A, B, C or D. */
static inline void graph_draw_edge(enum graph_kind kind, uint32_t scale, uint64_t *random, uint32_t *from, uint32_t *to)
{
    static const struct {
        uint32_t b, c, d; /* where each begins, in 100 */
    } quadrants[] = {[GRAPH_SKEWED] = {57, 76, 95}, [GRAPH_UNIFORM] = {25, 50, 75}};
    *from = 0;
    *to = 0;
    for (uint32_t bit = 0; bit < scale; bit++) {
        uint32_t percent = host_random_below(random, 100);
        *from = *from << 1 | (percent >= quadrants[kind].c);
        *to =
            *to << 1 | (percent >= quadrants[kind].d || (percent >= quadrants[kind].b && percent < quadrants[kind].c));
    }
}

#endif
