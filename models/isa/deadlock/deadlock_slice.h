/* SPDX-License-Identifier: MIT */
/* What the end of a loop depends on, and which branches all lanes of a warp take alike. */
#ifndef ISA_DEADLOCK_SLICE_H
#define ISA_DEADLOCK_SLICE_H

#include "deadlock_access.h"

typedef struct deadlock_slice {
    uint32_t *node; /* [graph->count]: instructions of the slice */
    uint32_t count;
    uint32_t *in; /* [graph->count]: number of the last slice that has it */
    uint32_t number;
} deadlock_slice;

int deadlock_slice_open(deadlock_slice *slice, const deadlock_graph *graph); /* 0 = done; to be closed in any case */
void deadlock_slice_close(deadlock_slice *slice);

/* Starts a new slice; the branches whose outcomes it is to explain are then added. */
void deadlock_slice_begin(deadlock_slice *slice);
void deadlock_slice_add(deadlock_slice *slice, uint32_t node);

/*
 * Adds whatever the slice depends on: values in registers and on the stack, and branches that decide whether something is
 * executed. loop: the nodes of the loop, which is marked in the flow; only these are looked at, unless in_loop is 0, which lets
 * values come from anywhere in the function.
 */
void deadlock_slice_complete(deadlock_slice *slice, deadlock_memory *memory, const uint32_t *loop, uint32_t size,
                             int in_loop);

/* Do all lanes that execute this branch together take it alike? 0: that is not sure. */
int deadlock_is_uniform(deadlock_memory *memory, uint32_t branch);

/* Is this register the same in all lanes of a warp, whenever they come to the node? 0: that is not sure. */
int deadlock_is_uniform_register(deadlock_memory *memory, uint32_t node, uint32_t number);

#endif
