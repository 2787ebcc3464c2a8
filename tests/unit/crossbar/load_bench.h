/* SPDX-License-Identifier: MIT */
/* Uniform random traffic of a given load through a network with receivers that take everything. */
#ifndef LOAD_BENCH_H
#define LOAD_BENCH_H

#include "bench.h"

#define LOAD_SATURATED 1000u

typedef struct load {
    const hd_block_class *type;
    const char *const *parameters;
    uint32_t inputs, outputs;
    uint32_t offered; /* thousandths of what the links in could carry; LOAD_SATURATED: there is always a packet */
    uint32_t flits;   /* of each packet */
    uint32_t cycles;  /* after as many again of warming up */
    uint64_t seed;
} load;

typedef struct load_result {
    double carried; /* flits per cycle and input */
    double latency; /* cycles from a packet's coming into being to its leaving the network, on average */
} load_result;

load_result load_run(const load *load);

#endif
