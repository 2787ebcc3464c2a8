/* SPDX-License-Identifier: MIT */
/* Private to host_cpu: the block around the hart. */
#ifndef HOST_CPU_STATE_H
#define HOST_CPU_STATE_H

#include "hart.h"
#include "hd_block.h"
#include "hd_debug.h"
#include "hd_extension.h"
#include "hd_host.h"
#include "hd_memory_port.h"
#include "hd_message.h"
#include "hd_trace.h"
#include "hd_work.h"
#include "host_cpu.h"

#define INTERRUPT_PORTS 64u
#define HARTS_MAX 16u

enum { PORT_BUS, PORT_MEMORY, PORT_INTERRUPT, PORT_COUNT };
enum {
    PARAMETER_RAM_BYTES,
    PARAMETER_RAM_PORT_BYTES,
    PARAMETER_RAM_LATENCY,
    PARAMETER_RAM_REQUESTS,
    PARAMETER_EXCEPTIONS,
    PARAMETER_QUANTUM,
    PARAMETER_UNDO_STORES,
    PARAMETER_BLOCK_CACHE,
    PARAMETER_HARTS,
    PARAMETER_USER_MODE,
    PARAMETER_PMP_ENTRIES,
    PARAMETER_PMP_GRANULARITY,
    PARAMETER_TRIGGERS,
    PARAMETER_CPI_EACH,
    PARAMETER_CPI_LOAD,
    PARAMETER_CPI_STORE,
    PARAMETER_CPI_MULTIPLY,
    PARAMETER_CPI_DIVIDE,
    PARAMETER_CPI_BRANCH,
    PARAMETER_CPI_JUMP,
    PARAMETER_CPI_ATOMIC,
    PARAMETER_CPI_CSR,
    PARAMETER_COUNT
};
enum { EXCEPTIONS_STOP, EXCEPTIONS_TRAP };
enum {
    STATISTIC_INSTRUCTIONS,
    STATISTIC_KINDS, /* one for each kind but the plain ones */
    STATISTIC_EXCEPTIONS = STATISTIC_KINDS + HART_KINDS - 1,
    STATISTIC_INTERRUPTS,
    STATISTIC_BUS_READS,
    STATISTIC_BUS_WRITES,
    STATISTIC_BUS_WAIT_CYCLES,
    STATISTIC_SLEEP_CYCLES,
    STATISTIC_RAM, /* hd_memory_counts */
    STATISTIC_COUNT = STATISTIC_RAM + 5
};
enum { MESSAGE_READ, MESSAGE_WRITE, MESSAGE_RESPONSE, MESSAGE_LEVEL, MESSAGE_COUNT };

enum { EVENT_EXECUTE, EVENT_SLEEP, EVENT_READ, EVENT_WRITE, EVENT_INTERRUPT, EVENT_EXCEPTION, EVENT_COUNT };

extern const hd_parameter host_cpu_parameters[PARAMETER_COUNT];
extern const hd_port host_cpu_ports[PORT_COUNT];
extern const hd_statistic host_cpu_statistics[STATISTIC_COUNT];
#define MESSAGE_USES 7u
extern const hd_message_use host_cpu_messages[MESSAGE_USES];
extern const hd_trace_event host_cpu_trace_events[EVENT_COUNT];
extern const hd_window host_cpu_window;

/* What a hart does. */
enum doing {
    DOING_RUNS,
    DOING_ON_BUS,        /* it waits for the answer to an access */
    DOING_AWAITS_CREDIT, /* ... for the bus to take it */
    DOING_SLEEPS,        /* wfi */
};

/* How far those that run have come. */
enum activity {
    ACTIVITY_KNOWN,   /* they stand at their cycles: how they go on has not been looked at */
    ACTIVITY_AHEAD,   /* they have run ahead, to what the one in front has come to */
    ACTIVITY_FAULTED, /* the run ends */
};

typedef struct host_hart {
    hart hart;
    uint32_t doing; /* enum doing */
    uint32_t stop;  /* enum hart_stop: what it has come to at its cycle; HART_LIMIT: nothing in particular */
    uint32_t kept_stop;
    uint32_t refusal;      /* HD_STATUS_* of the last access that the bus refused */
    uint32_t track;        /* in a trace */
    uint32_t shown;        /* event of the span that has begun there, EVENT_COUNT: none */
    uint32_t shown_access; /* ... and of the one in it */
} host_hart;

typedef struct host_cpu {
    const hd_services *services;
    const hd_trace *trace; /* NULL: the run is not traced */
    uint32_t messages[MESSAGE_COUNT];
    hd_host_cpu_firmware firmware;
    host_hart *harts;
    uint32_t hart_count;
    uint32_t activity;    /* enum activity */
    host_hart *front;     /* ACTIVITY_AHEAD: the one that goes on first; NULL: none runs */
    uint64_t reach;       /* cycles they may run ahead next time */
    uint64_t reach_limit; /* the quantum, or 1 while somebody listens */
    uint64_t quantum;
    hd_debug_listener listener;
    uint64_t accounted; /* edges before this one are in the statistics */
    hd_cursor cursor;   /* first edge not yet worked */

    hd_link *bus_out;
    hd_link *bus_in;
    hd_link *interrupts[INTERRUPT_PORTS];
    uint32_t interrupt_ports;

    hd_memory_port memory;
    uint64_t counters[STATISTIC_COUNT];
} host_cpu;

/* ---- run_ahead.c -------------------------------------------------------------------------------------------------- */

/* The harts have done what begins before this edge and nothing more: something arrives. Who waits for others stays. */
void host_cpu_come_to(host_cpu *self, uint64_t edge);
/* Brings the counters up to the last edge that is accounted. */
void host_cpu_count(host_cpu *self);
/* From this state on they run ahead, and to it they go back. */
void host_cpu_keep(host_cpu *self);
/* Of the harts that run the one whose instruction is next; NULL: none runs. */
host_hart *host_cpu_front(const host_cpu *self);
/* They run ahead, and do at edge n what they came to by then. */
void host_cpu_run(host_cpu *self, hd_time t);
/* When they next have to be looked at: a time at which one came to something; HD_NEVER if only input can move them. */
hd_time host_cpu_next(const host_cpu *self);

/* ---- debug.c ------------------------------------------------------------------------------------------------------ */

extern const hd_debug host_cpu_debug;
/* Somebody listens: may the instruction at pc be executed now? Who listens has then been told. */
uint32_t host_cpu_may_begin(host_cpu *self, host_hart *one, hd_time t);

/* ---- bus.c -------------------------------------------------------------------------------------------------------- */

/* The access at which the hart has stopped leaves, waits for a credit, or is refused. */
void bus_send(host_cpu *self, host_hart *one, hd_time t);
void bus_take_response(host_cpu *self, hd_time t);

/* ---- fault.c ------------------------------------------------------------------------------------------------------- */

/* The hart's exception ends the run. */
void host_cpu_fault(host_cpu *self, const host_hart *one, hd_time t);
/* Where the hart stands, as text. */
void host_cpu_place(const host_cpu *self, const host_hart *one, char *text, size_t bytes);

/* ---- trace.c ------------------------------------------------------------------------------------------------------- */

/* What the harts do after the work of the edge; only while self->trace is not NULL. */
void host_cpu_trace(host_cpu *self, hd_time t);
/* The hart stands behind a trap that it has entered for good. */
void host_cpu_trace_trap(const host_cpu *self, const host_hart *one);

/* ---- ram_port.c ---------------------------------------------------------------------------------------------------- */

hd_memory_bytes ram_port_bytes;
/* Others than the harts write there. */
void ram_port_written(host_cpu *self, uint64_t address, uint32_t bytes);
void ram_port_count(host_cpu *self); /* into its statistics */

extern const hd_state host_cpu_state; /* checkpoint.c */
const void *host_cpu_extension(hd_block *block, const char *id);

#endif
