/* SPDX-License-Identifier: MIT */
/* Private to command_processor. */
#ifndef COMMAND_PROCESSOR_QUEUES_H
#define COMMAND_PROCESSOR_QUEUES_H

#include "hd_address.h"
#include "hd_block.h"
#include "hd_extension.h"
#include "hd_message.h"
#include "hd_queue.h"
#include "hd_ring.h"
#include "hd_state.h"
#include "hd_trace.h"

enum {
    PORT_REQUEST,
    PORT_REPLY,
    PORT_HOST,
    PORT_INTERRUPT,
    PORT_LAUNCH,
    PORT_DONE,
    PORT_COPY,
    PORT_COPIED,
    PORT_COUNT
};
enum {
    PARAMETER_QUEUES,
    PARAMETER_CONCURRENT_GRIDS,
    PARAMETER_HOST_REQUESTS,
    PARAMETER_LINES_IN_FLIGHT,
    PARAMETER_MEMORY,
    PARAMETER_LAUNCH_ALIGN,
    PARAMETER_SETTLE,
    PARAMETER_LAUNCH_LATENCY,
    PARAMETER_COUNT
};
enum {
    STATISTIC_LAUNCHES,
    STATISTIC_ALIGNED_LAUNCHES,
    STATISTIC_BUSY_CYCLES,
    STATISTIC_LAUNCH_WAIT_CYCLES,
    STATISTIC_TRANSFER_CYCLES,
    STATISTIC_OVERLAP_CYCLES,
    STATISTIC_COMMAND_CYCLES,
    STATISTIC_COPIES,
    STATISTIC_COPY_BYTES,
    STATISTIC_BAD_DESCRIPTORS,
    STATISTIC_INTERRUPTS,
    STATISTIC_HOST_READS,
    STATISTIC_HOST_WRITES,
    STATISTIC_HOST_READ_BYTES,
    STATISTIC_HOST_WRITE_BYTES,
    STATISTIC_REGISTER_ACCESSES,
    STATISTIC_REFUSED_ACCESSES,
    STATISTIC_LINE_ACCESSES,
    STATISTIC_STALL_CREDIT_CYCLES,
    STATISTIC_STALL_LINES_CYCLES,
    STATISTIC_MAX_LINES_IN_FLIGHT,
    STATISTIC_MAX_HOST_REQUESTS,
    STATISTIC_MAX_GRIDS,
    STATISTIC_MAX_COPIES,
    STATISTIC_COUNT
};
enum { WINDOW_GLOBAL, WINDOW_REGISTERS, WINDOW_COUNT };
enum {
    MESSAGE_LOAD,
    MESSAGE_STORE,
    MESSAGE_LOAD_REPLY,
    MESSAGE_STORE_ACK,
    MESSAGE_READ,
    MESSAGE_WRITE,
    MESSAGE_RESPONSE,
    MESSAGE_INTERRUPT,
    MESSAGE_GRID_LAUNCH,
    MESSAGE_GRID_DONE,
    MESSAGE_COPY_START,
    MESSAGE_COPY_DONE,
    MESSAGE_COUNT
};

extern const hd_parameter queues_parameters[PARAMETER_COUNT];
extern const hd_port queues_ports[PORT_COUNT];
extern const hd_statistic queues_statistics[STATISTIC_COUNT];
extern const hd_message_use queues_messages[MESSAGE_COUNT];
extern const hd_window queues_windows[WINDOW_COUNT];

/* Life of the descriptor at the head of a queue. */
enum {
    RING_IDLE,             /* none, or not looked at yet */
    RING_FETCH_DUE,        /* the load of the descriptor has to leave */
    RING_FETCHING,         /* ... has left */
    RING_READY,            /* may be launched */
    RING_LAUNCHING,        /* chosen; the launch has to leave */
    RING_RUNNING,          /* ... has left */
    RING_COPY_DUE,         /* the copy has to leave */
    RING_COPYING,          /* ... has left */
    RING_COMPLETION_DUE,   /* the store of the completion record has to leave */
    RING_COMPLETING,       /* ... has left */
    RING_INTERRUPT_WANTED, /* the interrupt has to leave */
    RING_ERROR_WANTED,     /* the error interrupt has to leave */
    RING_STOPPED,          /* after an error */
};

typedef struct ring {
    uint32_t state;
    uint32_t shown; /* event of the span that has begun for it, EVENT_COUNT: none */
    uint32_t base;
    uint32_t completion;
    uint32_t entries;
    uint32_t doorbell;
    uint32_t completed;
    uint32_t is_copy;
    uint32_t number; /* of the launch or copy */
    hd_grid grid;
    hd_copy copy;
    uint64_t start_cycle;
    uint64_t end_cycle;
} ring;

/* How far the launch in preparation is. */
enum {
    LAUNCH_NONE,
    LAUNCH_DRAIN,  /* aligned: host accesses are held until none is in flight */
    LAUNCH_SETTLE, /* until the launch latency is over, and, aligned, the levels below are idle too */
    LAUNCH_WAIT,   /* until the rendezvous */
};

/* A host access under way. */
typedef struct host_request {
    hd_packet *request;
    hd_packet *response;
    uint32_t offset;      /* bytes of it that have left */
    uint32_t outstanding; /* lines in flight */
    uint32_t in_memory;   /* not of a register, and not refused */
} host_request;

typedef struct slot_fifo {
    uint32_t *slots;
    hd_ring ring;
} slot_fifo;

/* Why no line access left although one was waiting. */
enum { STALL_NONE, STALL_CREDIT, STALL_LINES };

#define TAG_RING (UINT64_C(1) << 32) /* | queue; without it: slot of a host request */
#define NO_RING UINT32_MAX

typedef struct queues {
    const hd_services *services;
    const hd_address_map *map;
    const hd_rendezvous *rendezvous; /* may be NULL */
    const hd_trace *trace;           /* NULL: the run is not traced */
    uint32_t queue_tracks;
    uint32_t shown_accesses; /* levels that were recorded last */
    uint32_t shown_lines;
    uint32_t messages[MESSAGE_COUNT];
    uint32_t ring_count;
    uint32_t grid_limit;
    uint32_t line_limit;
    uint32_t memory_bytes;
    uint32_t launch_align;
    uint64_t settle_cycles;
    uint64_t launch_cycles; /* latency of a launch */

    hd_link *request_out;
    hd_link *reply_in;
    hd_link *host_out;
    hd_link *host_in;
    hd_link *interrupt_out;
    hd_link *launch_out;
    hd_link *done_in;
    hd_link *copy_out; /* NULL: no DMA engine */
    hd_link *copied_in;

    hd_cursor cursor;   /* the next edge not yet done */
    uint64_t accounted; /* edges before this one are in the statistics of cycles */
    uint32_t more;      /* something is left for the next edge */
    uint32_t stall;
    uint32_t stopped; /* after a fault */

    uint32_t lines_in_flight;
    uint32_t host_accesses; /* to memory, under way */
    uint32_t commanded;     /* a queue has a descriptor that is not done */
    host_request *requests;
    uint32_t *free_slots;
    uint32_t free_count;
    slot_fifo to_issue; /* in order of arrival */
    slot_fifo to_answer;

    ring *rings;
    uint32_t next_launch_ring; /* where the search begins */
    uint32_t next_line_ring;
    uint32_t running;
    uint32_t copying;
    uint32_t next_copy_ring;
    uint32_t launching; /* ring of the launch in preparation, or NO_RING */
    uint32_t launch_phase;
    uint32_t launch_aligned;
    hd_time launch_time; /* end of SETTLE or WAIT */
    uint32_t error;
    uint32_t error_queue;
    uint32_t error_index;
    uint32_t error_status;
    uint64_t error_address;
    uint64_t counters[STATISTIC_COUNT];
} queues;

static inline void queues_maximum(queues *self, uint32_t statistic, uint64_t value)
{
    if (value > self->counters[statistic])
        self->counters[statistic] = value;
}

static inline uint32_t queues_in_memory(const queues *self, uint64_t address, uint64_t bytes)
{
    uint64_t offset = address - HD_GLOBAL_BASE;
    return offset < self->memory_bytes && bytes <= self->memory_bytes - offset;
}

/* The step functions below do what can be done at the edge t and return 1 if more of it can follow at the next. */

/* ---- host_access.c ------------------------------------------------------------------------------------------------ */

uint32_t slot_fifo_create(slot_fifo *fifo, uint32_t capacity); /* 0: out of memory */
void slot_fifo_destroy(slot_fifo *fifo);
void host_access_reset(queues *self); /* frees packets held */
void host_access_accept(queues *self, hd_time t);
/* A line of this slot has been answered; reply is lent. */
void host_access_line_done(queues *self, uint32_t slot, const hd_packet *reply, hd_time t);
/* The next line of the oldest request that has one, as a packet ready to send, or NULL. */
hd_packet *host_access_next_line(queues *self);
uint32_t host_access_needs_line(const queues *self);
uint32_t host_access_answer(queues *self, hd_time t);

/* ---- registers.c -------------------------------------------------------------------------------------------------- */

/* One register access of 4 bytes at this offset; HD_STATUS_*. */
uint32_t registers_read(const queues *self, uint64_t offset, uint32_t *value);
uint32_t registers_write(queues *self, uint64_t offset, uint32_t value);
/* For debuggers, as hd_debug_registers. */
uint32_t registers_debug(hd_block *block, hd_time t, uint64_t address, void *data, uint32_t bytes, uint32_t is_write);

/* ---- lines.c ------------------------------------------------------------------------------------------------------ */

/* Packets to the slice that holds address; bytes lie in one line. */
hd_packet *lines_load(queues *self, uint64_t address, uint32_t bytes, uint64_t tag, uint32_t traffic_class);
/* Every byte is written unless enables (one byte each, zero = leave it) is given. */
hd_packet *lines_store(queues *self, uint64_t address, const uint8_t *data, const uint8_t *enables, uint32_t bytes,
                       uint64_t tag, uint32_t traffic_class);
void lines_take_replies(queues *self, hd_time t);
uint32_t lines_issue(queues *self, hd_time t);

/* ---- rings.c ------------------------------------------------------------------------------------------------------ */

void rings_reset(queues *self);
void rings_start_fetches(queues *self); /* idle rings with a descriptor want it fetched */
uint32_t ring_has_work(const ring *ring);
uint32_t rings_have_work(const queues *self);
uint32_t rings_need_line(const queues *self);
/* The next line access of the rings in turn, ready to send, or NULL. */
hd_packet *rings_next_line(queues *self);
void rings_line_done(queues *self, uint32_t index, const hd_packet *reply, hd_time t);
void rings_take_done(queues *self, hd_time t);
uint32_t rings_interrupt(queues *self, hd_time t);
/* The descriptor at the head of this queue cannot run, or did not; HD_QUEUE_ERROR_*. Returns 1 if it is the first error. */
uint32_t rings_stop(queues *self, uint32_t index, uint32_t error);

/* ---- copies.c ----------------------------------------------------------------------------------------------------- */

uint32_t copies_possible(const queues *self); /* is there an engine? */
/* HD_QUEUE_ERROR_* */
uint32_t copies_check(const queues *self, const hd_copy *copy);
/* One copy leaves for the engine. Returns 1 if another waits that can follow. */
uint32_t copies_issue(queues *self, hd_time t);
void copies_take_done(queues *self, hd_time t);

/* ---- trace.c ------------------------------------------------------------------------------------------------------ */

enum {
    EVENT_FETCH,
    EVENT_READY,
    EVENT_LAUNCH,
    EVENT_RUN,
    EVENT_COPY,
    EVENT_COMPLETE,
    EVENT_STOPPED,
    EVENT_HOST_ACCESSES,
    EVENT_LINES,
    EVENT_COMMAND,
    EVENT_COUNT
};
extern const hd_trace_event queues_trace_events[EVENT_COUNT];
/* What the queues are doing after the work of the edge; only while self->trace is not NULL. */
void queues_trace(queues *self, hd_time t);

/* ---- checkpoint.c ------------------------------------------------------------------------------------------------- */

extern const hd_state queues_state;

/* ---- launch.c ----------------------------------------------------------------------------------------------------- */

uint32_t launch_step(queues *self, hd_time t);
/* Are line accesses of the host, or all line accesses, held back for an aligned launch? */
uint32_t launch_holds_host(const queues *self);
uint32_t launch_holds_rings(const queues *self);
/* When the launch in preparation has to be looked at again, or HD_NEVER. */
hd_time launch_next(const queues *self);

#endif
