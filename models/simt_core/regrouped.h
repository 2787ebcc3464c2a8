/* SPDX-License-Identifier: MIT */
/*
 * Where lanes go from path to path (core.path_homes), what is counted of each thread, and not of the path: accesses in flight,
 * which fences and acquires wait for, and retired instructions.
 */
#ifndef SIMT_CORE_REGROUPED_H
#define SIMT_CORE_REGROUPED_H

#include "core.h"

/* An access of these threads (kept_homes) has been submitted; it is complete. */
void regrouped_begin_access(simt_core *core, uint32_t homes, const isa_instruction *instruction);
void regrouped_end_access(simt_core *core, uint32_t homes, const isa_instruction *instruction);
/* Has a thread of the path an access in flight, or a store that is not acknowledged? */
uint32_t regrouped_has_accesses(const simt_core *core, uint32_t path);
/* Must the path's access wait: for an atomic with acquire, or for accesses of its threads that it would overtake? */
uint32_t regrouped_holds_access(const simt_core *core, uint32_t path);
/* The path's threads issue an instruction. */
void regrouped_retire(simt_core *core, uint32_t path);
/* The unit is to be told where the path's threads go: must it wait for what is in flight to write their registers? Then it is told later. */
uint32_t regrouped_begin_drain(simt_core *core, uint32_t path);
/* The threads of these homes (kept_homes) may have what they waited for, from an instruction that this path has issued: the path that
 * each is in now goes on. */
void regrouped_recheck_threads(simt_core *core, uint32_t path, uint32_t homes);
/* The paths of all warps of this one's block that wait for registers or accesses may have what they waited for. */
void regrouped_recheck(simt_core *core, uint32_t warp);

#endif
