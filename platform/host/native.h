/* SPDX-License-Identifier: MIT */
/* Private to platform/host: the block. */
#ifndef HD_HOST_NATIVE_H
#define HD_HOST_NATIVE_H

#include "hd_block.h"
#include "hd_extension.h"
#include "hd_memory_port.h"
#include "hd_message.h"
#include "hd_queue.h"
#include "hd_state.h"
#include "hd_trace.h"
#include "host.h"
#include "host_call.h"
#include "host_record.h"
#include "runtime.h"

enum { PORT_BUS, PORT_INTERRUPT, PORT_MEMORY, PORT_COUNT };
enum {
    PARAMETER_OVERHEAD,
    PARAMETER_REQUESTS,
    PARAMETER_PACKET_BYTES,
    PARAMETER_RAM_PORT_BYTES,
    PARAMETER_RAM_LATENCY,
    PARAMETER_RAM_REQUESTS,
    PARAMETER_COUNT
};
enum {
    STATISTIC_CALLS,
    STATISTIC_READS,
    STATISTIC_WRITES,
    STATISTIC_READ_BYTES,
    STATISTIC_WRITE_BYTES,
    STATISTIC_INTERRUPTS,
    STATISTIC_TRANSFER_CYCLES,
    STATISTIC_WAIT_CYCLES,
    STATISTIC_MAX_REQUESTS,
    STATISTIC_RAM, /* hd_memory_counts */
    STATISTIC_COUNT = STATISTIC_RAM + 5
};
enum { MESSAGE_READ, MESSAGE_WRITE, MESSAGE_RESPONSE, MESSAGE_INTERRUPT, MESSAGE_COUNT };

enum { EVENT_PROGRAM, EVENT_READ, EVENT_WRITE, EVENT_WAIT, EVENT_COUNT };

extern const hd_trace_event native_trace_events[EVENT_COUNT];
extern const hd_parameter native_parameters[PARAMETER_COUNT];
extern const hd_port native_ports[PORT_COUNT];
extern const hd_statistic native_statistics[STATISTIC_COUNT];
#define MESSAGE_USES 7u
extern const hd_message_use native_messages[MESSAGE_USES];
extern const hd_window native_window;

/* A copy or fill on its way over the bus. Several take turns, packet by packet. */
typedef struct transfer {
    host_call *call;    /* NULL: none */
    uint64_t edge;      /* from here on it is served */
    uint64_t issued;    /* bytes of it that have left */
    uint32_t in_flight; /* packets */
    uint32_t number;    /* among those of the block */
} transfer;

#define TRANSFERS_MAX (2 * HD_QUEUES_MAX + 3u + HD_HOST_PROGRAMS_MAX)

/* A program and how far it is. */
typedef struct guest {
    hd_host_program program;
    native_runtime *runtime; /* since reset; NULL: it does not run */
    host_call *call;         /* the runtime's; NULL: none */
    uint64_t call_edge;      /* from here on it is served */
    transfer own;            /* of that call */
    uint64_t calls;
    hd_time ended;  /* when the program did; HD_NEVER: it has not */
    uint32_t track; /* of the trace */
} guest;

typedef struct native {
    const hd_services *services;
    const hd_trace *trace; /* NULL: the run is not traced */
    uint32_t messages[MESSAGE_COUNT];
    uint64_t overhead;
    uint32_t request_limit;
    uint32_t packet_bytes;
    hd_link *bus_out;
    hd_link *bus_in;
    hd_link *interrupt_in;
    hd_memory_port memory; /* what the program shares with the DMA engine */

    guest guests[HD_HOST_PROGRAMS_MAX];
    uint32_t guest_count;
    uint32_t served;            /* that transfers know */
    native_device *shared;      /* of the guests, since reset; NULL: there are none */
    struct host_driver *driver; /* of a program outside of the simulator; NULL: none */
    host_record record;         /* since reset */

    hd_cursor cursor;   /* the next edge not yet done */
    uint64_t accounted; /* edges before this one are in the statistics of cycles */
    uint32_t more;      /* something is left for the next edge */
    uint32_t stopped;   /* after a fault */

    transfer *transfers[TRANSFERS_MAX];
    uint32_t transfer_count;
    uint32_t next_transfer; /* whose turn it is */
    uint32_t in_flight;
    uint64_t answered;                   /* address of the access that was answered last */
    uint32_t completions[HD_QUEUES_MAX]; /* completion interrupts so far, mod 2^32 */
    uint32_t device_error;
    char message[MESSAGE_BYTES + 64];
    uint64_t counters[STATISTIC_COUNT];
} native;

/* ---- guests.c ----------------------------------------------------------------------------------------------------- */

void guests_create(native *self);
void guests_release(native *self); /* nothing runs any more */
/* After release: every program begins. Returns 0 if there is no thread or no memory for one. */
uint32_t guests_reset(native *self);
/* Runs each for as long as its calls are complete. */
void guests_run(native *self);
uint32_t guests_run_on(const native *self);    /* some has not ended */
uint32_t guests_want_edge(const native *self); /* some has not begun */
uint32_t guests_wait(const native *self);      /* some has a call */
uint32_t guests_transfer(const native *self);  /* likewise, of the bus */
/* The earliest edge of the block after which a call is served, from `n` on; UINT64_MAX: there is none. */
uint64_t guests_next_edge(const native *self, uint64_t n);
uint8_t *guests_shared(const native *self, uint64_t address, uint64_t bytes);
void guests_describe(const native *self, const hd_text_sink *sink);

/* ---- guests_state.c ------------------------------------------------------------------------------------------------ */

extern const hd_state native_state;

/* ---- transfer.c --------------------------------------------------------------------------------------------------- */

/* Makes room for it; before it is begun for the first time. */
void transfer_add(native *self, transfer *added);
/* A call of READ, WRITE or FILL, to be served from this edge on. */
void transfer_begin(transfer *at, host_call *call, uint64_t edge);
uint32_t transfer_is_complete(const native *self, const transfer *at);
/* Sends one packet; returns 1 if another can follow at the next edge. */
uint32_t transfer_issue(native *self, hd_time t);
void transfer_take_responses(native *self, hd_time t);

#endif
