/* SPDX-License-Identifier: MIT */
#ifndef VEC_CORE_STATE_H
#define VEC_CORE_STATE_H

#include "hd_extension.h"
#include "hd_message.h"
#include "hd_state.h"
#include "hd_work.h"
#include "loads.h"
#include "parameters.h"
#include "vec_caches.h"
#include "vec_hart.h"
#include "vec_image.h"
#include "vec_window.h"

enum { PORT_COMMANDS, PORT_EVENTS, PORT_MEMORY, PORT_COUNT };

enum {
    MESSAGE_CORE_VECTOR,
    MESSAGE_RUN,
    MESSAGE_VECTOR,
    MESSAGE_STOPPED,
    MESSAGE_MOVE,
    MESSAGE_REFUSED,
    MESSAGE_CALL,
    MESSAGE_RETURN,
    MESSAGE_TRAP,
    MESSAGE_READ,
    MESSAGE_WRITE,
    MESSAGE_RESPONSE,
    MESSAGE_COUNT
};

enum predictor { PREDICTOR_BIMODAL, PREDICTOR_PERFECT };

enum activity {
    ACTIVITY_EMPTY,
    ACTIVITY_ENTERING, /* its vector registers are on their way */
    ACTIVITY_RUNNING,
    ACTIVITY_CALLING, /* it waits for the operating system */
    ACTIVITY_FAULTED
};

/* What the instruction at pc has come to. */
enum phase { PHASE_FETCH, PHASE_LINES, PHASE_STORE };

/* What is to be sent; all but the first wait until every access is answered. */
enum outgoing { OUTGOING_NOTHING, OUTGOING_VECTOR, OUTGOING_CALL, OUTGOING_TRAP, OUTGOING_STOPPED, OUTGOING_REFUSED };

#define DECODED 4096u /* instructions kept decoded, a power of two */
#define COUNTERS 4096u

#define NO_LINE 1u /* no line has this address */

typedef struct decoded {
    uint32_t pc; /* 1: none */
    vec_operation operation;
} decoded;

typedef struct vec_core {
    const hd_services *services;
    hd_value values[PARAMETER_COUNT];
    uint32_t messages[MESSAGE_COUNT];
    hd_link *commands, *events, *memory_out, *memory_in;
    hd_cursor cursor;
    uint64_t accounted;

    vec_hart hart;
    vec_window window;
    vec_caches caches;
    vec_plan plan;
    decoded *decoded;
    uint8_t *predictions; /* two-bit counters */

    enum activity activity;
    enum outgoing outgoing;
    uint64_t thread; /* its number */
    uint8_t *vectors;
    uint32_t vectors_taken; /* bytes, of those that come or go */
    uint32_t has_move;
    uint64_t arrived_with; /* instructions that the thread had retired when it came */
    hd_thread_move move;
    uint32_t trap_cause, trap_value;

    enum phase phase;
    const vec_operation *operation; /* at pc, from PHASE_LINES on */
    uint32_t code_line;             /* that was looked up last; 1: none */
    uint32_t next;                  /* line of the plan that is to be looked up, or stored */
    uint32_t missing;               /* lines of the plan that are coming */
    uint8_t *is_missing;            /* [line of the plan] */
    uint32_t from_second;           /* a line of it came from the second cache */
    uint32_t has_waited;            /* for one from memory */
    uint32_t waits;                 /* for a line, room, an acknowledgement or a credit: what comes wakes it */
    uint32_t *fetched;              /* [miss]: line; 1: free */
    uint32_t fetching, storing;     /* requests without an answer */
    vec_loads loads;                /* that wait while others enter */
    vec_image image;                /* of memory, if any may */
    uint32_t is_ahead;              /* the load at pc goes on with what is known of its lines */
    uint64_t measured_from;
    vec_core_counters counters;
} vec_core;

static inline uint64_t value_of(const vec_core *self, uint32_t parameter)
{
    return self->values[parameter].u;
}

/* ---- memory.c: requests and their answers --------------------------------------------------------------------------- */
void core_take_responses(vec_core *self, hd_time t);
/* Looks up the lines that the plan loads, and fetches what is missing. 1: all are there. */
uint32_t core_load(vec_core *self, hd_time t);
/* Looks a line up, and fetches it if it is nowhere. bytes, unless NULL: what is there of it. 0: it cannot even be fetched now. */
uint32_t core_look_up(vec_core *self, uint32_t line, uint8_t *bytes, enum vec_found *found, hd_time t);
/* Sends what the plan stores. 1: all has been sent. */
uint32_t core_store(vec_core *self, hd_time t);
/* The line of code at pc. NULL: it is coming. */
const uint8_t *core_fetch(vec_core *self, hd_time t);
void core_forget_lines(vec_core *self);

/* ---- loads.c: those that wait while others enter ------------------------------------------------------------------------- */
enum ahead {
    AHEAD_NOT,   /* it need not wait, or has to, and nothing enters meanwhile */
    AHEAD_KNOWN, /* its bytes are known, and in the plan */
    AHEAD_FULL   /* it would, but too many wait already */
};
enum ahead core_load_ahead(vec_core *self);
/* The load of the plan has entered the window. */
void core_load_entered(vec_core *self);
/* What can be looked up by now is. */
void core_advance_loads(vec_core *self, hd_time t);
void core_line_came(vec_core *self, uint32_t line);

/* ---- run.c: instructions ---------------------------------------------------------------------------------------------- */
void core_run(vec_core *self, hd_time t);
/* The next instruction is the one at pc, and nothing of the last is left. */
void core_begin(vec_core *self);

/* ---- threads.c: coming, going and calling ------------------------------------------------------------------------------ */
void core_take_commands(vec_core *self, hd_time t);
/* ecall: by the core itself, or the thread waits from now on. */
void core_call(vec_core *self);
/* An exception of the instruction at pc. */
void core_exception(vec_core *self, uint32_t cause, uint32_t value);
/* The thread that is here is asked to leave, and nothing of it is under way: does it? */
void core_consider_move(vec_core *self);
/* Sends what there is to send; a thread that waits for the operating system may be asked to leave. */
void core_settle(vec_core *self, hd_time t);

/* ---- checkpoint.c --------------------------------------------------------------------------------------------------------- */
extern const hd_state vec_core_state;

/* ---- declaration.c ----------------------------------------------------------------------------------------------------- */
extern const hd_parameter vec_core_parameters[PARAMETER_COUNT];
extern const hd_port vec_core_ports[PORT_COUNT];
extern const hd_statistic vec_core_statistics[sizeof(vec_core_counters) / sizeof(uint64_t)];
extern const hd_message_use vec_core_messages[MESSAGE_COUNT + 1];

#endif
