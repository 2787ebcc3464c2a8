/* SPDX-License-Identifier: MIT */
/*
 * The spin detector: which backward branches sustain spinning, that is, repeat a loop in which a warp waits for others. One instance
 * per core. A backward branch is a conditional branch, or a jump that is no call, to its own pc or before. The core asks about
 * each that some lane takes, and tells the scheduler of those that are known (PATH_SPUN). Source: ElTantawy 2018 §6.3.
 */
#ifndef SIMT_CORE_SPIN_H
#define SIMT_CORE_SPIN_H

#include "hd_state.h"
#include "hd_unit.h"

#include "analysis.h"
#include "path_event.h"

#define SPIN_INTERFACE "heddle.spin/2" /* hd_unit.functions is a spin_unit */

typedef struct spin_parameters {
    uint32_t warps; /* slots are 0 .. warps - 1 */
    uint32_t lanes;
    hd_unit_share share;
} spin_parameters;

enum spin_verdict {
    SPIN_NOT,   /* not as far as is known */
    SPIN_FOUND, /* known from the next time on */
    SPIN_KNOWN
};

typedef struct spin spin; /* a unit's own type, cast */

typedef struct spin_unit {
    /* A table that it needs of every program (hd_programs.require). NULL: none. */
    const isa_analysis *analysis;

    /* Allocates everything. NULL: out of memory. */
    spin *(*create)(const spin_parameters *parameters);
    void (*destroy)(spin *unit);
    void (*reset)(spin *unit);
    /* The warp in this slot begins to run the program, whose kernel begins at entry_pc; or it comes from another core, and what was
     * known of it is lost. NULL: it need not know. */
    void (*launch)(spin *unit, uint32_t warp, const isa_program *program, uint32_t entry_pc);
    /* PATH_COMPARED; NULL: it does not look at compares. */
    void (*compared)(spin *unit, const path_event *event);
    /* Of the warp these lanes are done for good. NULL: it need not know. */
    void (*exited)(spin *unit, uint32_t warp, uint64_t lanes);
    /* PATH_BRANCHED of a backward branch that some lane takes, after the PATH_COMPARED of it. enum spin_verdict. */
    uint32_t (*branched)(spin *unit, const path_event *event);
    /* No warp is in the core any more: what has been learnt of a kernel goes. NULL: it learns nothing. */
    void (*drained)(spin *unit);
    /* heddle.state/1: all that may have changed since reset, to the stream or from it; it comes after a launch of each warp that is in
     * the core, so that what launch says need not be in it. NULL: a core with the unit cannot be saved. */
    void (*transfer)(spin *unit, const hd_state_stream *stream);
} spin_unit;

/* Those that must be there. */
#define SPIN_FUNCTIONS                                                                                                 \
    HD_UNIT_FUNCTION(spin_unit, create), HD_UNIT_FUNCTION(spin_unit, destroy), HD_UNIT_FUNCTION(spin_unit, reset),     \
        HD_UNIT_FUNCTION(spin_unit, branched)

#endif
