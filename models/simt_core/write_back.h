/* SPDX-License-Identifier: MIT */
/*
 * Results reach their registers, and whoever waits for them goes on. Those wait until the register file takes them, in the order in
 * which they came.
 */
#ifndef SIMT_CORE_WRITE_BACK_H
#define SIMT_CORE_WRITE_BACK_H

#include <stdint.h>

#include "instruction.h"
#include "instruction_places.h"
#include "ticket.h"
#include "timing_wheel.h"

typedef struct simt_core simt_core;

typedef struct waiting_result {
    uint64_t mask;                      /* lanes; 0: the access has ended, and nothing is written */
    uint64_t since;                     /* edge */
    const isa_instruction *instruction; /* of an access; NULL: of a functional unit */
    uint32_t path;
    uint32_t warp;                /* of an access: slot in which the path runs */
    uint32_t homes;               /* kept_homes: of the lanes */
    uint32_t transactional_store; /* as in the access's ticket */
    uint8_t number;               /* register */
    uint8_t last;                 /* of the access */
} waiting_result;

/* A ring that grows. */
typedef struct result_queue {
    waiting_result *results;
    uint32_t capacity; /* a power of two, or 0 */
    uint32_t head, count;
} result_queue;

/* That have no turn yet; only with a width. */
typedef struct waiting_results {
    result_queue of_units, loaded;
    uint32_t width; /* per cycle; 0: all */
} waiting_results;

/* Of a functional unit, at this edge or, without a turn, a later one. */
void write_back(simt_core *core, const wheel_event *event);
/* Values of an access, which are in the registers: of these lanes, and the last ones. */
void write_back_loaded(simt_core *core, const ticket_state *ticket, uint64_t mask, const uint32_t *value,
                       uint32_t last);
/* The turns of this edge, when all that comes at it is here. */
void write_back_take_turns(simt_core *core);
void write_back_transfer(waiting_results *results, const instruction_places *places, const hd_state_stream *stream);
static inline uint32_t write_back_is_due(const waiting_results *results)
{
    return results->of_units.count + results->loaded.count != 0;
}

#endif
