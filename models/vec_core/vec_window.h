/* SPDX-License-Identifier: MIT */
/*
 * When instructions begin and end on an out-of-order core, as a scoreboard: `width` enter the window in a cycle, and `depth`
 * cycles later each begins once its operands are there; they leave it in order, `width` in a cycle, and it holds `size`. One access
 * of a line passes the port to the first cache in a cycle, whichever is ready (Beaumont 2019 Tables 5.2 and 5.3).
 */
#ifndef VEC_CORE_VEC_WINDOW_H
#define VEC_CORE_VEC_WINDOW_H

#include "vec_hart.h"

#define VEC_WINDOW_MAX 1024u
#define VEC_PORT_CYCLES 8192u /* that may be taken at a time, a power of two */

/* What an instruction waits for and makes: scalar registers as isa_instruction numbers them, vector registers, vl and vtype. */
typedef struct vec_dependencies {
    uint64_t reads, writes;
    uint32_t vector_reads, vector_writes;
    uint8_t reads_vl, writes_vl;
} vec_dependencies;

/* What it takes once it has begun. */
typedef struct vec_cost {
    uint32_t latency; /* until its result is there; of an access, of the last line */
    uint32_t lines;   /* that pass the port */
    uint64_t until;   /* its result is not there before this cycle: what came from afar */
} vec_cost;

typedef struct vec_window {
    uint32_t width, depth, size;
    uint64_t entry; /* cycle in which the next one enters, if there is room */
    uint32_t entered;
    uint64_t retirement; /* cycle in which the last one left */
    uint32_t retired;
    uint64_t port[VEC_PORT_CYCLES]; /* ring: the last cycle in which a line passed, and 1 */
    uint64_t ready[ISA_REGISTER_COUNT];
    uint64_t vector_ready[HD_VECTOR_REGISTERS];
    uint64_t vl_ready;
    uint64_t leaves[VEC_WINDOW_MAX]; /* ring of size: when those in the window leave */
    uint32_t oldest;
} vec_window;

vec_dependencies vec_dependencies_of(const vec_hart *h, const vec_operation *op);

/* Empty, from this cycle on. */
void vec_window_reset(vec_window *w, uint64_t cycle);
/* Cycle in which the next instruction enters. */
uint64_t vec_window_entry(const vec_window *w);
/* It does. Returns the cycle in which its result is there. */
uint64_t vec_window_add(vec_window *w, const vec_dependencies *of, const vec_cost *cost);
/* Nothing enters before this cycle. */
void vec_window_hold(vec_window *w, uint64_t cycle);

#endif
