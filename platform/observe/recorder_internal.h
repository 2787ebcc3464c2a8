/* SPDX-License-Identifier: MIT */
/* Between the recorder and what it writes with. */
#ifndef HD_RECORDER_INTERNAL_H
#define HD_RECORDER_INTERNAL_H

#include "output_file.h"
#include "recorder.h"

#define NO_TRACK UINT32_MAX

/* An event of a class, or a kernel's name. */
typedef struct trace_kind {
    const char *name;
    const char *category; /* kind of the block */
    uint32_t form;        /* HD_TRACE_* */
    const char *unit;     /* of a counter */
    uint32_t value_count;
    char *value_names[HD_TRACE_VALUES_MAX];
    uint32_t hexadecimal; /* a bit for each value */
    char *owned;          /* to be freed, or NULL */
} trace_kind;

/* A begun span. */
typedef struct trace_span {
    uint32_t kind;
    uint64_t values[HD_TRACE_VALUES_MAX];
} trace_span;

typedef struct trace_level {
    uint32_t kind;
    uint64_t value;
} trace_level;

typedef struct trace_track {
    const char *name;
    uint32_t parent; /* or NO_TRACK */
    uint32_t depth;  /* spans that have begun and not ended */
    uint32_t span_capacity;
    uint32_t level_count;
    trace_span *spans;
    trace_level *levels; /* of its counters, as they are */
    char *owned;         /* to be freed, or NULL */
} trace_track;

/* An arrow that begins here, goes through or ends. */
typedef struct trace_arrow {
    uint64_t id;
    uint32_t ends;
} trace_arrow;

/* One thing to write. */
typedef struct trace_item {
    hd_time t;
    uint32_t form; /* HD_TRACED_*, but for flows */
    uint32_t track;
    uint32_t kind;
    uint64_t values[HD_TRACE_VALUES_MAX];
    uint32_t arrow_count;
    const trace_arrow *arrows;
} trace_item;

/* What a writer may look at. */
typedef struct trace_view {
    const char *machine;
    const trace_kind *kinds;
    const trace_track *tracks;
    uint32_t picoseconds;
} trace_view;

/* A form in which a trace is written. */
typedef struct trace_writer {
    void *(*open)(const char *path, const trace_view *view);
    /* Items come by ascending time. What is given of a track, its spans and levels, is as after the item. */
    void (*put)(void *writer, const trace_item *item);
    uint64_t (*bytes)(const void *writer);
    int (*error)(const void *writer); /* errno, or 0 */
    /* 1, or 0 and errno; `t`: end of the trace. */
    uint32_t (*finish)(void *writer, hd_time t);
    void (*abandon)(void *writer);
} trace_writer;

extern const trace_writer perfetto_writer;
extern const trace_writer vcd_writer;

/* recorder_select.c */
/* '*' and '?' as usual, everything else is itself. */
uint32_t trace_matches(const char *pattern, const char *text);
/* Does one of the patterns name the path, or something that it lies below? An index may be left out. */
uint32_t trace_selects_path(const char *const *patterns, size_t count, const char *path);
uint32_t trace_selects_kernel(const char *const *patterns, size_t count, uint32_t launch, const char *name);

/* recorder_flows.c: arrows under way, by (name, number) */
typedef struct trace_flows trace_flows;
trace_flows *trace_flows_create(void);
void trace_flows_destroy(trace_flows *flows);
/* The arrow's number in the file; 0: none is under way, and none began. */
uint64_t trace_flows_use(trace_flows *flows, const char *name, uint64_t number, uint32_t direction);

#endif
