/* SPDX-License-Identifier: MIT */
/* Backward edges that are to lead to switches, with their safe points (ElTantawy 2018, algorithms 2 and 3). */
#ifndef ISA_SSDE_EDGES_H
#define ISA_SSDE_EDGES_H

#include "deadlock_cycles.h"
#include "ssde_plan.h"
#include "ssde_points.h"

typedef struct ssde_edges {
    ssde_plan *plan;
    deadlock_cycles cycles;
    ssde_region walk; /* of the others, from where they are kept */
    ssde_region back; /* or of a loop and what follows it */
    int changed;      /* edges, or their safe points, since it was last set to 0 */
    char *error;
    size_t error_bytes;
} ssde_edges;

int ssde_edges_open(ssde_edges *edges, ssde_plan *plan, char *error, size_t error_bytes);
void ssde_edges_close(ssde_edges *edges);

/* Adds to the plan's edges, without switches, what is to be changed because of these. 0 = done; -1: error holds one line. */
int ssde_add_edges(ssde_edges *edges, const isa_deadlocks *deadlocks);

/* Fills edges->back with what lies behind the loop of this edge up to its safe point, without both. */
void ssde_find_between(ssde_edges *edges, const ssde_edge *edge);

/* Fills edges->back with the function that the edge is in: all that is reached from where it may be entered. */
void ssde_find_function(ssde_edges *edges, const ssde_edge *edge);

/* Nothing that lies there, and nothing in the function, forbids it. 0 = so it is; -1: error holds one line. */
int ssde_may_change(ssde_edges *edges, const ssde_edge *edge);

/* Writes "ssde: the loop at PLACE: " and what; always -1. */
int ssde_refuse(const ssde_edges *edges, uint32_t loop, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
