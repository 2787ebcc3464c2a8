/* SPDX-License-Identifier: MIT */
/*
 * What every type of memory has towards its initiators: ports that take turns, the memory protocol, the data, and the
 * responses of each port, which leave in the order in which they are put in.
 */
#ifndef DRAM_FRONT_H
#define DRAM_FRONT_H

#include "hd_extension.h"
#include "hd_message.h"
#include "hd_state.h"
#include "hd_trace.h"
#include "hd_work.h"
#include "store.h"

#define DRAM_PORTS 64u

/* The first statistics of every type. */
enum {
    STATISTIC_READS,
    STATISTIC_WRITES,
    STATISTIC_BYTES_READ,
    STATISTIC_BYTES_WRITTEN,
    STATISTIC_REFUSED,
    STATISTIC_BUS_BUSY_CYCLES,
    STATISTIC_RESPONSE_STALL_CYCLES,
    FRONT_STATISTICS
};
/* clang-format off */
#define DRAM_FRONT_STATISTICS                                                                                          \
    [STATISTIC_READS] = {"reads", "requests", HD_STATISTIC_COUNT, 0, "reads completed"},                             \
    [STATISTIC_WRITES] = {"writes", "requests", HD_STATISTIC_COUNT, 0, "writes completed"},                          \
    [STATISTIC_BYTES_READ] = {"bytes_read", "bytes", HD_STATISTIC_COUNT, 0, "bytes read"},                             \
    [STATISTIC_BYTES_WRITTEN] =                                                                                        \
        {"bytes_written", "bytes", HD_STATISTIC_COUNT, 0, "bytes written, including disabled ones"},                    \
    [STATISTIC_REFUSED] = {"refused", "requests", HD_STATISTIC_COUNT, 0, "requests answered with an error"},           \
    [STATISTIC_BUS_BUSY_CYCLES] =                                                                                      \
        {"bus_busy_cycles", "cycles", HD_STATISTIC_COUNT, 0, "cycles in which the data bus moves data"},               \
    [STATISTIC_RESPONSE_STALL_CYCLES] = {"response_stall_cycles", "cycles", HD_STATISTIC_COUNT, 0,                     \
                                         "cycles in which a response waited for a credit, summed over ports"}
/* clang-format on */
/* The first trace events of every type. */
enum { EVENT_READ, EVENT_WRITE, FRONT_EVENTS };
/* clang-format off */
#define DRAM_FRONT_EVENTS                                                                                              \
    [EVENT_READ] = {"read", HD_TRACE_SPAN, 0, "0xaddress|bank", NULL, "the data bus moves read data"},        \
    [EVENT_WRITE] = {"write", HD_TRACE_SPAN, 0, "0xaddress|bank", NULL, "the data bus moves write data"}
/* clang-format on */
#define DRAM_FRONT_MESSAGES 3u
extern const hd_message_use dram_front_messages[DRAM_FRONT_MESSAGES];
extern const hd_port dram_front_ports[1];

struct dram_response {
    hd_packet *packet;
    uint64_t ready; /* edge */
};

struct dram_port {
    hd_link *requests_in;
    hd_link *responses_out;
    struct dram_response *responses; /* ring of response_size, ordered by ready */
    uint32_t first_response;
    uint32_t response_count;
    uint64_t stalled_since; /* first edge at which the oldest response lacked a credit; UINT64_MAX = it does not */
    uint32_t spare;         /* credits for responses, as far as known: there are no fewer */
};

struct dram_front {
    const hd_services *services;
    const hd_trace *trace; /* NULL: the run is not traced */
    uint32_t bus_track;
    uint32_t message_read;
    uint32_t message_write;
    uint32_t message_response;
    uint32_t response_size; /* of each port */
    uint32_t latency;       /* cycles from acceptance to the response of what is refused */
    uint32_t port_count;
    uint32_t next_port;       /* has the first turn */
    uint32_t waiting;         /* requests taken and not completed */
    uint64_t full_ports;      /* with no room for another response */
    uint64_t answering_ports; /* with a response */
    uint64_t stalled_ports;   /* whose oldest response waits for a credit */
    uint64_t response_edge;   /* at which the next response of the others leaves; UINT64_MAX: they have none */
    uint64_t *statistics;
    struct dram_store store;
    struct dram_port ports[DRAM_PORTS];
};

void dram_front_init(struct dram_front *front, const hd_services *services, uint64_t *statistics, uint32_t latency,
                     uint32_t response_size);
void dram_front_connect(struct dram_front *front, uint32_t element, hd_link *out, hd_link *in);
/* Responses, data and turns as after power-on. */
void dram_front_reset(struct dram_front *front);
/* The same, as they are (hd_state.h). */
void dram_front_transfer(struct dram_front *front, const hd_state_stream *stream);
/* Arbitration as after power-on. */
void dram_front_align(struct dram_front *front);
void dram_front_destroy(struct dram_front *front);

/* When the next request that can be taken arrives or arrived: its port has room for a response. */
hd_time dram_front_arrival(const struct dram_front *front);
/* Takes the request of the next port whose turn it is, if one has arrived by t, and says of which. What cannot be done is
 * answered at once, and is NULL. */
hd_packet *dram_front_accept(struct dram_front *front, uint64_t n, hd_time t, uint32_t *port);
/* Data move from edge `begin` to edge `end`. */
void dram_front_trace_data(const struct dram_front *front, uint32_t is_write, uint64_t address, uint32_t bank,
                           uint64_t begin, uint64_t end);
/* Carries the request out, and puts its response, to leave at edge `ready` or after those before it. The port has room. */
void dram_front_complete(struct dram_front *front, uint32_t port, hd_packet *request, uint64_t ready);
/* Sends what may leave at edge n, a response of each port. */
void dram_front_respond(struct dram_front *front, uint64_t n, hd_time t);
/* When a credit comes for which a response waits. Some do. */
hd_time dram_front_awaited_credit(const struct dram_front *front);
/* The same of any; HD_NEVER if none waits. */
static inline hd_time dram_front_credit(const struct dram_front *front)
{
    return front->stalled_ports ? dram_front_awaited_credit(front) : HD_NEVER;
}

static inline uint32_t dram_front_has_room(const struct dram_front *front, uint32_t port)
{
    return !(front->full_ports >> port & 1);
}

/* Puts a response of the port, to leave at edge `ready` or after those before it. */
void dram_front_put(struct dram_front *front, uint32_t port, hd_packet *response, uint64_t ready);

/* extension.c: abilities of every type; the block begins with its dram_front. */
uint32_t dram_front_debug_access(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write);
uint32_t dram_front_has_work(hd_block *block);
void dram_front_describe(hd_block *block, const hd_text_sink *sink);
extern const struct hd_holder dram_front_holder;

#endif
