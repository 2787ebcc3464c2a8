/* SPDX-License-Identifier: MIT */
/*
 * Advice about a loaded program: code that is correct RISC-V and will probably not do on a SIMT machine what its author
 * meant. Findings are no errors.
 */
#ifndef ISA_LINT_H
#define ISA_LINT_H

#include "deadlock.h"

#ifdef __cplusplus
extern "C" {
#endif

enum isa_lint {
    /* A deadlock (deadlock.h) of a loop that does nothing but wait until an atomic succeeds, and behind it a write to the same
     * address: a lock that is given back outside of its retry loop. gcc makes such a loop of one with a "done" flag in a
     * register. */
    ISA_LINT_DEADLOCK,
    /* All other deadlocks: there they are, unless the code is never run so, or its addresses are never the same. */
    ISA_LINT_POSSIBLE_DEADLOCK,
    /* A loop that waits for the value of a plain load from global memory to change, without a fence or an acquire: with
     * `l1.global: cache` it may read the same old L1 line for ever. No doubt, or it is no finding. */
    ISA_LINT_STALE_SPIN,
    /* A barrier on one side of a branch that threads of a block take differently by their index: those of the other side do not come to
     * it. No doubt, unless all threads have such indices. */
    ISA_LINT_DIVERGENT_BARRIER,
    ISA_LINT_COUNT
};

typedef struct isa_finding {
    uint32_t kind;       /* enum isa_lint */
    uint32_t branch_pc;  /* where lanes part; of a stale spin the branch that leaves the loop */
    uint32_t access_pc;  /* what the end of the loop depends on: the read; the barrier */
    uint32_t meeting_pc; /* where the others wait for them; ISA_RECONVERGE_AT_RETURN. 0 of a stale spin */
    /* Of deadlocks; 0 otherwise */
    uint32_t other_pc;    /* the write that would let it end */
    uint32_t side_pc;     /* where the lanes go on that stay in the loop */
    uint32_t loop_pc;     /* lowest and */
    uint32_t loop_end_pc; /* highest of the loop */
    uint32_t branches;    /* how many branches there are of which the same is to be said */
} isa_finding;

/*
 * What is found, by ascending access_pc, each access once for each kind, and of the kinds of deadlocks once for both. *findings is
 * to be freed by the caller. 0 = done, -1 = out of memory, and *findings is NULL.
 */
int isa_lint(const isa_program *program, const isa_deadlock_options *options, isa_finding **findings, uint32_t *count);

/* "simt_deadlock", "possible_deadlock", "stale_spin", "divergent_barrier" */
const char *isa_lint_name(uint32_t kind);

/* One line without newline: pc, function, source line, what is wrong, advice. */
void isa_finding_text(const isa_program *program, const isa_finding *finding, char *text, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
