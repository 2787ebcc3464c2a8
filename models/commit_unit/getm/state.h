/* SPDX-License-Identifier: MIT */
#ifndef COMMIT_UNIT_STATE_H
#define COMMIT_UNIT_STATE_H

#include "hd_extension.h"
#include "hd_getm.h"
#include "hd_message.h"
#include "hd_ring.h"
#include "hd_state.h"
#include "hd_tables.h"
#include "hd_trace.h"
#include "hd_work.h"

enum { PORT_LOG, PORT_ACK, PORT_STORE, PORT_STORED, PORT_RELEASE, PORT_RELEASED, PORT_COUNT };
enum { PARAMETER_BYTES, PARAMETER_BYTES_PER_CYCLE, PARAMETER_COALESCE, PARAMETER_LOGS, PARAMETER_COUNT };

enum { EVENT_APPLIED, EVENT_REGIONS, EVENT_COUNT }; /* of the trace */

/* X(identifier, name, unit, kind, doc) */
#define COMMIT_STATISTICS(X)                                                                                           \
    X(logs, "logs", "packets", COUNT, "packets of write logs acknowledged")                                            \
    X(regions, "regions", "regions", COUNT, "regions in them")                                                         \
    X(merged, "merged", "regions", COUNT, "of regions, those merged with another one of their attempt")                \
    X(stores, "stores", "requests", COUNT, "regions written to the slice")                                             \
    X(bytes, "bytes", "bytes", COUNT, "bytes written")                                                                 \
    X(releases, "releases", "regions", COUNT, "regions of aborted lanes, which only release reservations")             \
    X(lane_releases, "lane_releases", "stores", COUNT, "lanes' stores released, by stores and releases")               \
    X(busy_cycles, "busy_cycles", "cycles", COUNT, "cycles in which regions are applied")                              \
    X(buffer_wait_cycles, "wait_cycles.buffer", "cycles", COUNT, "no log accepted: the buffer is full")                \
    X(slice_wait_cycles, "wait_cycles.slice", "cycles", COUNT, "no region applied: no credit to the slice")            \
    X(regions_maximum, "regions_maximum", "regions", MAXIMUM, "most regions in the buffer")                            \
    X(log_latency_cycles, "log_latency_cycles", "cycles", COUNT, "from accepting a log to its acknowledgement, summed")

typedef struct commit_counters {
    COMMIT_STATISTICS(HD_COUNTER)
} commit_counters;

#define REGIONS_OF_LOG_MAX ((HD_GETM_LOG_WIRE_BYTES - HD_HEADER_WIRE_BYTES) / 8u)

/* 32 bytes of memory that an attempt writes, possibly in part, and whose reservations it releases. */
typedef struct region {
    uint64_t address;
    uint32_t warp;
    uint32_t epoch;
    uint32_t byte_mask;
    uint32_t is_applied;
    hd_getm_release release;
    uint8_t data[HD_GETM_REGION_BYTES];
} region;

typedef struct pending_log {
    hd_packet *packet; /* its acknowledgement */
    uint64_t needs;    /* all regions with lower numbers must have been applied */
    uint64_t taken;    /* edge of acceptance */
} pending_log;

typedef struct commit {
    const hd_services *services;
    const hd_trace *trace;
    hd_cursor cursor; /* next edge to be processed */
    struct {
        uint32_t log, log_ack, store, store_ack, release, released;
    } message;
    hd_link *logs, *ack, *store, *stored, *release, *released;
    uint32_t bytes_per_cycle;
    uint32_t coalesces;

    /* Regions are numbered in order of arrival: `first` is the oldest not applied, `next` the first not sent yet. */
    region *regions; /* ring */
    uint32_t region_limit;
    uint64_t first, next, end;
    uint64_t free_edge;                  /* first edge at which another may be sent */
    uint32_t store_waits, release_waits; /* for a credit */
    uint64_t store_waits_since;

    pending_log *pending; /* in order of arrival */
    hd_ring logs_pending;
    uint32_t ack_waits;
    uint32_t is_full; /* a log waits for room */
    uint64_t full_since;

    commit_counters counters;
} commit;

static inline region *commit_region(const commit *self, uint64_t number)
{
    return &self->regions[number % self->region_limit];
}

/* log.c: accepts at most one log, at edge n. */
void commit_take_log(commit *self, uint64_t n, hd_time t);
void commit_acknowledge(commit *self, uint64_t n, hd_time t);
/* Whether there is room for a log of any size. */
uint32_t commit_has_room(const commit *self);

/* apply.c: applies at most one region, at edge n. */
void commit_apply(commit *self, uint64_t n, hd_time t);
void commit_take_answers(commit *self, hd_time t);

/* checkpoint.c */
extern const hd_state commit_state;

/* extension.c */
const void *commit_extension(hd_block *block, const char *id);

/* advance.c */
hd_time commit_advance(hd_block *block, hd_time now, hd_time horizon);

#endif
