/* SPDX-License-Identifier: MIT */
/*
 * For programs of threads on vector cores (docs/vector-length.md), in C and in assembly.
 *
 * With -DWITHOUT_PINS they also run where there is no pinning and no os_model, such as an emulator of user programs: marks and
 * requests have no effect there.
 */
#ifndef HEDDLE_VECTOR_H
#define HEDDLE_VECTOR_H

#define CALL_EXIT 93
#define CALL_MEASURE 2000
#define CALL_HANDLER 2001
#define CALL_MOVE 2002
#define CALL_FORCE 2003
#define CALL_POWER 2004
#define CALL_CORE 2005
#define CALL_BITS 2006

#define CAUSE_UNPIN 24
#define CAUSE_PIN_OVERFLOW 25

/* What moves and switching off come to. */
#define ANSWER_DONE 0
#define ANSWER_REFUSED 1
#define ANSWER_DEFERRED 2

#define PIN_LEVEL 0x800

#ifdef __ASSEMBLER__

        .option arch, +zve32f
#ifdef WITHOUT_PINS
        .macro pin_vl
        .endm
        .macro unpin_vl
        .endm
#else
        .macro pin_vl
        .insn   i 0x0b, 6, x0, x0, 0
        .endm
        .macro unpin_vl
        .insn   i 0x0b, 6, x0, x0, -2048
        .endm
#endif
        .macro function name
        .globl  \name
        .type   \name, @function
\name:
        .endm

#else

#include <stddef.h>
#include <stdint.h>

static inline uint32_t call(uint32_t number, uint32_t first, uint32_t second)
{
    register uint32_t a0 __asm__("a0") = first;
    register uint32_t a1 __asm__("a1") = second;
    register uint32_t a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a7) : "memory");
    return a0;
}

/* What is between them is measured. */
static inline void measure_begin(void)
{
    call(CALL_MEASURE, 1, 0);
}
static inline void measure_end(void)
{
    call(CALL_MEASURE, 0, 0);
}

#ifndef WITHOUT_PINS
static inline void pin_vl(void)
{
    __asm__ volatile(".insn i 0x0b, 6, x0, x0, 0" ::: "memory");
}
static inline void unpin_vl(void)
{
    __asm__ volatile(".insn i 0x0b, 6, x0, x0, -2048" ::: "memory");
}
static inline uint32_t pin_level(void)
{
    uint32_t level;
    __asm__ volatile("csrr %0, 0x800" : "=r"(level)::"memory");
    return level;
}
static inline void set_pin_level(uint32_t level)
{
    __asm__ volatile("csrw 0x800, %0" ::"r"(level) : "memory");
}
#endif

#endif
#endif
