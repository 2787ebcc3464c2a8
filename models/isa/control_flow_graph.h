/* SPDX-License-Identifier: MIT */
/* What the parts of isa_control_flow share: the code as nodes, one per word of text. */
#ifndef ISA_CONTROL_FLOW_GRAPH_H
#define ISA_CONTROL_FLOW_GRAPH_H

#include "control_flow.h"

typedef struct control_flow {
    isa_program *program;
    uint32_t count;     /* words of text; node i is word i, node `count` is EXIT */
    uint8_t *reachable; /* [count] */
    uint8_t *returns;   /* [count]: a path from here leads to the return of this call depth */
    uint32_t *work;     /* [count + 1], a stack for whoever walks */
    char *error;
    size_t error_bytes;
} control_flow;

/* Where a node may go on, without paths that end there: 0..2 nodes, EXIT included. */
uint32_t flow_successors(const control_flow *flow, uint32_t node, uint32_t successor[2]);

/* Whether it is known where a jump goes: flow_jump_target may be asked. */
static inline int flow_knows_target(const isa_instruction *jump)
{
    return jump->operation == ISA_OP_JAL || jump->flags & ISA_FLAG_RECOVERED;
}

/* Where a jal, or a jalr whose target is known, goes; ISA_NO_NODE if that is not code. */
uint32_t flow_jump_target(const control_flow *flow, uint32_t node);

/* Of a program that is analysed, to be read only. */
control_flow flow_of_program(const isa_program *program, char *error, size_t error_bytes);

static inline uint32_t flow_pc(const control_flow *flow, uint32_t node)
{
    return flow->program->text_address + 4 * node;
}

int flow_fail(const control_flow *flow, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Calls and the nodes they can return to, reachable code, auipc+jalr (functions.c). 0 = done. */
int flow_find_functions(control_flow *flow);

/* Nodes where execution may start: entry, functions, targets of calls. */
void flow_each_entry(const control_flow *flow, void (*visit)(void *context, uint32_t node), void *context);

/* The graph of the reachable code. Nodes above EXIT stand for re-entering the first node of a cycle that nothing
 * leaves: node EXIT + 1 + i is the pc of entered[i]. Caller frees (cycles.c). 0 = done. */
int flow_build_graph(const control_flow *flow, isa_graph *graph, uint32_t **entered);

#endif
