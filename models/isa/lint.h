/* SPDX-License-Identifier: MIT */
/*
 * Advice about a loaded program: code that is correct RISC-V and will probably not do on a SIMT machine what its author
 * meant. Findings are no errors; a rule that cannot be sure keeps quiet.
 */
#ifndef ISA_LINT_H
#define ISA_LINT_H

#include "program.h"

#ifdef __cplusplus
extern "C" {
#endif

enum isa_lint {
    /* A loop that is left when an atomic succeeds, and behind it a write to the same address: a lock that is given back
     * outside of its retry loop. On a SIMT stack its holder waits at the end of the loop for those who want it
     * (ElTantawy 2018, section 3.1; gcc makes such a loop of one with a "done" flag in a register). */
    ISA_LINT_LOCK_LOOP,
    /* A loop that waits for the value of a plain load from global memory to change, without a fence or an acquire: with
     * `l1.global: cache` it may read the same old L1 line for ever. */
    ISA_LINT_STALE_SPIN,
    ISA_LINT_COUNT
};

typedef struct isa_finding {
    uint32_t kind;      /* enum isa_lint */
    uint32_t branch_pc; /* that leaves the loop */
    uint32_t access_pc; /* what the branch depends on: the atomic, the load */
    uint32_t other_pc;  /* LOCK_LOOP: the write behind the loop; else 0 */
} isa_finding;

/* What is found, by ascending access_pc, each access once for each kind; *findings is to be freed by the caller. 0 = done,
 * -1 = out of memory, and *findings is NULL. */
int isa_lint(const isa_program *program, isa_finding **findings, uint32_t *count);

/* "lock_loop", "stale_spin" */
const char *isa_lint_name(uint32_t kind);

/* One line without newline: pc, function, source line, what is wrong, advice. */
void isa_finding_text(const isa_program *program, const isa_finding *finding, char *text, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
