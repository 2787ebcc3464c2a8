/* SPDX-License-Identifier: MIT */
/* Control transfers, and what becomes of paths. */
#ifndef SIMT_CORE_CONTROL_H
#define SIMT_CORE_CONTROL_H

#include "instruction.h"
#include "lanes.h"
#include "reconvergence/reconvergence.h"

typedef struct simt_core simt_core;

typedef struct control_state {
    uint32_t
        *jump_target;   /* [warp or, where lanes are regrouped, path][lane], of indirect jumps that are not resolved */
    uint32_t returning; /* returns from the kernel that are not resolved */
} control_state;

/* The unit that has been chosen. */
typedef struct reconvergence_state {
    const reconvergence_unit *unit;
    reconvergence *state;
    uint64_t next;               /* first edge at which it does something by itself, UINT64_MAX if there is none, */
    uint32_t acts;               /* if it ever does */
    uint32_t drains;             /* its own */
    uint32_t draining;           /* paths that do */
    uint32_t acquiring;          /* accesses with acquire in flight, if lanes are regrouped */
    reconvergence_memory memory; /* what the unit is given of it */
    isa_instruction access;      /* description of the unit's own accesses */
} reconvergence_state;

/* Kinds of events that some unit wants. */
typedef struct wanted_events {
    uint32_t kinds;
    uint32_t by_reconvergence, by_scheduler;
} wanted_events;

void control_issue(simt_core *core, uint32_t path);
/* The same and what becomes of it, at once: of a core that is fast (fast_forward.h). */
void control_execute(simt_core *core, uint32_t path);
/* The path, which has drained, goes on where it stood: to the end of its branch, or to its stop point. */
void control_go_on(simt_core *core, uint32_t path);
/* PATH_COMPARED, if the path's instruction compares; the registers that it reads are in lanes. */
void control_raise_compare(const simt_core *core, uint32_t path, const isa_lanes *lanes);
void control_resolve(simt_core *core, uint32_t path);
void control_step(simt_core *core, uint32_t path);
extern const reconvergence_events control_events;

#endif
