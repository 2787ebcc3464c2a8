/* SPDX-License-Identifier: MIT */
/*
 * SIMT-induced deadlocks (deadlock.h) removed from programs while they are loaded (ElTantawy 2018, chapter 4).
 *
 * Of each loop that a deadlock is found in, a safe point is computed: the first one behind which nothing can be done for those in
 * the loop. Lanes that have left the loop wait there, and not at its end, for those that are still in it. On a stack the latter wait
 * too: a lane that is about to go round again first waits, at a switch before the safe point, until all others of its warp have
 * come there; then those that are done stand at the safe point, and the others go round.
 *
 * Refused, with one line that says where: a loop between whose exits and safe point the warp comes together (a barrier, a vote, a
 * transaction), or something is called that is not known; jumps by a register in its function; a loop with several
 * entries, or in which no edge goes back; a function that never returns. Functions that are marked (ISA_FUNCTION_NO_TRANSFORM) stay
 * as they are.
 */
#ifndef ISA_SSDE_H
#define ISA_SSDE_H

#include "analysis.h"
#include "rewrite.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Switches are code, behind the program: for any core. Which way a lane goes is in a register that nobody needs there; refused if
 * there is none. The result is searched again, and refused if something is found. */
extern const isa_transform isa_ssde_rewrite;

#ifdef __cplusplus
}
#endif

#endif
