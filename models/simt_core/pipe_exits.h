/* SPDX-License-Identifier: MIT */
/*
 * Pipelines with one exit: the instructions of an issue port that its own units execute (integer, float, branches) share a
 * pipeline, which one of them leaves per cycle. One that would leave beside an earlier one enters so much later, and those behind
 * it wait. With one latency for all nobody ever waits. Source: GPGPU-Sim 4.2, simd_function_unit::can_issue (`occupied`).
 */
#ifndef SIMT_CORE_PIPE_EXITS_H
#define SIMT_CORE_PIPE_EXITS_H

#include "functional_units.h"
#include "hd_state.h"

typedef struct pipe_exits {
    uint64_t *taken; /* [port][PIPE_EXIT_CYCLES]: at the place of a cycle that cycle, if one leaves in it; NULL: off */
    uint32_t ports;
} pipe_exits;

/* An instruction leaves before as many cycles have passed since it was issued. */
#define PIPE_EXIT_CYCLES 2048u

/* 0 on success; pipe_exits_destroy in either case. `exits` is zeroed. */
int pipe_exits_create(pipe_exits *exits, uint32_t is_on, uint32_t ports);
void pipe_exits_destroy(pipe_exits *exits);
/* Nothing is under way. */
void pipe_exits_reset(pipe_exits *exits);
void pipe_exits_transfer(pipe_exits *exits, const hd_state_stream *stream);

/* Does a unit share the pipeline of its port? */
static inline uint32_t pipe_exits_concern(enum functional_unit unit)
{
    return unit == UNIT_SIMD || unit == UNIT_MULTIPLY || unit == UNIT_SHIFT || unit == UNIT_COMPARE;
}

/* An instruction of the port would leave in this cycle: it leaves so much later. Precondition: on. */
uint32_t pipe_exits_take(pipe_exits *exits, uint32_t port, uint64_t cycle);

#endif
