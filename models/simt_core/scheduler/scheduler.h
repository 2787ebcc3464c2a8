/* SPDX-License-Identifier: MIT */
/*
 * The warp scheduler: which of the ready paths issues. One instance per issue port; it is told of its own paths only.
 * pick is pure: asking twice, or not at all, changes nothing. Source: Fung 2015 §2.3.3; ElTantawy 2018 §2.3.2, §6.3.3.
 */
#ifndef SIMT_CORE_SCHEDULER_H
#define SIMT_CORE_SCHEDULER_H

#include "hd_unit.h"

#include "path_event.h"

#define SCHEDULER_INTERFACE "heddle.scheduler/1" /* hd_unit.functions is a scheduler_unit */

typedef struct scheduler_parameters {
    uint32_t paths;          /* ids are 0 .. paths - 1 */
    uint32_t paths_per_warp; /* which they are: paths_of.h */
    hd_unit_share share;
} scheduler_parameters;

typedef struct scheduler scheduler;

typedef struct scheduler_unit {
    scheduler *(*create)(const scheduler_parameters *parameters);
    void (*destroy)(scheduler *unit);
    void (*reset)(scheduler *unit);
    /* A path exists from now on; a smaller age is older. Ties: the smaller path id is older. One that comes from another
     * core is new here, and the youngest. */
    void (*add)(scheduler *unit, uint32_t path, uint64_t age);
    void (*remove)(scheduler *unit, uint32_t path);
    /* One of the paths whose bit is set in ready (ceil(paths / 64) words; only own paths are set), or NO_PATH if none.
     * cycle: of the core's clock, never decreasing. */
    uint32_t (*pick)(const scheduler *unit, const uint64_t *ready, uint64_t cycle);
    /* Kinds of events, PATH_*, that it is told of; fixed after create. NULL: none, and no event. */
    uint32_t (*wants)(const scheduler *unit);
    /* Of one of its paths, or a warp of theirs. PATH_ISSUED: whoever picked it. */
    void (*event)(scheduler *unit, const path_event *event);
} scheduler_unit;

#endif
