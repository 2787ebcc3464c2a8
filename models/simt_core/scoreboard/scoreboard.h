/* SPDX-License-Identifier: MIT */
/*
 * The scoreboard: whether the next instruction of a path has to wait for what is in flight. It is told of every register that an
 * instruction in flight will write, for which lanes: when the instruction issues, and when the values are there. Several paths of a
 * warp may be in flight with different lanes (ElTantawy 2018 §7.2.2): a result is of lanes, wherever they are by then.
 * Source: Fung 2015 §2.3.3.
 */
#ifndef SIMT_CORE_SCOREBOARD_H
#define SIMT_CORE_SCOREBOARD_H

#include "hd_unit.h"
#include "lane_homes.h"
#include "path_event.h"

#define SCOREBOARD_INTERFACE "heddle.scoreboard/1" /* hd_unit.functions is a scoreboard_unit */

typedef struct scoreboard_parameters {
    uint32_t rows;  /* of registers, one per warp; 64 registers each, by number */
    uint32_t lanes; /* of a row */
    uint32_t paths;
    hd_unit_share share;
} scoreboard_parameters;

/* The instruction that a path has decoded. Sets of registers: a bit each. */
typedef struct scoreboard_question {
    uint32_t path;
    lane_homes homes; /* of its lanes: the rows of their registers */
    uint64_t mask;    /* lanes, not 0 */
    uint64_t reads, writes;
    uint32_t in_flight;        /* instructions of the path that are not done, those that write no register included */
    uint32_t memory_in_flight; /* of them, accesses */
} scoreboard_question;

/* A register that an instruction of the path writes for these lanes. */
typedef struct scoreboard_result {
    uint32_t path; /* by which it issued */
    uint32_t number;
    lane_homes homes; /* as they were then */
    uint64_t mask;
} scoreboard_result;

typedef struct scoreboard scoreboard; /* a unit's own type, cast */

typedef struct scoreboard_unit {
    scoreboard *(*create)(const scoreboard_parameters *parameters); /* NULL: out of memory */
    void (*destroy)(scoreboard *unit);
    void (*reset)(scoreboard *unit);
    /* [row]: registers of the row that some lane waits for, reserved and not released. Fixed after create, always up to date.
     * Unless always_asked, an instruction waits for nothing that none of its registers is among: it is not asked about then. */
    const uint64_t *(*pending)(const scoreboard *unit);
    uint32_t always_asked;
    /* 1: what one path reserves may make others that run in its slot wait that did not: they are asked about again. */
    uint32_t revokes;
    /* PATH_STALL_RESULT, PATH_STALL_DATA: the instruction has to wait, for a functional unit or for a load; 0: it may issue. Pure.
     * One that waits is asked about again when something of its warp's is released or done. */
    uint32_t (*waits)(const scoreboard *unit, const scoreboard_question *question);
    /* The instruction issues: it will write that register, by a load or not. waits was 0, and has been since. */
    void (*reserve)(scoreboard *unit, const scoreboard_result *result, uint32_t is_load);
    /* The lanes have their values. Returns those for which the register is still awaited, in any of the rows of these. */
    uint64_t (*release)(scoreboard *unit, const scoreboard_result *result);
} scoreboard_unit;

/* Those that must be there. */
#define SCOREBOARD_FUNCTIONS                                                                                           \
    HD_UNIT_FUNCTION(scoreboard_unit, create), HD_UNIT_FUNCTION(scoreboard_unit, destroy),                             \
        HD_UNIT_FUNCTION(scoreboard_unit, reset), HD_UNIT_FUNCTION(scoreboard_unit, pending),                          \
        HD_UNIT_FUNCTION(scoreboard_unit, waits), HD_UNIT_FUNCTION(scoreboard_unit, reserve),                          \
        HD_UNIT_FUNCTION(scoreboard_unit, release)

#endif
