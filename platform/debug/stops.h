/* SPDX-License-Identifier: MIT */
/* When threads that run have to stop: breakpoints, watchpoints, steps, Ctrl-C. */
#ifndef HD_DEBUG_STOPS_H
#define HD_DEBUG_STOPS_H

#include <stdint.h>

#include "target.h"

#define STOPS_MAX 256u

#define ACCESS_NONE 0u
#define ACCESS_READ 1u
#define ACCESS_WRITE 2u

/* Threads first, first + 1, ... of which a bit is set are about to execute the instruction at pc. */
typedef struct debug_moment {
    uint64_t pc;
    uint64_t first;
    uint64_t threads;
    uint64_t address; /* of what it accesses */
    uint32_t bytes;
    uint32_t access; /* a set of ACCESS_* */
} debug_moment;

static inline uint32_t moment_has(const debug_moment *moment, uint64_t thread)
{
    return thread - moment->first < 64 && moment->threads >> (thread - moment->first) & 1;
}

enum stop_reason { STOP_NONE, STOP_TRAP, STOP_INTERRUPT, STOP_FAULT, STOP_WATCH, STOP_READ_WATCH, STOP_ACCESS_WATCH };

typedef struct debug_stop {
    enum stop_reason reason;
    uint32_t signal; /* of a fault, as gdb numbers them */
    uint64_t thread;
    uint64_t address; /* of a watchpoint */
} debug_stop;

/* Places, by kind as in packets: 0 and 1 breakpoints; 2, 3, 4 what is written, read, either. */
typedef struct debug_place {
    uint32_t kind;
    uint32_t bytes;
    uint64_t address;
} debug_place;

enum step_kind {
    STEP_NONE,
    STEP_NEXT,  /* until the thread is about to execute an instruction outside begin .. end - 1 */
    STEP_ALONE, /* until anything else happens after the thread's instruction: no other thread should run meanwhile */
};

typedef struct debug_stops {
    debug_place places[STOPS_MAX];
    uint32_t place_count;
    uint32_t watch_count; /* of them, watchpoints */
    uint32_t interrupted; /* Ctrl-C has come */
    uint32_t step;        /* enum step_kind */
    uint32_t has_stepped; /* STEP_ALONE: the instruction has been executed */
    uint64_t thread;      /* that steps */
    uint64_t begin, end;
    uint64_t leaves; /* the thread that stopped in front of its instruction, which is to be executed first; 0: none */
    debug_stop watched; /* of an instruction that is being executed */
} debug_stops;

/* The watchpoint that an access of these bytes concerns whose first byte of them is the lowest, but not below `from`. STOP_NONE:
 * there is none. Its address is that byte. */
debug_stop stops_watch(const debug_stops *stops, uint64_t thread, uint64_t address, uint32_t bytes, uint32_t access,
                       uint64_t from);
/* 0: there is no room. One that is there already is not put in again. */
uint32_t stops_insert(debug_stops *stops, const debug_place *place);
void stops_remove(debug_stops *stops, const debug_place *place);
/* Threads go on, `stopped` in front of an instruction that was looked at already; step: enum step_kind, of `thread`. */
void stops_resume(debug_stops *stops, uint64_t stopped, uint32_t step, uint64_t thread, uint64_t begin, uint64_t end);
/* Does this stop them? Asked again after each stop, until it does not: then the instruction is executed. */
debug_stop stops_look(debug_stops *stops, const debug_moment *moment, const debug_target *target);
/* The same in between, when no instruction is about to be executed. */
debug_stop stops_look_between(debug_stops *stops, const debug_target *target);

#endif
