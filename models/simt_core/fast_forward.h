/* SPDX-License-Identifier: MIT */
/*
 * The core executes without timing for a while (hd_fast_forward.h). Its blocks are at rest then, all their paths PATH_STOPPED or at
 * barriers, and stay where they are: registers, reconvergence state, scratchpad and the counts of instructions are the
 * core's own. Nothing of this is called unless the run is sampled.
 */
#ifndef SIMT_CORE_FAST_FORWARD_H
#define SIMT_CORE_FAST_FORWARD_H

#include "hd_fast_forward.h"

typedef struct simt_core simt_core;

#define FAST_BLOCKS 64u /* the most that a core has */

/* A thread block as it was when the core became timed. */
typedef struct fast_block {
    uint64_t number; /* of block_state */
    uint64_t retired;
} fast_block;

typedef struct fast_forward_state {
    const hd_fast_memory *memory; /* NULL: the run is timed throughout */
    uint32_t stopping;            /* blocks that arrive stop at once: coming to rest, or fast */
    uint32_t is_on;
    uint32_t paths[FAST_BLOCKS];     /* [slot]: the path of it that is next */
    fast_block before[FAST_BLOCKS];  /* [slot] */
    uint64_t progress[FAST_BLOCKS];  /* [rank]: of blocks by age, while the core was timed: their shares of a turn */
    uint32_t rate;   /* instructions of a turn */
    uint64_t turn;   /* edge of the next turn, UINT64_MAX: no block is there */
} fast_forward_state;

extern const hd_fast_forward core_fast_forward;

/* fast_forward.c */
hd_time fast_advance(simt_core *core, hd_time horizon);
hd_time fast_promise(simt_core *core, hd_time now);
/* A thread block has arrived while fast.stopping. */
void fast_enter(simt_core *core, uint32_t slot);

/* fast_execute.c: at most `limit` instructions of a path that is PATH_STOPPED; how many. */
uint32_t fast_execute(simt_core *core, uint32_t path, uint32_t limit);

/* fast_memory.c: a load, store or atomic of the path. 0: it was refused, and the run ends. */
uint32_t fast_access(simt_core *core, uint32_t path);

#endif
