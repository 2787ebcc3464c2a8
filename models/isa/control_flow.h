/* SPDX-License-Identifier: MIT */
/*
 * Control-flow analysis of a loaded program: where lanes that part meet again.
 *
 * A node is an instruction that can be reached. Code is found by following edges from the entry, the function symbols
 * and the targets of calls, never by symbol ranges. A call's successor is the instruction after it, if its callee can
 * return. Post-dominance at X depends only on what is reached from X, so one graph serves all functions, and a tail call
 * is a jump.
 *
 * - EXIT is "the return of this call depth". A jalr x0 whose target is not known (a return, or a jump through a table)
 *   leads there.
 * - A trap (ecall apart: ebreak, a word that encodes nothing, a fall off the code) and a call that cannot return end a
 *   path. Lanes that go there never come back, and nobody waits for them: such paths do not count for post-dominance.
 *   A branch with no other paths reconverges at the return.
 * - A cycle that nothing leaves is given a way out: from the point of re-entering its first node to EXIT.
 */
#ifndef ISA_CONTROL_FLOW_H
#define ISA_CONTROL_FLOW_H

#include "program.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ISA_NO_NODE UINT32_C(0xFFFFFFFF)

/* Successors of node n: target[first[n]] .. target[first[n + 1] - 1]. first has node_count + 1 elements. */
typedef struct isa_graph {
    uint32_t node_count;
    uint32_t *first;
    uint32_t *target;
} isa_graph;

/*
 * immediate[n] = the immediate post-dominator of n: the nearest other node that every path from n to exit crosses.
 * ISA_NO_NODE for exit itself and for nodes that do not reach it. immediate has node_count elements.
 * 0 = done, -1 = out of memory.
 */
int isa_post_dominators(const isa_graph *graph, uint32_t exit, uint32_t *immediate);

/*
 * Fills reachable, returns, and ISA_FLAG_RECOVERED of a program's instructions. Called by isa_program_analyse. 0 = done; -1 =
 * error holds one line.
 */
int isa_control_flow(isa_program *program, char *error, size_t error_bytes);

/*
 * Where a thread at pc of a loaded program may go on at the same call depth: 0 to 2 program counters, or
 * ISA_RECONVERGE_AT_RETURN. Paths that end there, and calls that cannot return, have none.
 */
uint32_t isa_successors(const isa_program *program, uint32_t pc, uint32_t successor[2]);

/* 1 and *target, if a jump or call with one known target is at pc (jal, auipc+jalr) and leads to code; else 0. */
int isa_jump_target(const isa_program *program, uint32_t pc, uint32_t *target);

static inline int isa_is_reachable(const isa_program *program, uint32_t pc)
{
    return isa_program_at(program, pc) && program->reachable[(pc - program->text_address) / 4];
}

#ifdef __cplusplus
}
#endif

#endif
