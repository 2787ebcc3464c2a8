/* SPDX-License-Identifier: MIT */
/* Every cycle is in the statistics once. */
#ifndef SIMT_CORE_ACCOUNT_H
#define SIMT_CORE_ACCOUNT_H

#include "entities.h"
#include "hd_block.h"
#include "parameters.h"

typedef struct simt_core simt_core;

/* Of the same class and operands (isa_instruction.operands): how many have issued, and the sum of their active lanes. */
typedef struct issued_count {
    uint64_t instructions, lanes;
} issued_count;

typedef struct account_state {
    uint64_t accounted;               /* edges below are in the statistics: the cycles, and at least so many */
    uint64_t of_port[MAX_SCHEDULERS]; /* of the slots of each port, which are behind when nothing changes there */
    uint64_t settled;                 /* edges below have issued: what changes now shows from this one on */
    uint64_t *retired;                /* instructions, [warp][lane] */
} account_state;

void account_span(simt_core *core, uint64_t until);
void account_port(simt_core *core, uint32_t port, uint64_t until);
/* The slot of the edge being worked on, at which the port has issued; account.of_port is behind it. */
void account_issued(simt_core *core, uint32_t port);
/* The path is about to issue. */
void account_issue(simt_core *core, uint32_t path);
/* Cause of the slots that a path in this status waits for; CORE_SLOT_COUNT: it does not, or is ready. */
enum core_slot account_wait(enum path_status status);
/* Instructions that the lane, one of the path's, has issued before this one. */
uint64_t account_retired(const simt_core *core, uint32_t path, uint32_t lane);
/* Instructions that the path's lanes have issued: a number that changes when they issue. */
uint64_t account_retired_by_path(const simt_core *core, uint32_t path);
const uint64_t *core_counters_of(hd_block *block);

#endif
