/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* The moves wait for the value in front of them, and the counter is read behind them. */
#define CHAIN(type, constraint, move, operation, operands)                                                             \
    {                                                                                                                  \
        type v = 3, other = 1;                                                                                         \
        __asm__ volatile(move " %[unused], %[v]\n\t"                                                                   \
                              "csrr %[begin], cycle\n\t"                                                               \
                              ".rept %[count]\n\t" operation " %[v], %[v], " operands "\n\t.endr\n\t" move             \
                              " %[unused], %[v]\n\t"                                                                   \
                              "csrr %[end], cycle"                                                                     \
                         : [v] "+" constraint(v), [begin] "=&r"(begin), [end] "=&r"(end), [unused] "=&r"(unused)       \
                         : [other] constraint(other), [count] "i"(MICRO_ARITHMETIC_CHAIN));                            \
        last = (uint32_t)v;                                                                                            \
    }

#define ONE(n, operation, operands) operation " %" #n ", %" #n ", " operands "\n\t"
#define INDEPENDENT(type, constraint, move, operation, operands)                                                       \
    {                                                                                                                  \
        type v[12] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}, other = 1;                                                  \
        for (uint32_t left = args->rounds; left != 0; left--)                                                          \
            __asm__ volatile(                                                                                          \
                ".rept 16\n\t" ONE(0, operation, operands) ONE(1, operation, operands) ONE(2, operation, operands)     \
                    ONE(3, operation, operands) ONE(4, operation, operands) ONE(5, operation, operands)                \
                        ONE(6, operation, operands) ONE(7, operation, operands) ONE(8, operation, operands)            \
                            ONE(9, operation, operands) ONE(10, operation, operands)                                   \
                                ONE(11, operation, operands) ".endr"                                                   \
                : "+" constraint(v[0]), "+" constraint(v[1]), "+" constraint(v[2]), "+" constraint(v[3]),              \
                  "+" constraint(v[4]), "+" constraint(v[5]), "+" constraint(v[6]), "+" constraint(v[7]),              \
                  "+" constraint(v[8]), "+" constraint(v[9]), "+" constraint(v[10]), "+" constraint(v[11])             \
                : [other] constraint(other));                                                                          \
        last = (uint32_t)(v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7] + v[8] + v[9] + v[10] + v[11]);        \
    }

#define EVERY(kind)                                                                                                    \
    switch (args->operation) {                                                                                         \
    case MICRO_ADD: kind(uint32_t, "r", "mv", "add", "%[other]") break;                                                \
    case MICRO_FMA: kind(float, "f", "fmv.x.w", "fmadd.s", "%[other], %[other]") break;                                \
    case MICRO_MULTIPLY: kind(uint32_t, "r", "mv", "mul", "%[other]") break;                                           \
    case MICRO_SHIFT: kind(uint32_t, "r", "mv", "sll", "%[other]") break;                                              \
    case MICRO_COMPARE: kind(uint32_t, "r", "mv", "slt", "%[other]") break;                                            \
    case MICRO_DIVIDE: kind(uint32_t, "r", "mv", "divu", "%[other]") break;                                            \
    case MICRO_FLOAT_ADD: kind(float, "f", "fmv.x.w", "fadd.s", "%[other]") break;                                     \
    case MICRO_FLOAT_DIVIDE: kind(float, "f", "fmv.x.w", "fdiv.s", "%[other]") break;                                  \
    default: kind(float, "f", "fmv.x.w", ".insn r 0x2B, 7, 2,", "f0") break;                                           \
    }

SIMT_KERNEL(micro_arithmetic, const micro_arithmetic_args *args)
{
    uint32_t begin = 0, end = 0, unused, last = 0;
    uint32_t *result = HD_POINTER(uint32_t, args->result);
    if (args->rounds == 0)
        EVERY(CHAIN)
    else
        EVERY(INDEPENDENT)
    if (simt_global_index() == 0) {
        result[0] = begin;
        result[1] = end;
    }
    result[2 + simt_global_index()] = last;
}
