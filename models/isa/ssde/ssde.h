/* SPDX-License-Identifier: MIT */
/*
 * SIMT-induced deadlocks (deadlock.h) removed from programs while they are loaded (ElTantawy 2018, chapter 4).
 *
 * Of each loop that a deadlock is found in, a safe point is computed: the first one behind which nothing can be done for those in
 * the loop. Lanes that have left the loop wait there, and not at its end, for those that are still in it. On a stack the latter wait
 * too: a lane that is about to go round again first waits, at a switch before the safe point, until all others of its warp have
 * come there; then those that are done stand at the safe point, and the others go round.
 *
 * Refused, with one line that says where: a loop between whose exits and safe point the warp comes together (a barrier, a vote), or
 * something is called that is not known; a loop or a safe point in a transaction; jumps by a register in the function; a loop with
 * several entries; a function that never returns, if only its return is safe. Functions that are marked (ISA_FUNCTION_NO_TRANSFORM) stay
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

/*
 * Switches are executed by the core. The code stays as it is; beside the instruction before which lanes wait stands one that is the
 * switch, at isa_ssde_switch, and where those who go round have several heads to go to, at isa_ssde_dispatch one at which they
 * part again. Whenever a lane is about to go on at a place, be it by a jump or straight on, table "switches" says whether it goes to a switch
 * instead, and with which number: that of the head to go round from, or 0 if it is done.
 */
extern const isa_transform isa_ssde_virtual;

static inline uint32_t isa_ssde_switch(uint32_t pc)
{
    return pc | 1u;
}

static inline uint32_t isa_ssde_dispatch(uint32_t switch_pc)
{
    return (switch_pc & ~UINT32_C(3)) | 2u;
}

/*
 * "switches": places in its lists; of an instruction there
 *   the pc of the switch that lanes come to that would come here, with 0; 0: none
 *   how many of its edges lead to switches, and of each: the pc where it leads, the pc of the switch, the number
 * and of a switch
 *   the pc where those go on that have 0
 *   how many heads there are, and the pc of each by its number - 1
 */
extern const isa_analysis isa_ssde_switches;

/* "switched_reconvergence": as "reconvergence", of code with switches. */
extern const isa_analysis isa_ssde_meetings;

/* A loop that is changed: lanes that would go back from `latch` to `head` first wait before `safe`. */
typedef struct isa_ssde_loop {
    uint32_t latch; /* pcs */
    uint32_t head;
    uint32_t safe; /* of the return: the first one */
} isa_ssde_loop;

/* What would be changed in a program that is analysed: *loops, by latch, then head, are to be freed. 0 = done; -1: error holds one line,
 * refused or no memory, and *loops is NULL. */
int isa_ssde_loops(const isa_program *program, isa_ssde_loop **loops, uint32_t *count, char *error, size_t error_bytes);

#ifdef __cplusplus
}
#endif

#endif
