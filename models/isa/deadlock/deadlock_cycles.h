/* SPDX-License-Identifier: MIT */
/* Cycles of the code that lanes of one side of a branch may go round in before they meet the others. */
#ifndef ISA_DEADLOCK_CYCLES_H
#define ISA_DEADLOCK_CYCLES_H

#include "deadlock_graph.h"

typedef struct deadlock_cycles {
    deadlock_graph *graph;
    uint32_t *region; /* [count]: number of the last region that has the node */
    uint32_t region_number;
    uint32_t *index; /* [count]: of Tarjan's walk of that region, from 1; 0: not there yet */
    uint32_t *low;
    uint8_t *is_open;
    uint32_t *path;      /* [count] nodes of the walk, and */
    uint32_t *edge;      /* [count] the next edge of each */
    uint32_t *component; /* [count] nodes whose component is not complete */
    uint32_t *loop;      /* [count] the cycle that is called back with */
} deadlock_cycles;

int deadlock_cycles_open(deadlock_cycles *cycles, deadlock_graph *graph); /* 0 = done; to be closed in any case */
void deadlock_cycles_close(deadlock_cycles *cycles);

/*
 * Calls back with each cycle in the nodes that are reached from `start` without `end`: strongly connected components, then the
 * loops of backward edges in each. While it is called its nodes are the loop that is marked in the flow.
 */
void deadlock_each_cycle(deadlock_cycles *cycles, uint32_t start, uint32_t end,
                         void (*visit)(void *context, const uint32_t *loop, uint32_t size), void *context);

/* The loop of one backward edge, as above, wherever it is. Returns its size, and its nodes in cycles->loop. */
uint32_t deadlock_loop_of(deadlock_cycles *cycles, deadlock_edge edge);

#endif
