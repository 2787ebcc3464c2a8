/* SPDX-License-Identifier: MIT */
/*
 * When the operands of an instruction leave the banks of the register file. A bank serves one instruction at a time. Two models:
 *
 * Collectors (Fermi): the core has so many, and each instruction takes one from its issue until its last operand has been
 * read. Banks serve those who wait in the order of issue; without a free collector nothing issues. The bank of a register is
 * (register + warp) mod banks. Source: GPGPU-Sim 4.2, opndcoll_rfu_t.
 *
 * Read window (Volta and later): each issue port has its own banks. Operands are read within so many cycles of issue; an
 * instruction whose operands find their banks taken stays where it is, and its port with it, until they fit. The bank of a
 * register is register mod banks. Source: Huerta et al. 2025, register file.
 */
#ifndef SIMT_CORE_OPERANDS_H
#define SIMT_CORE_OPERANDS_H

#include "hd_block.h"
#include "hd_state.h"
#include "instruction.h"

#define OPERAND_BANKS_MAX 64u
#define OPERANDS_MAX 3u /* of one instruction */
#define OPERAND_COLLECTORS_MAX 64u
#define OPERAND_INTERVAL_MAX 2u
/* An instruction is never delayed by more: all collectors wait for one bank. */
#define OPERAND_DELAY_MAX (OPERAND_COLLECTORS_MAX * OPERANDS_MAX * OPERAND_INTERVAL_MAX - 1)

typedef struct operand_reads {
    uint32_t banks; /* 0: operands are always there */
    uint32_t width; /* operands of an instruction that a bank reads at once */
    uint32_t interval;
    uint32_t window;     /* 0: collectors */
    uint32_t collectors; /* 0: a window */
    uint32_t bank_mask;  /* banks - 1 if that is a power of two, else 0 */
    uint32_t ports;
    uint32_t first;       /* collector that is free next */
    uint64_t free_at;     /* first cycle with a free collector; 0 without collectors */
    uint64_t *busy_until; /* [collector]; from `first` on, all around, none is before the one in front of it */
    uint64_t *bank_until; /* collectors: [bank], the bank's next free cycle */
    uint64_t *reserved;   /* window: [port][bank], a bit per cycle from `since` on */
    uint64_t *since;      /* [port] */
} operand_reads;

/* values: of the core's parameters. 0 on success; operands_destroy in either case. `reads` is zeroed. */
int operands_create(operand_reads *reads, const hd_value *values, uint32_t ports);
void operands_destroy(operand_reads *reads);
/* Nothing is being read. */
void operands_reset(operand_reads *reads);
void operands_transfer(operand_reads *reads, const hd_state_stream *stream);

/*
 * An instruction of this warp that issues from the port in this cycle reads these registers: cycles that they come later than
 * they would from banks of their own. Precondition: banks; with collectors, free_at <= cycle.
 */
uint32_t operands_read(operand_reads *reads, uint32_t port, uint32_t warp, uint64_t registers, uint64_t cycle);
/* Would they come at once? */
uint32_t operands_fit(operand_reads *reads, uint32_t port, uint32_t warp, uint64_t registers, uint64_t cycle);

#endif
