/* SPDX-License-Identifier: MIT */
/*
 * "heddle.trace/1": records a block's activity as events, to be viewed on a time axis.
 *
 * A block declares its events (hd_trace_event) and asks for this service in create. The service is NULL when the run is
 * not traced; the functions at the end of this file then cost one branch that is never taken. Tracing must not change
 * the behaviour of a block.
 *
 * Tracks. Each block has a track with its name. In create it may make further tracks below that one or below each other,
 * such as arrays of slots, banks or ports. Spans that overlap without being nested need separate tracks.
 *
 * Time. In a call of advance (or a callback: tap, turn, align), events may be recorded at any t >= `now` of that call, even
 * past the horizon. They are sorted by (t, block, order of the calls). Like everything else they must not depend on how
 * time is divided into calls: a superfluous call records nothing, so a level is recorded when it changes and not whenever
 * the block is called.
 *
 * The user selects tracks and events; calls for others do nothing. A block must not depend on what is selected.
 */
#ifndef HD_TRACE_H
#define HD_TRACE_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HD_EXTENSION_TRACE "heddle.trace/1"

#define HD_TRACE_BLOCK 0u /* the block's own track */

#define HD_TRACE_FROM 0u    /* an arrow begins here; an open arrow with the same number is dropped */
#define HD_TRACE_THROUGH 1u /* it passes through here */
#define HD_TRACE_TO 2u      /* it ends here */

typedef struct hd_trace {
    void *context;
    uint64_t wanted; /* bit i: event i of the class is selected. The platform changes it between calls of the block */

    /* Call it in create: makes `count` tracks below `parent`, called "name[0]", ...; count 0: one, called "name". Returns
     * the first; the others have the following numbers. The name is copied. */
    uint32_t (*track)(void *context, uint32_t parent, const char *name, uint32_t count);

    /* event: index in trace_events. values: as many as the event declares; may be NULL if it declares none. */
    void (*begin)(void *context, uint32_t track, uint32_t event, hd_time t, const uint64_t *values);
    /* Ends the innermost open span of the track, which must be of this event. */
    void (*end)(void *context, uint32_t track, uint32_t event, hd_time t);
    void (*instant)(void *context, uint32_t track, uint32_t event, hd_time t, const uint64_t *values);
    /* Ignored if the value is unchanged. */
    void (*counter)(void *context, uint32_t track, uint32_t event, hd_time t, uint64_t value);
    /* Called any number of times directly after begin or instant of `event`, at the same t: an arrow begins at, passes
     * through or ends at that span or instant. An arrow is identified by the name of the flow, which blocks of any class
     * may share, and a number that is unique in the machine; numbers that only one block knows start from
     * (uint64_t)endpoint << 32. An arrow has one source and one target; for several targets begin several arrows. */
    void (*flow)(void *context, uint32_t event, uint32_t flow, hd_time t, uint32_t direction, uint64_t number);
    /* Something happens by itself at t, is to be recorded then, and is no work: nothing that the block sends depends on it. Called
     * in advance; the time replaces the one given before, HD_NEVER: none. Some call of advance then has t between `now` and
     * the horizon, unless the run ends before. It is no reason to let the run go on. */
    void (*call_at)(void *context, hd_time t);
} hd_trace;

/* ---- Functions for blocks. trace is NULL when the run is not traced. ------------------------------------------------ */

static inline uint32_t hd_trace_selects(const hd_trace *trace, uint32_t event)
{
    return trace && trace->wanted >> event & 1;
}

static inline uint32_t hd_trace_tracks(const hd_trace *trace, uint32_t parent, const char *name, uint32_t count)
{
    return trace ? trace->track(trace->context, parent, name, count) : 0;
}

static inline void hd_trace_counter(const hd_trace *trace, uint32_t track, uint32_t event, hd_time t, uint64_t value)
{
    if (hd_trace_selects(trace, event))
        trace->counter(trace->context, track, event, t, value);
}

static inline void hd_trace_end(const hd_trace *trace, uint32_t track, uint32_t event, hd_time t)
{
    if (hd_trace_selects(trace, event))
        trace->end(trace->context, track, event, t);
}

static inline void hd_trace_flow(const hd_trace *trace, uint32_t event, uint32_t flow, hd_time t, uint32_t direction,
                                 uint64_t number)
{
    if (hd_trace_selects(trace, event) && hd_trace_selects(trace, flow))
        trace->flow(trace->context, event, flow, t, direction, number);
}

static inline void hd_trace_call_at(const hd_trace *trace, hd_time t)
{
    if (trace)
        trace->call_at(trace->context, t);
}

/* hd_trace_begin(trace, track, event, t, values...): as many values as the event declares; 0 for none. The values are
 * evaluated only if the event is selected. */
#define hd_trace_begin(trace, track, event, t, ...)                                                                    \
    do {                                                                                                               \
        if (hd_trace_selects(trace, event))                                                                            \
            (trace)->begin((trace)->context, track, event, t, (const uint64_t[HD_TRACE_VALUES_MAX]){__VA_ARGS__});     \
    } while (0)
#define hd_trace_instant(trace, track, event, t, ...)                                                                  \
    do {                                                                                                               \
        if (hd_trace_selects(trace, event))                                                                            \
            (trace)->instant((trace)->context, track, event, t, (const uint64_t[HD_TRACE_VALUES_MAX]){__VA_ARGS__});   \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
