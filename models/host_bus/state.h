/* SPDX-License-Identifier: MIT */
/* Private to host_bus. */
#ifndef HOST_BUS_STATE_H
#define HOST_BUS_STATE_H

#include "hd_block.h"
#include "hd_extension.h"
#include "hd_message.h"
#include "hd_state.h"
#include "hd_trace.h"
#include "hd_work.h"

#define INITIATORS_MAX 16u
#define TARGETS_MAX 64u
#define WINDOWS_MAX 256u
#define NOBODY UINT32_MAX

enum { PORT_INITIATOR, PORT_TARGET, PORT_COUNT };
enum { PARAMETER_WIDTH, PARAMETER_REQUESTS, PARAMETER_COUNT };
enum {
    STATISTIC_REQUESTS,
    STATISTIC_UNMAPPED,
    STATISTIC_REQUEST_BUSY_CYCLES,
    STATISTIC_RESPONSE_BUSY_CYCLES,
    STATISTIC_REQUEST_WAIT_CYCLES,
    STATISTIC_MAX_REQUESTS,
    STATISTIC_COUNT
};
enum { MESSAGE_READ, MESSAGE_WRITE, MESSAGE_RESPONSE, MESSAGE_COUNT };

enum { EVENT_READ, EVENT_WRITE, EVENT_UNMAPPED, EVENT_ACCESSES, EVENT_COUNT };

extern const hd_parameter host_bus_parameters[PARAMETER_COUNT];
extern const hd_port host_bus_ports[PORT_COUNT];
extern const hd_statistic host_bus_statistics[STATISTIC_COUNT];
extern const hd_trace_event host_bus_trace_events[EVENT_COUNT];
#define MESSAGE_USES 6u
extern const hd_message_use host_bus_messages[MESSAGE_USES];

/* An access under way; its index is the tag that the target sees. */
typedef struct under_way {
    uint64_t tag; /* the initiator's */
    uint64_t address;
    uint32_t initiator; /* NOBODY = the slot is free */
    uint32_t target;
    uint16_t source; /* of the request */
    uint16_t is_write;
    uint16_t reserved[2];
} under_way;

typedef struct ends {
    hd_link *out;
    hd_link *in;
} ends;

typedef struct host_bus {
    const hd_services *services;
    const hd_trace *trace; /* NULL: the run is not traced */
    uint32_t access_tracks;
    uint32_t shown_accesses; /* the level that was recorded last */
    uint32_t messages[MESSAGE_COUNT];
    uint32_t width;
    ends initiators[INITIATORS_MAX];
    ends targets[TARGETS_MAX];
    uint32_t initiator_count; /* one more than the highest bound */
    uint32_t target_count;
    hd_bus_window windows[WINDOWS_MAX];
    uint32_t window_count;

    under_way *slots;
    uint32_t slot_count;
    uint32_t used;
    uint32_t next_initiator; /* where the turns begin */
    uint32_t next_target;
    uint64_t requests_free; /* first edge at which the channel is free */
    uint64_t responses_free;
    uint32_t waits;       /* a request has arrived, and none could go on */
    uint32_t is_stuck;    /* the same for responses */
    hd_time looked_at;    /* when that was so */
    hd_packet *complaint; /* the answer to an access that no target has; it takes the response channel next */
    uint32_t complaint_to;
    hd_cursor cursor;
    uint64_t accounted;
    uint64_t counters[STATISTIC_COUNT];
} host_bus;

/* ---- decode.c ----------------------------------------------------------------------------------------------------- */

/* Reads the map; 0: it has more windows than fit. */
uint32_t decode_prepare(host_bus *self);
/* Element of the target port; NOBODY if no window has all of it. */
uint32_t decode_target(const host_bus *self, uint64_t address, uint32_t bytes);

extern const hd_state host_bus_state; /* checkpoint.c */
const void *host_bus_extension(hd_block *block, const char *id);

#endif
