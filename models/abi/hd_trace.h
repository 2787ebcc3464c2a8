/* SPDX-License-Identifier: MIT */
/*
 * "heddle.trace/1": what a block shows of what it does, event by event, for a person to look at on a time axis.
 *
 * A block declares its events (hd_trace_event) and asks for this service in create. It is NULL when the run is not traced:
 * the functions at the end of this file then cost one branch that is never taken. Tracing must not change anything: no block
 * does more, or other things, because it is traced.
 *
 * Tracks. Each block has one, which bears its name; it makes further ones, below it or below each other, in create: an
 * array of slots, banks, ports. What happens at the same time and does not lie inside each other needs a track each.
 *
 * Time. An event may be recorded in advance (or where a block is called back: in a tap, a turn, align), at any t from `now`
 * of that call on, also past its horizon. What is recorded is put in the order of (t, block, order of the calls). As
 * everything else it must not depend on how time is cut into calls: a call too many records nothing, so that a level is
 * recorded when it changes, and not whenever the block is called.
 *
 * Who looks chooses tracks and events; the rest is dropped in the call. So nothing may be inferred from what is recorded.
 */
#ifndef HD_TRACE_H
#define HD_TRACE_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HD_EXTENSION_TRACE "heddle.trace/1"

#define HD_TRACE_BLOCK 0u /* the block's own track */

#define HD_TRACE_FROM 0u    /* the arrow begins here; one of the same number that is under way is forgotten */
#define HD_TRACE_THROUGH 1u /* it comes here and goes on */
#define HD_TRACE_TO 2u      /* it ends here */

typedef struct hd_trace {
    void *context;
    uint64_t wanted; /* bit i: event i of the class is recorded. The platform changes it between calls of the block */

    /* In create: `count` tracks below `parent`, called "name[0]" ... ; count 0: one, called "name". Returns the first, the
     * others follow. The name is copied. */
    uint32_t (*track)(void *context, uint32_t parent, const char *name, uint32_t count);

    /* event: index in trace_events. values: as many as it declares; may be NULL if it declares none. */
    void (*begin)(void *context, uint32_t track, uint32_t event, hd_time t, const uint64_t *values);
    /* The span of the track that began last and has not ended is of this event, and ends. */
    void (*end)(void *context, uint32_t track, uint32_t event, hd_time t);
    void (*instant)(void *context, uint32_t track, uint32_t event, hd_time t, const uint64_t *values);
    /* The same value again is dropped. */
    void (*counter)(void *context, uint32_t track, uint32_t event, hd_time t, uint64_t value);
    /* Directly after begin or instant of `event`, at the same t, any number of times: an arrow begins at, goes through or
     * ends at that. Arrows are told apart by the name of the flow, which blocks of any class may share, and the number: it
     * is one of the whole machine; what only one block knows counts from (uint64_t)endpoint << 32. One arrow has one source
     * and one target: whoever has several targets begins several arrows. */
    void (*flow)(void *context, uint32_t event, uint32_t flow, hd_time t, uint32_t direction, uint64_t number);
} hd_trace;

/* ---- What blocks call. trace is NULL when the run is not traced. ---------------------------------------------------- */

static inline uint32_t hd_trace_wants(const hd_trace *trace, uint32_t event)
{
    return trace && trace->wanted >> event & 1;
}

static inline uint32_t hd_trace_tracks(const hd_trace *trace, uint32_t parent, const char *name, uint32_t count)
{
    return trace ? trace->track(trace->context, parent, name, count) : 0;
}

static inline void hd_trace_counter(const hd_trace *trace, uint32_t track, uint32_t event, hd_time t, uint64_t value)
{
    if (hd_trace_wants(trace, event))
        trace->counter(trace->context, track, event, t, value);
}

static inline void hd_trace_end(const hd_trace *trace, uint32_t track, uint32_t event, hd_time t)
{
    if (hd_trace_wants(trace, event))
        trace->end(trace->context, track, event, t);
}

static inline void hd_trace_flow(const hd_trace *trace, uint32_t event, uint32_t flow, hd_time t, uint32_t direction,
                                 uint64_t number)
{
    if (hd_trace_wants(trace, event) && hd_trace_wants(trace, flow))
        trace->flow(trace->context, event, flow, t, direction, number);
}

/* hd_trace_begin(trace, track, event, t, values...): as many numbers as the event declares; 0 for none. The numbers are
 * not looked at unless somebody wants them. */
#define hd_trace_begin(trace, track, event, t, ...)                                                                    \
    do {                                                                                                               \
        if (hd_trace_wants(trace, event))                                                                              \
            (trace)->begin((trace)->context, track, event, t, (const uint64_t[HD_TRACE_VALUES_MAX]){__VA_ARGS__});     \
    } while (0)
#define hd_trace_instant(trace, track, event, t, ...)                                                                  \
    do {                                                                                                               \
        if (hd_trace_wants(trace, event))                                                                              \
            (trace)->instant((trace)->context, track, event, t, (const uint64_t[HD_TRACE_VALUES_MAX]){__VA_ARGS__});   \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
