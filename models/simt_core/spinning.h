/* SPDX-License-Identifier: MIT */
/* The spin detector of a core: what it is told and asked, and how well it does. All calls are for cores that have one. */
#ifndef SIMT_CORE_SPINNING_H
#define SIMT_CORE_SPINNING_H

#include "hd_block.h"
#include "spin/spin.h"

typedef struct simt_core simt_core;

#define SEEN_BRANCHES_MAX 256u /* backward branches of a kernel; of further ones it is not known how they were found */

#define SPIN_RUN 5u /* in as many iterations the published detector finds a loop, by one warp */

/* A backward branch in a stay of warps in the core. */
typedef struct seen_branch {
    uint32_t pc;
    uint8_t marked, found;
    uint16_t repeated;    /* a path has taken it SPIN_RUN times in a row */
    uint64_t first, last; /* cycles at which it was reached */
    uint64_t found_at;
} seen_branch;

/* Since a path took a spin branch last; and the backward branch that it has taken last, how often in a row. */
typedef struct spin_iteration {
    uint64_t instructions;
    uint32_t pc; /* of that branch; NO_SPIN_BRANCH */
    uint32_t run_pc, run;
} spin_iteration;

typedef struct spinning_state {
    const spin_unit *unit; /* NULL: the core has none */
    spin *detector;
    spin_iteration *iterations; /* [path] */
    seen_branch *seen;
    uint32_t seen_count;
} spinning_state;

/* 0 = done; else error holds one line, or is empty if there is no memory. */
int spinning_create(simt_core *core, const hd_value *values, char *error, size_t error_bytes);
void spinning_destroy(simt_core *core);
void spinning_reset(simt_core *core);
void spinning_transfer(simt_core *core, const hd_state_stream *stream);
/* The warp's paths have just been added. */
void spinning_launch(simt_core *core, uint32_t warp);
void spinning_issue(simt_core *core, uint32_t path);
/* PATH_BRANCHED, of a branch or jump, which the schedulers have been told of. */
void spinning_branch(simt_core *core, const path_event *event);
/* No warp is in the core any more. */
void spinning_drain(simt_core *core);

#endif
