/* SPDX-License-Identifier: MIT */
/* Points of post-dominance, and what lies between two of them. */
#ifndef ISA_SSDE_POINTS_H
#define ISA_SSDE_POINTS_H

#include "deadlock_graph.h"

/* The nearest node that all paths from both to the return cross, which may be one of the two; graph->count: the return. */
uint32_t ssde_common(const deadlock_graph *graph, uint32_t a, uint32_t b);

/* Sets of nodes, of which one at a time is filled. */
typedef struct ssde_region {
    const deadlock_graph *graph;
    uint8_t *has;   /* [graph->count] */
    uint32_t *node; /* [graph->count]: those that it has */
    uint32_t size;
} ssde_region;

int ssde_region_open(ssde_region *region, const deadlock_graph *graph); /* 0 = done; to be closed in any case */
void ssde_region_close(ssde_region *region);
void ssde_region_clear(ssde_region *region);
/* A node that is code; the return is left out. */
void ssde_region_add(ssde_region *region, uint32_t node);
/* All that is reached from what it has, itself included, without `end`; not past what the warp comes together at, unless
 * past_barriers. */
void ssde_region_reach(ssde_region *region, uint32_t end, int past_barriers);
/* All of `inside` from which what it has is reached within `inside`. */
void ssde_region_reach_back(ssde_region *region, const ssde_region *inside);

#endif
