/* SPDX-License-Identifier: MIT */
/* Parameters and statistics of the functional core: the tables from which its declaration and its struct are made. What
 * the timed core has too is named as there. */
#ifndef FUNCTIONAL_CORE_PARAMETERS_H
#define FUNCTIONAL_CORE_PARAMETERS_H

#include "counting.h"
#include "kind.h"

/* X(identifier, name, type, unit, default, minimum, maximum, choices, doc) */
#define FUNCTIONAL_PARAMETERS(X)                                                                                       \
    SIMT_CORE_SIZES(X)                                                                                                 \
    X(SCRATCHPAD_BYTES, "scratchpad.bytes", UNSIGNED, BYTES, "16 KiB", 0, 16777216, NULL, "shared memory of a core")   \
    SIMT_CORE_RECONVERGENCE(X)                                                                                         \
    X(EARLY_EXIT, "barrier.early_exit", CHOICE, UNITLESS, "warn", 0, 0, "warn|fault",                                  \
      "a barrier opens although some threads have ended: warn once, or fault")                                         \
    X(QUANTUM, "quantum", UNSIGNED, UNITLESS, "64", 1, 1048576, NULL,                                                  \
      "instructions that a warp executes before the next warp has its turn")                                           \
    X(RATE, "instructions_per_cycle", UNSIGNED, UNITLESS, "1", 1, 64, NULL, "warp instructions executed per cycle")    \
    X(RUN_AHEAD, "run_ahead", UNSIGNED, CYCLES, "1024 cycles", 1, 1048576, NULL,                                       \
      "cycles that the core executes in one turn, without seeing what other blocks do meanwhile")

enum functional_parameter { FUNCTIONAL_PARAMETERS(HD_PARAMETER_NUMBER) PARAMETER_COUNT };

/* Slots of units (hd_unit.h), in this order. */
enum { FUNCTIONAL_RECONVERGENCE, FUNCTIONAL_UNITS };

#define EARLY_EXIT_FAULT 1u /* of barrier.early_exit */

/* X(identifier, unit, kind, doc); the name is the identifier; A: as in counting.h. */
#define FUNCTIONAL_STATISTICS_AND(X, A)                                                                                \
    COUNTING_TOTALS(X)                                                                                                 \
    COUNTING_EXECUTION_AND(X, A)                                                                                       \
    X(loads, "instructions", COUNT, "warp loads")                                                                      \
    X(stores, "instructions", COUNT, "warp stores")                                                                    \
    X(atomics, "instructions", COUNT, "warp atomics")                                                                  \
    X(lane_accesses, "accesses", COUNT, "loads, stores and atomics, times active lanes")                               \
    X(tx_commits, "transactions", COUNT, "lanes' transactions that committed")                                         \
    X(tx_aborts, "attempts", COUNT, "lanes' attempts aborted by tx.abort")                                             \
    X(turns, "turns", COUNT, "turns of direct memory access")
#define FUNCTIONAL_STATISTICS(X) FUNCTIONAL_STATISTICS_AND(X, COUNTING_ROWS)

typedef struct functional_counters {
#define FUNCTIONAL_COUNTER(name, unit, kind, doc) uint64_t name;
    FUNCTIONAL_STATISTICS_AND(FUNCTIONAL_COUNTER, COUNTING_ARRAY)
#undef FUNCTIONAL_COUNTER
} functional_counters;

#endif
