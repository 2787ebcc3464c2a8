/* SPDX-License-Identifier: MIT */
#ifndef NETWORK_BRIDGE_STATE_H
#define NETWORK_BRIDGE_STATE_H

#include "hd_extension.h"
#include "hd_message.h"
#include "hd_ring.h"
#include "hd_state.h"
#include "hd_trace.h"
#include "hd_work.h"

enum { PORT_MEMORY, PORT_REQUEST, PORT_REPLY, PORT_COUNT };
enum { PARAMETER_REQUESTS, PARAMETER_COUNT };
enum {
    MESSAGE_READ,
    MESSAGE_WRITE,
    MESSAGE_RESPONSE,
    MESSAGE_LOAD,
    MESSAGE_LOAD_REPLY,
    MESSAGE_STORE,
    MESSAGE_STORE_ACK,
    MESSAGE_COUNT
};
enum {
    STATISTIC_READS,
    STATISTIC_WRITES,
    STATISTIC_READ_BYTES,
    STATISTIC_WRITTEN_BYTES,
    STATISTIC_REFUSED,
    STATISTIC_LINES,
    STATISTIC_BUSY_CYCLES,
    STATISTIC_LATENCY_CYCLES,
    STATISTIC_REQUESTS_MAXIMUM,
    STATISTIC_COUNT
};

enum { EVENT_READ, EVENT_WRITE, EVENT_REFUSED, EVENT_ACCESSES, EVENT_COUNT };

extern const hd_parameter bridge_parameters[PARAMETER_COUNT];
extern const hd_port bridge_ports[PORT_COUNT];
extern const hd_statistic bridge_statistics[STATISTIC_COUNT];
extern const hd_message_use bridge_messages[MESSAGE_COUNT];
extern const hd_trace_event bridge_trace_events[EVENT_COUNT];
extern const hd_window bridge_window;

/* A request inside. */
typedef struct access {
    hd_packet *request;
    hd_packet *response;
    uint64_t taken_at;    /* edge */
    uint32_t offset;      /* bytes whose line accesses have been made */
    uint32_t outstanding; /* line accesses without reply */
} access;

typedef struct bridge {
    const hd_services *services;
    const hd_address_map *map;
    const hd_trace *trace; /* NULL: the run is not traced */
    uint32_t access_tracks;
    uint32_t shown_accesses; /* the level that was recorded last */
    hd_link *memory_in, *memory_out, *request_out, *reply_in;
    hd_cursor cursor;   /* next edge */
    uint64_t accounted; /* edges before this one are in the statistics */
    access *accesses;   /* under way, in order of arrival */
    hd_ring under_way;
    uint32_t issued;                          /* the oldest so many have made all their line accesses */
    uint32_t waits_to_issue, waits_to_answer; /* for a credit */
    uint32_t stopped;                         /* after a fault */
    uint32_t messages[MESSAGE_COUNT];
    uint64_t counters[STATISTIC_COUNT];
} bridge;

/* The line access at the offset of a request, which moves on. NULL if no byte of it is enabled. */
hd_packet *bridge_next_line(bridge *self, uint32_t slot);
/* HD_STATUS_* of a request. */
uint32_t bridge_check(const bridge *self, const hd_packet *request);

extern const hd_state bridge_state; /* checkpoint.c */
const void *bridge_extension(hd_block *block, const char *id);

#endif
