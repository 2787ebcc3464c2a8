/* SPDX-License-Identifier: MIT */
/*
 * Where lanes go from path to path (core.path_homes), what is counted of each thread, and not of the path: accesses in flight,
 * which fences and acquires wait for, and retired instructions.
 */
#ifndef SIMT_CORE_REGROUPED_H
#define SIMT_CORE_REGROUPED_H

#include "core.h"

/* Nonzero: out of memory; regrouped_destroy in either case, and where nothing is regrouped. */
int regrouped_create(simt_core *core);
void regrouped_destroy(simt_core *core);
/* Nothing is in flight, and no path exists. */
void regrouped_reset(simt_core *core);
/* An access of these threads (kept_homes) has been submitted; it is complete. */
void regrouped_begin_access(simt_core *core, uint32_t homes, const isa_instruction *instruction);
void regrouped_end_access(simt_core *core, uint32_t homes, const isa_instruction *instruction);
/* Has a thread of the path an access in flight, or a store that is not acknowledged? */
uint32_t regrouped_has_accesses(const simt_core *core, uint32_t path);
/* Must the path's access wait: for an atomic with acquire, or for accesses of its threads that it would overtake? */
uint32_t regrouped_holds_access(const simt_core *core, uint32_t path);
/* The path's lanes, of which something is about to be in flight under this number: they may be in another path by its end. */
typedef struct issued_lanes {
    lane_homes homes;
    uint32_t number;
} issued_lanes;
/* With a use of the number. */
issued_lanes regrouped_issue_lanes(simt_core *core, uint32_t path);
/* The number of the path's lanes (core.path_kept), which are others than before, or have not been asked for. */
uint32_t regrouped_keep(simt_core *core, uint32_t path);
/* The path has other lanes, or none: its threads have what they did in it. */
void regrouped_forget(simt_core *core, uint32_t path);
/* Each thread has what it did, wherever it is. */
void regrouped_settle(simt_core *core, uint32_t path);
/* The unit is to be told where the path's threads go: must it wait for what is in flight to write their registers? Then it is told later. */
uint32_t regrouped_begin_drain(simt_core *core, uint32_t path);
/* The path has just these threads, and some of them still await the register: then nobody can go on since others have it. */
uint32_t regrouped_waits_on(const simt_core *core, uint32_t path, uint32_t homes, uint32_t number);
/* The threads of these homes (kept_homes) may have what they waited for, from an instruction that this path has issued: the path that
 * each is in now goes on. */
void regrouped_recheck_threads(simt_core *core, uint32_t path, uint32_t homes);
/* Accesses of this warp's slot are done, or out of the address units: paths of its block that wait for that may go on. */
void regrouped_drained(simt_core *core, uint32_t warp);

#endif
