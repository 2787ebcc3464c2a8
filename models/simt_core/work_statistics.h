/* SPDX-License-Identifier: MIT */
/* What the lanes of a core compute. */
#ifndef SIMT_CORE_WORK_STATISTICS_H
#define SIMT_CORE_WORK_STATISTICS_H

/* Lanes of the instructions that issue, by what computes: those that are active, and those that are not. */
#define CORE_WORKS(X, suffix, what)                                                                                    \
    X(integer##suffix, "lanes", COUNT, what " in integer, CSR, control and synchronisation instructions")              \
    X(multiply##suffix, "lanes", COUNT, what " in integer multiplications")                                            \
    X(divide##suffix, "lanes", COUNT, what " in integer divisions")                                                    \
    X(float##suffix, "lanes", COUNT, what " in float instructions other than the following")                           \
    X(float_fma##suffix, "lanes", COUNT, what " in fused multiply-adds")                                               \
    X(float_divide##suffix, "lanes", COUNT, what " in float divisions and square roots")                               \
    X(special##suffix, "lanes", COUNT, what " in instructions of the special function unit")                           \
    X(memory##suffix, "lanes", COUNT, what " in loads, stores and atomics")
#define CORE_ACTIVE_LANES(X) CORE_WORKS(X, _lanes, "active lanes")
#define CORE_INACTIVE_LANES(X) CORE_WORKS(X, _inactive_lanes, "lanes that are not active")
enum core_work {
    WORK_INTEGER,
    WORK_MULTIPLY,
    WORK_DIVIDE,
    WORK_FLOAT,
    WORK_FLOAT_FMA,
    WORK_FLOAT_DIVIDE,
    WORK_SPECIAL,
    WORK_MEMORY
};

#endif
