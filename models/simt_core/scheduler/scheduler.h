/* SPDX-License-Identifier: MIT */
/*
 * The warp scheduler: which of the ready paths issues, and whether one does. One instance per issue port; it is told of its own
 * paths only. pick is pure: asking twice, or not at all, changes nothing. What pick and next answer is checked: the run ends, and the
 * scheduler is named, if it may not be. Source: Fung 2015 §2.3.3; ElTantawy 2018 §2.3.2, §6.3.3.
 */
#ifndef SIMT_CORE_SCHEDULER_H
#define SIMT_CORE_SCHEDULER_H

#include "hd_state.h"
#include "hd_unit.h"

#include "path.h"
#include "path_event.h"

#define SCHEDULER_INTERFACE "heddle.scheduler/2" /* hd_unit.functions is a scheduler_unit */

typedef struct scheduler_shared scheduler_shared; /* a unit's own type, cast; so too the next */

typedef struct scheduler scheduler;
struct scheduler_unit;

/* A scheduler that another unit asks (back_off.h). */
typedef struct scheduler_base {
    const struct scheduler_unit *unit;
    scheduler *instance;
} scheduler_base;

typedef struct scheduler_parameters {
    uint32_t paths;          /* ids are 0 .. paths - 1 */
    uint32_t paths_per_warp; /* which they are: paths_of.h */
    const path *standing;    /* [path]: as it is whenever pick or event is called; lent */
    hd_unit_share share;
    scheduler_shared *shared; /* of this core; NULL: the unit has none */
    scheduler_base
        base; /* of a unit of the kind back_off: that of its port; of others NULL. instance NULL: for create_shared */
} scheduler_parameters;

typedef struct scheduler_unit {
    /* What the instances of a core share: made before them and taken apart after them, reset before they are. NULL, all three: nothing.
     * create_shared: NULL is out of memory. */
    scheduler_shared *(*create_shared)(const scheduler_parameters *parameters);
    void (*destroy_shared)(scheduler_shared *shared);
    void (*reset_shared)(scheduler_shared *shared);

    scheduler *(*create)(const scheduler_parameters *parameters);
    void (*destroy)(scheduler *unit);
    void (*reset)(scheduler *unit);
    /* A path exists from now on; a smaller age is older. Ties: the smaller path id is older. One that comes from another
     * core is new here, and the youngest. */
    void (*add)(scheduler *unit, uint32_t path, uint64_t age);
    void (*remove)(scheduler *unit, uint32_t path);
    /* One of the paths whose bit is set in ready (ceil(paths / 64) words; only own paths are set), or NO_PATH: there is none, or it
     * declines. cycle: of the core's clock, never decreasing. */
    uint32_t (*pick)(const scheduler *unit, const uint64_t *ready, uint64_t cycle);
    /*
     * NULL: it never declines. It may decline for a time, and is not asked at every edge meanwhile: having declined a set it declines
     * each part of it too, until some instance of the core is told of a path or an event, or until the cycle that `next` says,
     * asked after everything else of the edge: the first one after `cycle`, UINT64_MAX: there is none. The slots are slots_backed_off.
     */
    uint64_t (*next)(const scheduler *unit, uint64_t cycle);
    /* Kinds of events, PATH_*, that it is told of; fixed after create. NULL: none, and no event. */
    uint32_t (*wants)(const scheduler *unit);
    /* Of one of its paths, or a warp of theirs. PATH_ISSUED: whoever picked it. */
    void (*event)(scheduler *unit, const path_event *event);

    /* heddle.state/1: all that may have changed since reset, to the stream or from it; of what the instances share, once. What the
     * base has is its own. NULL: a core with the unit cannot be saved. transfer_shared: where there is create_shared. */
    void (*transfer)(scheduler *unit, const hd_state_stream *stream);
    void (*transfer_shared)(scheduler_shared *shared, const hd_state_stream *stream);
} scheduler_unit;

/* Those that must be there. */
#define SCHEDULER_FUNCTIONS                                                                                            \
    HD_UNIT_FUNCTION(scheduler_unit, create), HD_UNIT_FUNCTION(scheduler_unit, destroy),                               \
        HD_UNIT_FUNCTION(scheduler_unit, reset), HD_UNIT_FUNCTION(scheduler_unit, add),                                \
        HD_UNIT_FUNCTION(scheduler_unit, remove), HD_UNIT_FUNCTION(scheduler_unit, pick),                              \
        HD_UNIT_FUNCTION_WITH(scheduler_unit, destroy_shared, create_shared),                                          \
        HD_UNIT_FUNCTION_WITH(scheduler_unit, reset_shared, create_shared),                                            \
        HD_UNIT_FUNCTION_WITH(scheduler_unit, event, wants),                                                           \
        HD_UNIT_FUNCTION_WITH(scheduler_unit, transfer, transfer_shared)

#endif
