/* SPDX-License-Identifier: MIT */
#ifndef VEC_CORE_PARAMETERS_H
#define VEC_CORE_PARAMETERS_H

#include "hd_tables.h"

/* X(identifier, name, type, unit, default, minimum, maximum, choices, doc); defaults: Beaumont 2019 Table 5.2, or assumed. */
#define VEC_CORE_PARAMETERS(X)                                                                                         \
    X(VLEN, "vlen", UNSIGNED, UNITLESS, "256", 128, 2048, NULL, "bits of a vector register, a power of two")           \
    X(WIDTH, "issue.width", UNSIGNED, UNITLESS, "4", 1, 16, NULL,                                                      \
      "instructions that enter the window, or leave it, in a cycle")                                                   \
    X(DEPTH, "decode.depth", UNSIGNED, CYCLES, "6 cycles", 1, 32, NULL,                                                \
      "from an instruction's entry into the window to its earliest beginning")                                         \
    X(ROB, "rob.entries", UNSIGNED, UNITLESS, "128", 4, 1024, NULL, "instructions in the window")                      \
    X(PREDICTOR, "predictor", CHOICE, UNITLESS, "bimodal", 0, 0, "bimodal|perfect",                                    \
      "of conditional branches: two-bit counters, or never wrong")                                                     \
    X(LATENCY_MULTIPLY, "latency.multiply", UNSIGNED, CYCLES, "3 cycles", 1, 100, NULL, "multiplication, vectors too") \
    X(LATENCY_DIVIDE, "latency.divide", UNSIGNED, CYCLES, "12 cycles", 1, 100, NULL, "division and square root")       \
    X(LATENCY_FLOAT, "latency.float", UNSIGNED, CYCLES, "4 cycles", 1, 100, NULL, "float arithmetic, vectors too")     \
    X(LATENCY_VECTOR, "latency.vector", UNSIGNED, CYCLES, "2 cycles", 1, 100, NULL,                                    \
      "all other vector arithmetic, masks and moves to scalars")                                                       \
    X(LATENCY_ELEMENT, "latency.element", UNSIGNED, CYCLES, "2 cycles", 1, 100, NULL,                                  \
      "each element of an ordered float sum")                                                                          \
    X(CODE_BYTES, "l1i.bytes", UNSIGNED, BYTES, "64 KiB", 64, 16777216, NULL, "size of the cache of code")             \
    X(CODE_WAYS, "l1i.ways", UNSIGNED, UNITLESS, "4", 1, 64, NULL, "its ways")                                         \
    X(DATA_BYTES, "l1d.bytes", UNSIGNED, BYTES, "32 KiB", 64, 16777216, NULL, "size of the first cache of data")       \
    X(DATA_WAYS, "l1d.ways", UNSIGNED, UNITLESS, "8", 1, 64, NULL, "its ways")                                         \
    X(DATA_LATENCY, "l1d.latency", UNSIGNED, CYCLES, "4 cycles", 1, 100, NULL, "its hits")                             \
    X(PORTS, "l1d.ports", UNSIGNED, UNITLESS, "1", 1, 16, NULL, "lines that loads have from it in a cycle")            \
    X(SECOND_BYTES, "l2.bytes", UNSIGNED, BYTES, "1 MiB", 64, 268435456, NULL, "size of the second cache")             \
    X(SECOND_WAYS, "l2.ways", UNSIGNED, UNITLESS, "16", 1, 64, NULL, "its ways")                                       \
    X(SECOND_LATENCY, "l2.latency", UNSIGNED, CYCLES, "12 cycles", 1, 1000, NULL, "its hits")                          \
    X(MISSES, "l2.misses", UNSIGNED, UNITLESS, "32", 1, 1024, NULL, "lines that it fetches at a time")                 \
    X(PREFETCH, "l2.prefetch", UNSIGNED, UNITLESS, "4", 0, 64, NULL, "lines behind a load that are fetched too")       \
    X(LOADS, "loads", UNSIGNED, UNITLESS, "1", 1, 256, NULL,                                                           \
      "loads that wait for memory at a time; 1: nothing enters the window while one waits")                            \
    X(STORES, "stores", UNSIGNED, UNITLESS, "32", 1, 1024, NULL, "stores that memory has not acknowledged")

enum vec_core_parameter { VEC_CORE_PARAMETERS(HD_PARAMETER_NUMBER) PARAMETER_COUNT };

/* X(identifier, name, unit, kind, doc) */
#define VEC_CORE_STATISTICS(X)                                                                                         \
    X(active_cycles, "active_cycles", "cycles", COUNT, "cycles with a thread")                                         \
    X(wait_cycles, "wait_cycles", "cycles", COUNT, "cycles in which it waited for lines from memory")                  \
    X(instructions, "instructions", "instructions", COUNT, "instructions retired")                                     \
    X(vector_instructions, "vector_instructions", "instructions", COUNT, "... that are vector instructions")           \
    X(branches, "branches", "instructions", COUNT, "... that are conditional branches")                                \
    X(mispredictions, "mispredictions", "instructions", COUNT, "... that were predicted wrongly")                      \
    X(l1i_misses, "l1i_misses", "accesses", COUNT, "lines of code that the first cache did not have")                  \
    X(l1d_hits, "l1d_hits", "accesses", COUNT, "lines of loads that the first cache had")                              \
    X(l1d_misses, "l1d_misses", "accesses", COUNT, "lines of loads that it did not have")                              \
    X(l2_misses, "l2_misses", "accesses", COUNT, "... nor the second")                                                 \
    X(prefetches, "prefetches", "lines", COUNT, "lines fetched before a load wants them")                              \
    X(overlapped, "overlapped", "instructions", COUNT, "loads that waited for memory while others entered the window") \
    X(stores, "stores", "accesses", COUNT, "lines of stores sent to memory")                                           \
    X(vector_loads, "vector_loads", "instructions", COUNT, "vector loads of neighbouring elements with all elements")  \
    X(vector_load_lines, "vector_load_lines", "accesses", COUNT,                                                       \
      "lines that they touched; what is more than vector_loads are stalls of the port")                                \
    X(gathers, "gathers", "instructions", COUNT, "indexed vector loads")                                               \
    X(gather_lines, "gather_lines", "accesses", COUNT, "accesses of lines by them")                                    \
    X(pins, "pins", "instructions", COUNT, "pin.vl")                                                                   \
    X(unpins, "unpins", "instructions", COUNT, "unpin.vl")                                                             \
    X(legacy_pins, "legacy_pins", "threads", COUNT, "threads pinned for good by a vector instruction")                 \
    X(exceptions, "exceptions", "exceptions", COUNT, "exceptions of threads")                                          \
    X(calls, "calls", "calls", COUNT, "calls of the operating system")                                                 \
    X(arrivals, "arrivals", "threads", COUNT, "threads that came")                                                     \
    X(departures, "departures", "threads", COUNT, "threads that left for another core")                                \
    X(refusals, "refusals", "requests", COUNT, "requests to leave that were refused: the thread is pinned")            \
    X(context_bytes, "context_bytes", "bytes", COUNT, "state that left with threads")                                  \
    X(measured_cycles, "measured_cycles", "cycles", COUNT, "between the marks of what is measured")                    \
    X(measured_instructions, "measured_instructions", "instructions", COUNT, "instructions in between")                \
    X(measured_vector_loads, "measured_vector_loads", "instructions", COUNT, "vector_loads in between")                \
    X(measured_vector_load_lines, "measured_vector_load_lines", "accesses", COUNT, "vector_load_lines in between")     \
    X(measured_stalls, "measured_stalls", "accesses", COUNT,                                                           \
      "... beyond the first line of each load: cycles that the port takes longer")

typedef struct vec_core_counters {
    VEC_CORE_STATISTICS(HD_COUNTER)
} vec_core_counters;

#endif
