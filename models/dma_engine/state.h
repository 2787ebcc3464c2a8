/* SPDX-License-Identifier: MIT */
/* Private to dma_engine. */
#ifndef DMA_ENGINE_STATE_H
#define DMA_ENGINE_STATE_H

#include "hd_block.h"
#include "hd_extension.h"
#include "hd_message.h"
#include "hd_state.h"
#include "hd_trace.h"
#include "hd_work.h"

enum { PORT_COMMAND, PORT_DONE, PORT_HOST, PORT_DEVICE, PORT_COUNT };
enum {
    PARAMETER_CHANNELS,
    PARAMETER_BURST,
    PARAMETER_OUTSTANDING,
    PARAMETER_LINK_WIDTH,
    PARAMETER_SETUP,
    PARAMETER_COUNT
};
enum {
    STATISTIC_COPIES,
    STATISTIC_BYTES_TO_DEVICE,
    STATISTIC_BYTES_FROM_DEVICE,
    STATISTIC_BYTES_FILLED,
    STATISTIC_HOST_READS,
    STATISTIC_HOST_WRITES,
    STATISTIC_DEVICE_READS,
    STATISTIC_DEVICE_WRITES,
    STATISTIC_BUSY_CYCLES,
    STATISTIC_COPY_CYCLES,
    STATISTIC_LINK_OUT_CYCLES,
    STATISTIC_LINK_IN_CYCLES,
    STATISTIC_MAX_COPIES,
    STATISTIC_MAX_BURSTS,
    STATISTIC_COUNT
};
enum { MESSAGE_START, MESSAGE_DONE, MESSAGE_READ, MESSAGE_WRITE, MESSAGE_RESPONSE, MESSAGE_COUNT };

enum { EVENT_TO_DEVICE, EVENT_FROM_DEVICE, EVENT_FILL, EVENT_BURSTS, EVENT_COMMAND, EVENT_COUNT };

extern const hd_parameter dma_parameters[PARAMETER_COUNT];
extern const hd_port dma_ports[PORT_COUNT];
extern const hd_statistic dma_statistics[STATISTIC_COUNT];
extern const hd_trace_event dma_trace_events[EVENT_COUNT];
#define MESSAGE_USES 8u
extern const hd_message_use dma_messages[MESSAGE_USES];

#define NOBODY UINT32_MAX

enum { SIDE_HOST, SIDE_DEVICE, SIDES };
enum { BURST_FREE, BURST_READING, BURST_READ, BURST_WRITING };

typedef struct burst {
    uint32_t state; /* BURST_* */
    uint32_t bytes;
    uint64_t offset; /* in the copy */
    hd_packet *data; /* BURST_READ: the answer to the read */
} burst;

typedef struct channel {
    uint32_t is_busy;
    uint32_t under_way; /* bursts */
    hd_copy copy;
    uint64_t tag;
    uint64_t begun;  /* edge at which it was taken */
    uint64_t start;  /* edge of its first access */
    uint64_t issued; /* bytes whose read has left */
    uint32_t status; /* HD_STATUS_* of the first access that was refused ... */
    uint64_t refused_address;
    burst *bursts;
} channel;

/* One of the two memories. */
typedef struct side {
    hd_link *out;
    hd_link *in;
    uint64_t width;        /* bytes a cycle each way; 0: a packet a cycle */
    uint64_t out_free;     /* first edge at which a request can leave */
    uint64_t in_end;       /* edge at which the response that comes in is there; 0: none comes in */
    uint32_t next_channel; /* whose turn it is */
    uint32_t awaits_credit;
} side;

typedef struct dma {
    const hd_services *services;
    const hd_trace *trace; /* NULL: the run is not traced */
    uint32_t channel_tracks;
    uint32_t shown_bursts; /* the level that was recorded last */
    uint32_t messages[MESSAGE_COUNT];
    uint32_t channel_count;
    uint32_t burst_bytes;
    uint32_t outstanding;
    uint64_t setup;
    hd_link *command_in;
    hd_link *done_out;
    uint32_t done_awaits_credit;
    uint32_t stopped; /* after a fault */
    side sides[SIDES];
    channel *channels;
    burst *bursts; /* of all channels */
    uint32_t busy; /* channels */
    uint32_t bursts_under_way;
    hd_cursor cursor;   /* first edge not yet worked */
    uint64_t accounted; /* edges before this one are in the statistics of cycles */
    uint64_t counters[STATISTIC_COUNT];
} dma;

static inline void dma_maximum(dma *self, uint32_t statistic, uint64_t value)
{
    if (value > self->counters[statistic])
        self->counters[statistic] = value;
}

/* ---- trace.c ------------------------------------------------------------------------------------------------------ */

/* The copy of the channel begins, by command of this packet; ends. */
void dma_trace_begin(const dma *self, const channel *of, const hd_packet *command, hd_time t);
void dma_trace_end(const dma *self, const channel *of, hd_time t);
/* Levels after the work of the edge; only while self->trace is not NULL. */
void dma_trace_levels(dma *self, hd_time t);

/* ---- bursts.c ----------------------------------------------------------------------------------------------------- */

/* The first access refused ends the copy; data that wait to be written are dropped. */
void bursts_refuse(dma *self, channel *of, uint32_t status, uint64_t address);
/* Can this channel send to this side now? */
uint32_t bursts_can_send(const dma *self, const channel *of, uint32_t to);
/* The next access of the channel to this side. */
hd_packet *bursts_next(dma *self, uint32_t channel, uint32_t to);
void bursts_free(dma *self, burst *at, channel *of);
/* An answer from this side, which is taken over. Returns 0 if nobody asked. */
uint32_t bursts_take(dma *self, uint32_t from, hd_packet *answer);

/* ---- checkpoint.c ------------------------------------------------------------------------------------------------- */

extern const hd_state dma_state;

/* ---- sides.c ------------------------------------------------------------------------------------------------------ */

void sides_reset(dma *self);
void sides_receive(dma *self, uint32_t from, hd_time t);
void sides_send(dma *self, uint32_t to, hd_time t);
/* When this side next has something to do. */
hd_time sides_next(const dma *self, uint32_t number);

#endif
