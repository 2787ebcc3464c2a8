/* SPDX-License-Identifier: MIT */
/*
 * Reads a trace as trace_processor does, and holds it against its rules, by field numbers of perfetto/protos:
 *   every packet is of sequence 1; the first clears the state of interned strings, all others need it
 *   a track is described once, and before it is used; its parent before it; a counter's values go to a counter's track
 *   interned strings are there before they are used, each number once
 *   timestamps of the sequence never decrease; begins and ends match on each track, and nothing is left open
 *   nothing lies in another of its name, which no block means
 *   an arrow that ends has begun; `open_arrows` are those that never came anywhere
 */
#ifndef SYSTEM_PERFETTO_READER_H
#define SYSTEM_PERFETTO_READER_H

#include <stddef.h>
#include <stdint.h>

enum { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3, COUNTER = 4 };

#define VALUES_MAX 4u

typedef struct trace_event {
    uint64_t t;
    uint32_t type;
    uint64_t track;
    const char *name; /* of an end that of its begin; of a counter that of its track */
    const char *category;
    int64_t level; /* of a counter */
    uint32_t value_count;
    const char *value_names[VALUES_MAX];
    uint64_t values[VALUES_MAX];
    uint32_t arrow_count; /* those that begin here or go through, and those that end */
    uint32_t end_count;
} trace_event;

typedef struct trace_track {
    uint64_t uuid, parent;
    char *name;
    char *path; /* "gtx480/core/core[3]/warp[5]" */
    int is_counter;
    char *unit;
} trace_track;

typedef struct perfetto_trace {
    trace_event *events;
    size_t event_count;
    trace_track *tracks;
    size_t track_count;
    size_t arrow_count; /* that have an end */
    size_t open_arrows;
    void *texts;
} perfetto_trace;

/* The test fails, saying where, if a rule is broken. */
perfetto_trace perfetto_read(const char *path);
void perfetto_free(perfetto_trace *trace);

/* Events of this name on tracks whose path contains `path`; NULL: any. Ends are not counted. */
size_t perfetto_count(const perfetto_trace *trace, const char *name, const char *path);
const trace_track *perfetto_track(const perfetto_trace *trace, uint64_t uuid);

#endif
