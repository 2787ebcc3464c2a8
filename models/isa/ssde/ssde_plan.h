/* SPDX-License-Identifier: MIT */
/* Which loops are to be changed, where their lanes wait, whether that may be, and that nothing is found then. Nodes are words of text (deadlock_graph.h). */
#ifndef ISA_SSDE_PLAN_H
#define ISA_SSDE_PLAN_H

#include "deadlock_graph.h"

#define SSDE_HEADS_MAX 255u /* of a switch */

/* A backward edge whose lanes go to a switch instead. */
typedef struct ssde_edge {
    uint32_t latch;
    uint32_t head;
    uint32_t safe;         /* node of the safe point; graph.count: the return */
    uint32_t switch_index; /* which of the plan's */
    uint32_t number;       /* of the head there, from 1 */
} ssde_edge;

typedef struct ssde_switch {
    uint32_t at;        /* those that are done wait at this node: the safe point, or the first return */
    uint32_t is_return; /* whose other returns lead to the switch too */
    uint32_t head_count;
    uint32_t heads[SSDE_HEADS_MAX]; /* by number - 1; each once */
} ssde_switch;

/* A node before which lanes that are done come to a switch. */
typedef struct ssde_arrival {
    uint32_t node;
    uint32_t switch_index;
} ssde_arrival;

typedef struct ssde_plan {
    deadlock_graph graph;
    ssde_edge *edges; /* by latch, then head; each once */
    uint32_t edge_count;
    ssde_switch *switches;
    uint32_t switch_count;
    ssde_arrival *arrivals; /* by node; each once */
    uint32_t arrival_count;
} ssde_plan;

/* The program is analysed. 0 = done; -1: error holds one line: refused, or no memory. To be freed in any case. */
int ssde_plan_make(ssde_plan *plan, const isa_program *program, char *error, size_t error_bytes);
void ssde_plan_free(ssde_plan *plan);

/* NULL: the edge stays as it is. */
const ssde_edge *ssde_edge_at(const ssde_plan *plan, uint32_t latch, uint32_t head);
/* NULL: nobody comes to a switch there. */
const ssde_switch *ssde_switch_before(const ssde_plan *plan, uint32_t node);

/* The same for deadlock.h: edges, and returns that lead to the first; NULL: no memory. To be freed. */
isa_deadlock_change *ssde_changes(const ssde_plan *plan, uint32_t *count);

#endif
