/* SPDX-License-Identifier: MIT */
/* What the rules of the lint share: loops, and where register values come from. A node is a word of text. */
#ifndef ISA_LINT_FLOW_H
#define ISA_LINT_FLOW_H

#include "control_flow.h"

#define LINT_LOOP_MAX 1024u /* words; a loop that waits is small */
#define LINT_SLICE_MAX 256u

#define LINT_ENTRY_FUNCTION 1u
#define LINT_ENTRY_CALLED 2u

typedef struct lint_flow {
    const isa_program *program;
    uint32_t count;    /* words of text */
    uint32_t *first;   /* [count + 1]: predecessors of node n are before[first[n]] .. */
    uint32_t *before;  /* [2 * count] */
    uint32_t *stack;   /* [count]: a walk's */
    uint32_t *path;    /* [count]: of the depth-first walk */
    uint32_t *visited; /* [count]: number of the last walk that was here */
    uint8_t *entry;    /* [count]: LINT_ENTRY_*, where execution may start */
    uint32_t *in_loop; /* [count]: number of the last loop that the node was found in */
    uint32_t walk;
    uint32_t loop_number;
} lint_flow;

/* The natural loop of one backward edge. */
typedef struct lint_loop {
    uint32_t head;
    uint32_t latch; /* its last node, which leads back to head */
    uint32_t size;
    uint32_t body[LINT_LOOP_MAX];
} lint_loop;

/* Where a value comes from, as far as the nodes of one loop say. */
typedef struct lint_slice {
    uint32_t size;
    uint32_t nodes[LINT_SLICE_MAX]; /* instructions of the loop that it is computed by */
    int is_recurrent;               /* some value is computed from its own value of the turn before */
} lint_slice;

int lint_flow_open(lint_flow *flow, const isa_program *program); /* 0 = done; to be closed in any case */
void lint_flow_close(lint_flow *flow);

/* Where lanes that part at a node meet again, as table "reconvergence". *own: NULL, or values of a program without that table, to
 * be freed. 0 = done. */
int lint_find_meetings(const isa_program *program, const uint32_t **meetings, uint32_t **own);

/* Calls back for each edge latch -> head that closes a loop: the retreating ones of a depth-first walk. 0 = done. */
int lint_each_back_edge(lint_flow *flow, void (*edge)(void *context, uint32_t latch, uint32_t head), void *context);

/* Body of the loop that the edge latch -> head closes. Returns 0 if that is none, or a large one. */
int lint_find_loop(lint_flow *flow, uint32_t latch, uint32_t head, lint_loop *loop);

static inline int lint_in_loop(const lint_flow *flow, uint32_t node)
{
    return flow->in_loop[node] == flow->loop_number;
}

static inline const isa_instruction *lint_instruction(const lint_flow *flow, uint32_t node)
{
    return &flow->program->instructions[node];
}

/* Successors as nodes, without the return. */
uint32_t lint_successors(const lint_flow *flow, uint32_t node, uint32_t successor[2]);

/* Nodes that give the register its value before `node`; calls change what they like. Returns how many, or UINT32_MAX: too many.
 * in_loop: of the loop found last only. *entry: LINT_ENTRY_* of functions with whose entry it may also come. */
uint32_t lint_definitions(lint_flow *flow, uint32_t node, uint32_t register_number, int in_loop,
                          uint32_t definitions[LINT_SLICE_MAX], uint32_t *entry);

/* What the branch depends on, within the loop found last. Returns 0 if that is too much to say. */
int lint_slice_of(lint_flow *flow, uint32_t branch, lint_slice *slice);

/* Does the instruction give the same for the same operands? A word of the argument block never changes. */
int lint_is_pure(lint_flow *flow, uint32_t node);

/* Do registers a and b hold the same value before these nodes, as far as is known? */
int lint_same_value(lint_flow *flow, uint32_t node_a, uint32_t a, uint32_t node_b, uint32_t b);

/* What memory the address register of an access leads to. */
enum lint_memory { LINT_GLOBAL, LINT_SCRATCHPAD, LINT_PRIVATE, LINT_CONSTANT };
enum lint_memory lint_memory_of(lint_flow *flow, uint32_t node);

#endif
