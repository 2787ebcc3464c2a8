/* SPDX-License-Identifier: MIT */
/*
 * The scoreboard: whether the next instruction of a path has to wait for what is in flight. The core keeps the registers that
 * instructions in flight will write (pending_registers.h), and holds back an instruction that reads or writes one of them for a lane
 * of its own. A unit says what else an instruction waits for. Several paths of a warp may be in flight with different lanes
 * (ElTantawy 2018 §7.2.2): a result is of lanes, wherever they are by then.
 * Source: Fung 2015 §2.3.3.
 */
#ifndef SIMT_CORE_SCOREBOARD_H
#define SIMT_CORE_SCOREBOARD_H

#include "hd_state.h"
#include "hd_unit.h"
#include "path_event.h"
#include "pending_registers.h"

#define SCOREBOARD_INTERFACE "heddle.scoreboard/3" /* hd_unit.functions is a scoreboard_unit */

typedef struct scoreboard_parameters {
    uint32_t rows;  /* of registers, one per warp; 64 registers each, by number */
    uint32_t lanes; /* of a row */
    uint32_t paths;
    const pending_registers *pending; /* the core's, up to date whenever the unit is called */
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
    /* NULL: the unit keeps nothing, and is given NULL; else destroy is there too, and reset if it has something to forget. create
     * returns NULL if there is no memory. */
    scoreboard *(*create)(const scoreboard_parameters *parameters);
    void (*destroy)(scoreboard *unit);
    void (*reset)(scoreboard *unit);
    /* 1: it is asked about every instruction that is not held back; else only about those of which a register is pending in some row
     * for other lanes, and, where lanes are regrouped, about all. */
    uint32_t always_asked;
    /* 1: what one path reserves may make others that run in its slot wait that did not: they are asked about again. */
    uint32_t revokes;
    /* 1: waits depends on nothing but what the question says: lanes that are in other paths make none wait. */
    uint32_t by_path;
    /* No register of the instruction is pending for a lane of its own. PATH_STALL_RESULT, PATH_STALL_DATA: it has to wait all the same,
     * for a functional unit or for a load; 0: it may issue; after another answer the run ends, and the unit is named. Pure. One that waits is asked about again when something of its warp's is
     * released or done. NULL: 0. */
    uint32_t (*waits)(const scoreboard *unit, const scoreboard_question *question);
    /* The instruction issues, and its register has become pending, by a load or not. waits was 0, and has been since. NULL: whatever. */
    void (*reserved)(scoreboard *unit, const scoreboard_result *result, uint32_t is_load);
    /* These of the lanes have their values: those of a load may come in parts. NULL: whatever. */
    void (*released)(scoreboard *unit, const scoreboard_result *result);
    /* heddle.state/1: all that may have changed since reset, to the stream or from it. NULL: a core with the unit cannot be saved, if it
     * has reset. */
    void (*transfer)(scoreboard *unit, const hd_state_stream *stream);
} scoreboard_unit;

/* Those that others need. */
#define SCOREBOARD_FUNCTIONS                                                                                           \
    HD_UNIT_FUNCTION_WITH(scoreboard_unit, destroy, create), HD_UNIT_FUNCTION_WITH(scoreboard_unit, create, destroy),  \
        HD_UNIT_FUNCTION_WITH(scoreboard_unit, create, reset)

#endif
