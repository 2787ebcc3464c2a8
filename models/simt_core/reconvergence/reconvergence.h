/* SPDX-License-Identifier: MIT */
/*
 * The reconvergence unit: which lanes run together, and where they meet again.
 *
 * The pipeline knows *paths*: a path is a set of lanes at one pc and one call depth, and it is what fetches, waits and
 * issues. A unit has a fixed pool of paths, as many for each warp slot (paths_of.h); ids are stable and small. A stack gives
 * every warp one path whose lanes change; mimd gives every lane one. A unit may also regroup lanes: then a path runs in some
 * slot of its block, and each of its lanes is of any warp of that block, at the place that it has in its warp. The pipeline
 * moves pc along straight-line code itself and calls the unit only where lanes may part or meet, with the event that says
 * what happens (path_event.h):
 *   transfer  after a control transfer is resolved (branch, jump, call, return), whether or not lanes part,
 *   arrive    when straight-line code has brought pc to the path's stop point,
 *   exit      when lanes leave the kernel.
 * In each call the unit updates its paths and reports what became of them through reconvergence_events, before it
 * returns. So it may when it is told of a barrier, or its time has come.
 *
 * Lanes that have reached a barrier are counted there. The path that stood there may go on with others, or end: the unit then keeps
 * those, with the instruction after the barrier as theirs, and runs them at the earliest when it is told that the barrier has opened
 * (PATH_BARRIER_OPENED).
 *
 * A reconvergence point is a pair (pc, call depth). ISA_RECONVERGE_AT_RETURN as pc means "the return of this depth":
 * lanes arrive there by the return that leaves that depth, and go on at the pc they return to.
 * Source: Fung 2015 §2.3.3; simt-stack rules TAIL-MERGE and PRUNE.
 */
#ifndef SIMT_CORE_RECONVERGENCE_H
#define SIMT_CORE_RECONVERGENCE_H

#include "byte_stream.h"
#include "hd_extension.h"
#include "hd_state.h"
#include "hd_unit.h"
#include "path.h"
#include "path_event.h"
#include "program.h"

#define RECONVERGENCE_INTERFACE "heddle.reconvergence/3" /* hd_unit.functions is a reconvergence_unit */

#define MAX_LANES 64u
#define MAX_WARPS 256u

/* What became of a path during a call. CHANGED: it exists with other lanes or another pc than the pipeline left it
 * with. */
typedef struct reconvergence_events {
    void *context;
    void (*added)(void *context, uint32_t path);
    void (*changed)(void *context, uint32_t path);
    void (*removed)(void *context, uint32_t path);
    /* For units that regroup: the path exists with other lanes than before, at the pc at which it was. */
    void (*regrouped)(void *context, uint32_t path);
    /* Does the path stand between two instructions, with nobody waiting for it? Only then may its lanes change in a call that
     * is about another path. */
    uint32_t (*is_between)(void *context, uint32_t path);
} reconvergence_events;

/* The lanes of mask by their target, target[lane]; groups in the order of their lowest lane. Returns how many. */
uint32_t groups_by_target(uint64_t mask, const uint32_t *target, uint32_t depth, path_group *groups);
/* The one or two groups of a branch of this path; taken is a subset of its mask. */
uint32_t groups_of_branch(const path *path, uint64_t taken, uint32_t target, path_group *groups);

/* The warps of a block in their order, by slot. Lent. */
typedef struct block_warps {
    const uint32_t *slots;
    uint32_t count;
} block_warps;

/* Place of the slot among them; count: it is of another block. */
static inline uint32_t block_warps_index(const block_warps *warps, uint32_t slot)
{
    uint32_t i = 0;
    while (i < warps->count && warps->slots[i] != slot)
        i++;
    return i;
}

/* Memory of the unit's own, of which each warp has some beside its private memory. Timing only: what it says the unit knows. */
#define RECONVERGENCE_MEMORY_BYTES 4096u
typedef struct reconvergence_memory {
    void *context;
    /* May an access begin now? Asked in `due` alone, and only there it may begin. */
    uint32_t (*has_room)(const void *context);
    /* The line at `place` of the warp's is read or written through the L1; reconvergence_unit.accessed follows when that is done. */
    void (*access)(void *context, uint32_t warp, uint32_t place, uint32_t writes, uint32_t tag);
} reconvergence_memory;

typedef struct reconvergence_parameters {
    uint32_t warps;
    uint32_t lanes;
    hd_unit_share share;
    const reconvergence_memory *memory; /* NULL: the core times no accesses, and the unit's take no time */
} reconvergence_parameters;

typedef struct reconvergence reconvergence; /* a unit's own type, cast */

typedef struct reconvergence_unit {
    /* The table of the program with path_event.reconvergence_pc, and the analysis that makes it, NULL: one that any program can
     * have (hd_programs.require). table NULL: it needs none. */
    const char *table;
    const struct isa_analysis *analysis;
    /* In the place of both, for a unit whose parameters choose it: the table's name, one that any program can have. Fixed after create. */
    const char *(*table_of)(const reconvergence *unit);
    /* The analysis of path_event.likely_pc, by the unit's parameters, as long as the unit is there; NULL: none. NULL: the unit never has
     * one. */
    const struct isa_analysis *(*likely_points)(const reconvergence *unit);

    /* Allocates everything. NULL: out of memory. */
    reconvergence *(*create)(const reconvergence_parameters *parameters, const reconvergence_events *events);
    void (*destroy)(reconvergence *unit);
    void (*reset)(reconvergence *unit);
    /* Fixed after create. */
    uint32_t (*path_count)(const reconvergence *unit);
    path *(*paths)(reconvergence *unit);
    /* Slots of the lanes' warps, [path][lane], where path.home is HOMES_DIFFER. NULL: the unit never regroups lanes. It cannot
     * have transactions if it does. */
    const uint32_t *(*homes)(const reconvergence *unit);

    /* A block starts: of its warp `index` the lanes masks[index] at pc, depth 0. */
    void (*launch)(reconvergence *unit, const block_warps *warps, uint32_t pc, const uint64_t *masks);
    /* PATH_BRANCHED: the path's lanes go where the groups say, of which there is one at least. */
    void (*transfer)(reconvergence *unit, const path_event *event);
    /* PATH_ARRIVED: path.pc == path.stop_pc and path.depth == path.stop_depth. */
    void (*arrive)(reconvergence *unit, const path_event *event);
    /* PATH_EXITED: the lanes event.mask, a subset of the path's, are done for good. */
    void (*exit)(reconvergence *unit, const path_event *event);

    /* Is it told that lanes may part, or that they have arrived, only when no instruction of theirs in flight has yet to write a register?
     * Fixed after create. NULL: no. Only for units that regroup lanes. */
    uint32_t (*drains)(const reconvergence *unit);
    /* Has the path arrived if it jumps there? Only of those that drain. NULL: at its stop point alone. */
    uint32_t (*arrives)(const reconvergence *unit, uint32_t path, uint32_t pc, uint32_t depth);

    /* Kinds of events, PATH_*, that it is told of beside these three; fixed after create. NULL: none, and no event. */
    uint32_t (*wants)(const reconvergence *unit);
    void (*event)(reconvergence *unit, const path_event *event);

    /* The first cycle after `cycle` at which it acts by itself if nothing happens to its paths, UINT64_MAX: there is none. Asked
     * after every edge at which something may have. NULL: it never does, and no due. */
    uint64_t (*next)(const reconvergence *unit, uint64_t cycle);
    /* It is that cycle, or, in a core that does not time its instructions, soon after. What it reports: paths that it adds or removes, and as changed those that stand at a barrier or have had
     * no lane; all others are with an instruction. */
    void (*due)(reconvergence *unit, uint64_t cycle);
    /* An access to its memory is done; paths that it adds for it are reported. NULL: it makes none. */
    void (*accessed)(reconvergence *unit, uint32_t warp, uint32_t tag);

    /*
     * Transactions (Fung 2015 §4.2.1); NULL: lanes of one warp cannot run one together here. A warp is in one transaction at
     * most, and of its paths only the one that began it: that has all the lanes that run of it, some at a time, until it
     * leaves. Lanes of the transaction run, or have aborted and wait for those that run to be done: only then do they
     * start again. While none runs, path.mask is 0 and the path still exists.
     */
    /* The path begins one; the first instruction in it is at restart_pc, at the path's depth. `lanes`, not 0, of its lanes run
     * now, the others when they are restarted: until then they are among those that have aborted. */
    void (*tx_begin)(reconvergence *unit, uint32_t path, uint64_t lanes, uint32_t restart_pc);
    /* Lanes that still run, and those that have aborted; 0 and 0: the warp is in no transaction. */
    uint64_t (*tx_running)(const reconvergence *unit, uint32_t warp);
    uint64_t (*tx_aborted)(const reconvergence *unit, uint32_t warp);
    /* Do all lanes that run stand at the path's pc together? */
    uint32_t (*tx_together)(const reconvergence *unit, uint32_t warp);
    /* These of the running lanes abort, wherever they are. Reported as changed if the path goes on elsewhere; not if only its
     * mask is smaller, or 0. */
    void (*tx_abort)(reconvergence *unit, uint32_t warp, uint64_t lanes);
    /* All running lanes are together: these of them are done, the failed ones to start again. */
    void (*tx_done)(reconvergence *unit, uint32_t warp, uint64_t committed, uint64_t failed);
    /* No lane runs or pauses: these of those that have aborted, not 0, start again, or, if there are none, all lanes that began go on at
     * pc. Reported as changed. */
    void (*tx_restart)(reconvergence *unit, uint32_t warp, uint64_t lanes);
    void (*tx_leave)(reconvergence *unit, uint32_t warp, uint32_t pc);
    /* NULL, all three: no lane of a transaction can wait at its own place for others (ability "pauses"). */
    /* `going`, not 0, of the lanes at the path's pc go on from there as if no others ran; all others that run pause where they are,
     * and are then none that run. Not reported: only the path's mask is smaller. */
    void (*tx_pause)(reconvergence *unit, uint32_t warp, uint64_t going);
    /* Lanes that pause. */
    uint64_t (*tx_paused)(const reconvergence *unit, uint32_t warp);
    /* No lane runs: those that have paused last do, where they were. Reported as changed. */
    void (*tx_resume)(reconvergence *unit, uint32_t warp);

    /* All that the unit knows of a block whose paths are at rest, written to the stream. Changes nothing; neither this nor
     * what it writes depends on the slots of its warps. */
    void (*save)(reconvergence *unit, const block_warps *warps, byte_stream *stream);
    /* The same read back, by a unit of the same name and lanes, into slots without live lanes: every path that exists is
     * reported as added. Nonzero, and no path is left: no save has written that. */
    uint32_t (*restore)(reconvergence *unit, const block_warps *warps, byte_stream *stream);
    /* The block goes on elsewhere: its paths are removed. */
    void (*drop)(reconvergence *unit, const block_warps *warps);

    /* Lanes of the warp that stand at this barrier (or BARRIER_OF_WARP) though no path of theirs does; NULL: there never are any. */
    uint64_t (*at_barrier)(const reconvergence *unit, uint32_t warp, uint32_t barrier);
    /* Lanes of the warp that have not exited. */
    uint64_t (*live_lanes)(const reconvergence *unit, uint32_t warp);
    /* May this path wait at a block barrier or a warp.sync for lanes of its own warp that are elsewhere? 0 = that could
     * never end, the program is wrong. */
    uint32_t (*may_wait)(const reconvergence *unit, uint32_t path);
    /* The same at a block barrier, for threads of other warps. NULL: it always may. */
    uint32_t (*may_wait_for_block)(const reconvergence *unit, uint32_t path);
    /* Of so many warps of the launch are the lanes of the path, where lanes of several run in fewer: their sum over the paths that run
     * together is that of the warps. For profiles. NULL: of one. */
    uint32_t (*launch_warps)(const reconvergence *unit, uint32_t path);
    /* Deepest stack or most paths of one warp since reset. */
    uint64_t (*maximum_depth)(const reconvergence *unit);
    /* One line per group of lanes of the warp that waits at a reconvergence point: which lanes, which point. The program
     * knows function and line of it. */
    void (*describe)(const reconvergence *unit, uint32_t warp, const isa_program *program, const hd_text_sink *sink);
    /* Where a lane that has not exited, and is in no path, goes on: for debuggers. 0: that is not known. NULL: it never is. */
    uint32_t (*waiting_pc)(const reconvergence *unit, uint32_t warp, uint32_t lane, uint32_t *pc);
    /* heddle.state/1: all that may have changed since reset, paths and homes included, to the stream or from it. Nothing is reported.
     * NULL: a core with the unit cannot be saved. */
    void (*transfer_state)(reconvergence *unit, const hd_state_stream *stream);
} reconvergence_unit;

/* Those that must be there. */
#define RECONVERGENCE_FUNCTIONS                                                                                        \
    HD_UNIT_FUNCTION(reconvergence_unit, create), HD_UNIT_FUNCTION(reconvergence_unit, destroy),                       \
        HD_UNIT_FUNCTION(reconvergence_unit, reset), HD_UNIT_FUNCTION(reconvergence_unit, path_count),                 \
        HD_UNIT_FUNCTION(reconvergence_unit, paths), HD_UNIT_FUNCTION(reconvergence_unit, launch),                     \
        HD_UNIT_FUNCTION(reconvergence_unit, transfer), HD_UNIT_FUNCTION(reconvergence_unit, arrive),                  \
        HD_UNIT_FUNCTION(reconvergence_unit, exit), HD_UNIT_FUNCTION(reconvergence_unit, drop),                        \
        HD_UNIT_FUNCTION(reconvergence_unit, live_lanes), HD_UNIT_FUNCTION(reconvergence_unit, may_wait),              \
        HD_UNIT_FUNCTION(reconvergence_unit, maximum_depth), HD_UNIT_FUNCTION(reconvergence_unit, describe),           \
        HD_UNIT_FUNCTION_WITH(reconvergence_unit, event, wants), HD_UNIT_FUNCTION_WITH(reconvergence_unit, due, next), \
        HD_UNIT_FUNCTION(reconvergence_unit, save), HD_UNIT_FUNCTION(reconvergence_unit, restore),                     \
        HD_UNIT_FUNCTION_FOR(reconvergence_unit, tx_begin, "transactions"),                                            \
        HD_UNIT_FUNCTION_FOR(reconvergence_unit, tx_running, "transactions"),                                          \
        HD_UNIT_FUNCTION_FOR(reconvergence_unit, tx_aborted, "transactions"),                                          \
        HD_UNIT_FUNCTION_FOR(reconvergence_unit, tx_together, "transactions"),                                         \
        HD_UNIT_FUNCTION_FOR(reconvergence_unit, tx_abort, "transactions"),                                            \
        HD_UNIT_FUNCTION_FOR(reconvergence_unit, tx_done, "transactions"),                                             \
        HD_UNIT_FUNCTION_FOR(reconvergence_unit, tx_restart, "transactions"),                                          \
        HD_UNIT_FUNCTION_FOR(reconvergence_unit, tx_leave, "transactions"),                                            \
        HD_UNIT_FUNCTION_FOR(reconvergence_unit, tx_pause, "pauses"),                                                  \
        HD_UNIT_FUNCTION_FOR(reconvergence_unit, tx_paused, "pauses"),                                                 \
        HD_UNIT_FUNCTION_FOR(reconvergence_unit, tx_resume, "pauses")

#endif
