/* SPDX-License-Identifier: MIT */
/*
 * Transactions in kernels (docs/isa.md).
 *
 *     tm_begin();
 *     balances[from] -= amount;
 *     balances[to] += amount;
 *     tm_commit();
 *
 * Between the two, loads and stores of global memory by one thread take place all at once, or not at all and again from
 * tm_begin on, with registers and private memory as they were there. The pair stands in one function, which is left only by its
 * end: no return, no break and no goto across it. Nested pairs are part of the outermost. Inside of a transaction there are no atomics,
 * barriers and no end of the thread; fences do nothing, and prints are made at once, by attempts that abort, too. Threads of a warp run
 * their transactions together and are as isolated from each other as from all others; accesses outside of transactions are not.
 */
#ifndef TM_H
#define TM_H

#include "simt.h"

#define TM_GLOBAL 1u /* domains */
#define TM_SCRATCHPAD 2u

/* The loader pairs them: each has its own place in the code, neither copied nor merged with another. */
/* clang-format off */
#define TM_INSTRUCTION(funct3, immediate)                                                                              \
    SIMT_NO_MERGE do {                                                                                                 \
        __asm__ volatile(".insn i 0x0B, %0, x0, x0, %1" SIMT_OWN_TEXT SIMT_NO_COPY                                     \
                         :                                                                                             \
                         : "i"(funct3), "i"(immediate), SIMT_OWN                                                       \
                         : "memory");                                                                                  \
    } while (0)
/* clang-format on */

#define tm_begin() TM_INSTRUCTION(0, TM_GLOBAL)
/* The same on the block's scratchpad, on machines that have that: global memory may be loaded from, as outside, and not stored to. */
#define tm_begin_scratchpad() TM_INSTRUCTION(0, TM_SCRATCHPAD)
#define tm_commit() TM_INSTRUCTION(1, 0)
/* This thread gives the attempt up and starts again behind tm_begin. reason: 0..2047, counted. */
#define tm_abort(reason) TM_INSTRUCTION(2, reason)

/* Read where they stand: they change from attempt to attempt. */
#define TM_READ_CSR(name, number)                                                                                      \
    SIMT_INLINE uint32_t name(void)                                                                                    \
    {                                                                                                                  \
        uint32_t value;                                                                                                \
        __asm__ volatile("csrr %0, " #number : "=r"(value));                                                           \
        return value;                                                                                                  \
    }

TM_READ_CSR(tm_attempt, 0xCD0)   /* of this transaction of the thread, from 1; 0 outside of transactions */
TM_READ_CSR(tm_timestamp, 0xCD1) /* logical time, where the protocol has one */

#endif
