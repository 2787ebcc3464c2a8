/* SPDX-License-Identifier: MIT */
/*
 * A hart: RV64IMAC_Zicsr_Zifencei in machine mode, and in user mode if it has that, over RAM that it may share with others. It knows
 * cycles and nothing of links or simulated time.
 *
 * What it decodes it keeps, a basic block at a time, so that a block costs one look-up. It can run ahead of what is known of
 * the rest of the machine, because it can go back: hart_keep marks a state, hart_go_back returns to it, RAM included.
 * Instructions that need something from outside stop it in front of them.
 *
 * The RISC-V Instruction Set Manual, volume I (unprivileged) and II (machine mode).
 */
#ifndef HOST_CPU_HART_H
#define HOST_CPU_HART_H

#include <stddef.h>
#include <stdint.h>

#include "hart_protection.h"
#include "hart_triggers.h"
#include "rv64.h"

#define HART_A0 10u   /* in which it begins with its number */
#define HART_A1 11u   /* ... with the bytes of its RAM */
#define HART_SINK 32u /* register that takes what x0 does not */

/* Lines of mip and mie. */
#define HART_SOFTWARE_INTERRUPT 3u
#define HART_TIMER_INTERRUPT 7u
#define HART_EXTERNAL_INTERRUPT 11u

/* mcause of exceptions. */
enum hart_exception {
    HART_FETCH_MISALIGNED = 0,
    HART_FETCH_FAULT = 1,
    HART_ILLEGAL = 2,
    HART_BREAKPOINT = 3,
    HART_LOAD_MISALIGNED = 4,
    HART_LOAD_FAULT = 5,
    HART_STORE_MISALIGNED = 6,
    HART_STORE_FAULT = 7,
    HART_ENVIRONMENT_CALL_OF_USER = 8,
    HART_ENVIRONMENT_CALL = 11
};

/* Why an exception is raised, where its cause does not say it. */
enum hart_reason { HART_REASON_PLAIN, HART_REASON_PROTECTION, HART_REASON_TRIGGER };

/* state.privilege */
enum { HART_USER = 0, HART_MACHINE = 3 };

/* Why hart_run came back. */
enum hart_stop {
    HART_LIMIT,     /* the next instruction would begin at or after the limit */
    HART_LOG_FULL,  /* it cannot note another store: keep the state, then go on */
    HART_BUS,       /* the instruction at pc is a load or store outside RAM: hart.access */
    HART_WAIT,      /* a wfi was executed, and nothing is pending */
    HART_TRAP,      /* it has entered a trap: its first instruction is next */
    HART_IN_PLACE,  /* what the instruction at pc changes is not undone: keep the state, then hart_execute_in_place */
    HART_EXCEPTION, /* the instruction at pc raises hart.exception, and exceptions stop the hart */
    HART_LIMITED,   /* within hart_run only: what it does next is not done in machine mode */
};

/* What kinds of instructions cost beyond one cycle, and how many there were. */
enum hart_kind {
    HART_KIND_PLAIN,
    HART_KIND_LOAD,
    HART_KIND_STORE,
    HART_KIND_MULTIPLY,
    HART_KIND_DIVIDE,
    HART_KIND_BRANCH, /* the cost is that of a taken one */
    HART_KIND_JUMP,
    HART_KIND_ATOMIC,
    HART_KIND_CSR, /* csr*, fences, wfi, mret, ecall */
    HART_KINDS
};

/* All that hart_go_back brings back, RAM aside. */
typedef struct hart_state {
    uint64_t x[33]; /* x[0] is 0, x[HART_SINK] anything */
    uint64_t pc;
    uint64_t cycle;        /* at which the next instruction begins */
    uint64_t instructions; /* retired */
    uint64_t kinds[HART_KINDS];
    uint64_t exceptions; /* taken as traps */
    uint64_t interrupts; /* taken */
    uint64_t mstatus, mie, mip, mtvec, mscratch, mepc, mcause, mtval, mcounteren, tcontrol;
    uint32_t privilege;                        /* HART_MACHINE or HART_USER */
    uint32_t is_limited;                       /* what it accesses, or fetches, is not accessed in machine mode */
    uint64_t cycle_offset, instruction_offset; /* what writes of mcycle and minstret have added */
    uint64_t reservation;                      /* address of the last lr; UINT64_MAX = none */
} hart_state;

/* A load or store outside RAM. */
typedef struct hart_access {
    uint64_t address;
    uint64_t value; /* of a store */
    uint32_t bytes;
    uint32_t is_store;
} hart_access;

typedef struct hart_fault {
    uint32_t cause;  /* enum hart_exception */
    uint64_t value;  /* mtval */
    uint32_t reason; /* enum hart_reason */
} hart_fault;

typedef struct hart_undo {
    uint64_t offset;
    uint64_t bytes; /* what the 8 bytes from offset on, or as many as there are, held before */
} hart_undo;

struct hart_block;
struct hart_operation;

typedef struct hart {
    hart_state state;
    hart_state kept;
    uint8_t *ram; /* 8 bytes longer than ram_bytes: undoing may touch what follows a store */
    uint64_t ram_base;
    uint64_t ram_bytes;
    uint32_t ram_is_clear;      /* nobody has written it; whoever does says so */
    uint32_t costs[HART_KINDS]; /* cycles beyond the first */
    uint32_t cycles_each;       /* cycles of every instruction */
    uint32_t number;            /* mhartid */
    uint32_t has_user_mode;
    uint32_t is_guarded;      /* protection or triggers have to be asked even in machine mode */
    uint32_t exceptions_stop; /* 1: hart_run returns HART_EXCEPTION; 0: they go to mtvec */
    hart_access access;       /* of the last HART_BUS */
    hart_fault exception;     /* of the last HART_EXCEPTION */
    hart_undo *undo;          /* since hart_keep, oldest first */
    size_t undo_count;
    size_t undo_capacity;
    uint32_t shares_ram;       /* ram and undo are another hart's */
    uint32_t block_operations; /* decoded at most, in one block */
    hart_protection protection;
    hart_triggers triggers;
    struct hart_block *blocks; /* by a hash of pc */
    struct hart_operation *operations;
    uint32_t block_mask;
    uint32_t operation_count;
    uint32_t operation_capacity;
} hart;

/* block_cache: decoded instructions that are kept, >= 64; undo_capacity: stores that can be undone. 0: out of memory, and
 * hart_destroy is still to be called. Costs, exceptions_stop, ram_base, and what it has of protection and triggers are set by
 * the caller. */
uint32_t hart_create(hart *self, uint64_t ram_bytes, uint32_t block_cache, uint32_t undo_capacity);
/* Another one over the RAM of `first`. It notes stores in the log of that one: who runs them in turn passes undo_count on. */
uint32_t hart_create_beside(hart *self, const hart *first, uint32_t number, uint32_t block_cache);
void hart_destroy(hart *self);
/* Registers and RAM 0, interrupts off, nothing decoded. */
void hart_reset(hart *self, uint64_t pc);

/* Executes what begins before this cycle. Interrupts that are pending and enabled are taken first, and whenever an
 * instruction enables them. */
enum hart_stop hart_run(hart *self, uint64_t limit);

/* The state to which hart_go_back returns is this one. */
void hart_keep(hart *self);
void hart_go_back(hart *self);

/* Completes the access of HART_BUS, its answer having come at this cycle: a load's value goes to its register. */
void hart_complete_access(hart *self, uint64_t value, uint64_t cycle);
/* The access of HART_BUS was refused, at this cycle, because it is not aligned or for another reason: an exception. Returns 1
 * if that stops the hart. */
uint32_t hart_refuse_access(hart *self, uint32_t is_misaligned, uint64_t cycle);
/* Executes the instruction of HART_IN_PLACE: a fence.i, or a csr* that configures protection or triggers. */
void hart_execute_in_place(hart *self);

/* What comes from outside is not undone: it comes when the hart stands at what it has kept, or waits. */

/* A line rises or falls. */
void hart_set_interrupt(hart *self, uint32_t line, uint32_t level);
/* 1 if a wfi goes on. */
static inline uint32_t hart_is_awake(const hart *self)
{
    return (self->state.mip & self->state.mie) != 0;
}

/* Would hart_run take an interrupt in front of the instruction at pc? */
uint32_t hart_takes_interrupt(const hart *self);
/* What the instruction at pc accesses: its first bytes, a store if it stores. 0: nothing. */
uint32_t hart_next_access(hart *self, hart_access *access);

/* Another hart has stored there, which it may undo. */
void hart_break_reservation(hart *self, uint64_t address, uint64_t bytes);
/* Somebody else writes these bytes of RAM. */
void hart_memory_written(hart *self, uint64_t address, uint64_t bytes);

#endif
