/* SPDX-License-Identifier: MIT */
/* Shared by the hart's own files. */
#ifndef HOST_CPU_HART_INTERNAL_H
#define HOST_CPU_HART_INTERNAL_H

#include "hart.h"

#define HART_BLOCK_OPERATIONS 64u /* at most, in one block */

#define HART_MSTATUS_MIE (UINT64_C(1) << 3)
#define HART_MSTATUS_MPIE (UINT64_C(1) << 7)
#define HART_MSTATUS_MPP (UINT64_C(3) << 11)
#define HART_MSTATUS_MPRV (UINT64_C(1) << 17)
#define HART_MSTATUS_TW (UINT64_C(1) << 21)
#define HART_TCONTROL_MTE (UINT64_C(1) << 3)
#define HART_TCONTROL_MPTE (UINT64_C(1) << 7)

/* A decoded instruction of a block. */
typedef struct hart_operation {
    uint8_t operation; /* enum isa_operation or enum rv64_operation */
    uint8_t rd;        /* HART_SINK for x0 */
    uint8_t rs1;
    uint8_t rs2;
    int32_t immediate;
    uint16_t offset; /* of its pc from the block's */
    uint16_t begins; /* cycles after the block has begun, those of taken branches aside */
    uint8_t bytes;   /* length */
    uint8_t kind;    /* enum hart_kind */
} hart_operation;

/* A straight run of instructions; only the last one may go elsewhere or need more than registers and memory. */
typedef struct hart_block {
    uint64_t pc; /* UINT64_MAX = none */
    const hart_operation *operations;
    uint32_t count;
    uint32_t cycles; /* of all, with no branch taken */
    uint32_t bytes;
    uint8_t kinds[HART_KINDS];
} hart_block;

/* ---- hart_decode.c ------------------------------------------------------------------------------------------------ */

/* The block that begins at pc, or NULL: no instruction can be fetched there. */
const hart_block *hart_find_block(hart *self, uint64_t pc);
void hart_forget_blocks(hart *self);

/* ---- hart_execute.c ------------------------------------------------------------------------------------------------ */

/* How a run through a block ended. */
enum hart_run_end {
    HART_RUN_DONE,
    HART_RUN_SYSTEM,       /* at an instruction that hart_run.c executes */
    HART_RUN_OUTSIDE,      /* at a load or store outside RAM */
    HART_RUN_LOG_FULL,     /* at a store that cannot be noted */
    HART_RUN_ATOMIC_FAULT, /* at an atomic access outside RAM, or not aligned */
};

typedef struct hart_run_result {
    const hart_operation *at; /* where it ended, if not behind the last */
    uint64_t next;            /* pc to go on at; set by the caller to that behind the last, and by jumps */
    uint32_t branch;          /* 1: a branch was taken */
    uint64_t address;         /* of the last atomic access */
} hart_run_result;

/* The first operations of a block; pc, cycles and counts are the caller's. */
enum hart_run_end hart_execute(hart *self, const hart_block *block, uint32_t count, hart_run_result *end);

/* ---- hart_trap.c -------------------------------------------------------------------------------------------------- */

/* Raises the exception at pc. Returns 1 if it stops the hart; else the hart stands at its handler. */
uint32_t hart_raise(hart *self, uint32_t cause, uint64_t value, uint32_t reason);
void hart_take_interrupt(hart *self);
void hart_return(hart *self);
static inline uint32_t hart_has_interrupt(const hart_state *state)
{
    return (state->mip & state->mie) != 0 &&
           ((state->mstatus & HART_MSTATUS_MIE) != 0 || state->privilege != HART_MACHINE);
}
static inline uint64_t hart_previous_privilege(const hart_state *state)
{
    return (state->mstatus & HART_MSTATUS_MPP) >> 11;
}
/* After a change of privilege or mstatus. */
static inline void hart_look_at_privilege(hart_state *state)
{
    const uint32_t is_lent = (state->mstatus & HART_MSTATUS_MPRV) != 0;
    state->is_limited = state->privilege != HART_MACHINE || (is_lent && hart_previous_privilege(state) != HART_MACHINE);
}

/* ---- hart_guard.c -------------------------------------------------------------------------------------------------- */

/* May the instruction at pc not be fetched (NULL: there is none), or do the access? Returns 1, and the exception that it raises then. */
uint32_t hart_guard_fetch(const hart *self, const hart_operation *operation, hart_fault *fault);
uint32_t hart_guard_access(const hart *self, const hart_operation *operation, const hart_access *access,
                           hart_fault *fault);

/* ---- hart_csr.c --------------------------------------------------------------------------------------------------- */

/* csr*: returns 0 if there is no such CSR, or it cannot be written. */
uint32_t hart_csr(hart *self, const hart_operation *operation);
/* Does it change what is not undone? */
uint32_t hart_csr_is_configuration(const hart *self, const hart_operation *operation);

/* ---- hart_atomic.c ------------------------------------------------------------------------------------------------ */

/* lr, sc, amo on an aligned word or double word of RAM. Returns 1 if it stored. */
uint32_t hart_atomic(hart_state *state, const hart_operation *operation, uint64_t address, uint8_t *memory);
static inline uint32_t hart_atomic_bytes(const hart_operation *operation)
{
    return operation->operation >= RV64_OP_LR_D ? 8 : 4;
}

#endif
