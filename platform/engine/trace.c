/* SPDX-License-Identifier: MIT */
/* Trace events (hd_trace.h): each block records for itself, and what a window has brought is handed out in order. */
#define _GNU_SOURCE /* asprintf */
#include "engine_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct trace_track {
    char *name;
    uint32_t parent;
    uint32_t wanted;
} trace_track;

typedef struct trace_node {
    hd_trace service;
    trace_track *tracks;
    uint32_t track_count;
    traced_list recorded;
    uint64_t wanted; /* events, unless tracing has stopped */
    uint64_t sequence;
    hd_time bearer_time; /* of the last begin or instant, to which a flow belongs */
    uint32_t bearer;     /* its event */
    uint32_t bearer_kept;
    hd_time call_at; /* HD_NEVER: nothing happens by itself */
} trace_node;

/* ---- Tracks ------------------------------------------------------------------------------------------------------- */

static char *path_of(const trace_node *trace, uint32_t track)
{
    const trace_track *own = &trace->tracks[track];
    if (track == HD_TRACE_BLOCK)
        return strdup(own->name);
    char *above = path_of(trace, own->parent), *path = NULL;
    if (asprintf(&path, "%s/%s", above, own->name) < 0)
        abort();
    free(above);
    return path;
}

static void add_track(node *node, uint32_t parent, char *name)
{
    trace_node *trace = node->trace;
    const hd_tracer *tracer = node->engine->observer.tracer;
    const uint32_t track = trace->track_count;
    trace->tracks = grow(trace->tracks, track, sizeof *trace->tracks);
    trace->tracks[track] = (trace_track){.name = name, .parent = parent, .wanted = 1};
    trace->track_count++;
    if (!tracer->track)
        return;
    char *path = path_of(trace, track);
    trace->tracks[track].wanted = tracer->track(tracer->context, node->engine, node->index, track, path);
    free(path);
}

static uint32_t service_track(void *context, uint32_t parent, const char *name, uint32_t count)
{
    node *self = context;
    const uint32_t first = self->trace->track_count;
    if (self->block || parent >= first) {
        services_fault(self, 0, "%s makes the track '%s' %s", self->name, name,
                       self->block ? "after it was created" : "below one that does not exist");
        return HD_TRACE_BLOCK;
    }
    if (!count)
        add_track(self, parent, strdup(name));
    for (uint32_t i = 0; i < count; i++) {
        char *full = NULL;
        if (asprintf(&full, "%s[%u]", name, i) < 0)
            abort();
        add_track(self, parent, full);
    }
    return first;
}

uint32_t hd_engine_track_count(const hd_engine *engine, uint32_t block)
{
    return engine->nodes[block]->trace ? engine->nodes[block]->trace->track_count : 0;
}

const char *hd_engine_track_name(const hd_engine *engine, uint32_t block, uint32_t track)
{
    return engine->nodes[block]->trace->tracks[track].name;
}

uint32_t hd_engine_track_parent(const hd_engine *engine, uint32_t block, uint32_t track)
{
    return engine->nodes[block]->trace->tracks[track].parent;
}

/* ---- Recording ---------------------------------------------------------------------------------------------------- */

static const char *const form_names[] = {"", "a span", "an instant", "a counter", "a flow"};

/* Is it one that the class declares as of that form, and not too late? */
static uint32_t is_declared(node *self, uint32_t track, uint32_t event, uint32_t form, hd_time t)
{
    const hd_block_class *class = self->block_class;
    if (event >= class->trace_event_count || class->trace_events[event].form != form)
        services_fault(self, t, "%s records %s as event %u, which is not declared as one", self->name, form_names[form],
                       event);
    else if (track >= self->trace->track_count)
        services_fault(self, t, "%s records %s on track %u of %u", self->name, class->trace_events[event].name, track,
                       self->trace->track_count);
    else if (t < self->engine->trace_time)
        services_fault(self, t, "%s records %s at %llu ps, when everything before %llu ps is done", self->name,
                       class->trace_events[event].name, (unsigned long long)t,
                       (unsigned long long)self->engine->trace_time);
    else
        return 1;
    return 0;
}

/* Room for one more; it is kept when the list is emptied. */
static hd_traced *append(traced_list *list)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 64;
        list->items = realloc(list->items, list->capacity * sizeof *list->items);
        if (!list->items)
            abort();
    }
    return &list->items[list->count++];
}

static hd_traced *add_record(node *self, uint32_t track, uint32_t event, uint32_t form, hd_time t)
{
    trace_node *trace = self->trace;
    hd_traced *added = append(&trace->recorded);
    *added = (hd_traced){.t = t,
                         .sequence = trace->sequence++,
                         .block = self->index,
                         .track = track,
                         .event = (uint16_t)event,
                         .form = (uint16_t)form};
    return added;
}

/* How many numbers are named in "block|launch". */
static uint32_t value_count(const char *names)
{
    uint32_t count = names != NULL;
    for (; names && *names; names++)
        count += *names == '|';
    return count;
}

static void record_bearer(node *self, uint32_t track, uint32_t event, uint32_t form, hd_time t, const uint64_t *values)
{
    trace_node *trace = self->trace;
    trace->bearer = event;
    trace->bearer_time = t;
    trace->bearer_kept = trace->tracks[track].wanted;
    if (!trace->bearer_kept)
        return;
    hd_traced *added = add_record(self, track, event, form, t);
    const uint32_t count = value_count(self->block_class->trace_events[event].values);
    if (count)
        memcpy(added->values, values, count * sizeof *values);
}

static void service_begin(void *context, uint32_t track, uint32_t event, hd_time t, const uint64_t *values)
{
    if (is_declared(context, track, event, HD_TRACE_SPAN, t))
        record_bearer(context, track, event, HD_TRACED_BEGIN, t, values);
}

static void service_end(void *context, uint32_t track, uint32_t event, hd_time t)
{
    node *self = context;
    if (is_declared(self, track, event, HD_TRACE_SPAN, t) && self->trace->tracks[track].wanted)
        add_record(self, track, event, HD_TRACED_END, t);
}

static void service_instant(void *context, uint32_t track, uint32_t event, hd_time t, const uint64_t *values)
{
    if (is_declared(context, track, event, HD_TRACE_INSTANT, t))
        record_bearer(context, track, event, HD_TRACED_INSTANT, t, values);
}

static void service_counter(void *context, uint32_t track, uint32_t event, hd_time t, uint64_t value)
{
    node *self = context;
    if (is_declared(self, track, event, HD_TRACE_COUNTER, t) && self->trace->tracks[track].wanted)
        add_record(self, track, event, HD_TRACED_COUNTER, t)->values[0] = value;
}

static void service_flow(void *context, uint32_t event, uint32_t flow, hd_time t, uint32_t direction, uint64_t number)
{
    node *self = context;
    const trace_node *trace = self->trace;
    if (!is_declared(self, HD_TRACE_BLOCK, flow, HD_TRACE_FLOW, t))
        return;
    if (event != trace->bearer || t != trace->bearer_time || direction > HD_TRACE_TO) {
        services_fault(self, t, "%s records the flow %s, which does not follow what it belongs to", self->name,
                       self->block_class->trace_events[flow].name);
        return;
    }
    if (!trace->bearer_kept)
        return;
    hd_traced *added = add_record(self, HD_TRACE_BLOCK, flow, HD_TRACED_FLOW, t);
    added->values[0] = number;
    added->values[1] = direction;
}

static void service_call_at(void *context, hd_time t)
{
    node *self = context;
    self->trace->call_at = t;
}

hd_time trace_take_call(node *node, hd_time t)
{
    const hd_time at = node->trace->call_at;
    if (at >= t)
        return HD_NEVER;
    node->trace->call_at = HD_NEVER;
    return at;
}

void trace_schedule_calls(hd_engine *engine, hd_time end)
{
    for (uint32_t b = 0; b < engine->node_count; b++) {
        const hd_time at = engine->nodes[b]->trace ? trace_take_call(engine->nodes[b], end) : HD_NEVER;
        if (at < engine->next[b])
            engine_call_at(engine, b, at > engine->now ? at : engine->now);
    }
}

/* ---- Handing out -------------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const hd_traced *left = a, *right = b;
    if (left->t != right->t)
        return left->t < right->t ? -1 : 1;
    if (left->block != right->block)
        return left->block < right->block ? -1 : 1;
    return left->sequence < right->sequence ? -1 : 1;
}

/* Moves what lies before `end` from the block to engine->traced. */
static void take(hd_engine *engine, trace_node *trace, hd_time end)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < trace->recorded.count; i++) {
        const hd_traced *record = &trace->recorded.items[i];
        if (record->t < end)
            *append(&engine->traced) = *record;
        else
            trace->recorded.items[left++] = *record;
    }
    trace->recorded.count = left;
}

void trace_flush(hd_engine *engine)
{
    const hd_tracer *tracer = engine->observer.tracer;
    traced_list *traced = &engine->traced;
    for (uint32_t b = 0; b < engine->node_count; b++)
        if (engine->nodes[b]->trace && engine->nodes[b]->trace->recorded.count)
            take(engine, engine->nodes[b]->trace, engine->window_end);
    engine->trace_time = engine->window_end;
    if (traced->count > 1)
        qsort(traced->items, traced->count, sizeof *traced->items, compare);
    for (uint32_t i = 0; i < traced->count; i++)
        tracer->record(tracer->context, &traced->items[i]);
    traced->count = 0;
}

/* ---- Life --------------------------------------------------------------------------------------------------------- */

const hd_trace *trace_service(const node *node)
{
    return node->trace ? &node->trace->service : NULL;
}

void trace_init(node *node)
{
    const hd_tracer *tracer = node->engine->observer.tracer;
    trace_node *trace = calloc(1, sizeof *trace);
    if (!trace)
        abort();
    node->trace = trace;
    trace->wanted = tracer->events ? tracer->events(tracer->context, node->engine, node->index) : UINT64_MAX;
    trace->service = (hd_trace){.context = node,
                                .wanted = trace->wanted,
                                .track = service_track,
                                .begin = service_begin,
                                .end = service_end,
                                .instant = service_instant,
                                .counter = service_counter,
                                .flow = service_flow,
                                .call_at = service_call_at};
    trace->call_at = HD_NEVER;
    add_track(node, HD_TRACE_BLOCK, strdup(node->name));
}

void trace_destroy(node *node)
{
    trace_node *trace = node->trace;
    if (!trace)
        return;
    for (uint32_t i = 0; i < trace->track_count; i++)
        free(trace->tracks[i].name);
    free(trace->tracks);
    free(trace->recorded.items);
    free(trace);
}

void trace_reset(hd_engine *engine)
{
    engine->trace_time = 0;
    for (uint32_t b = 0; b < engine->node_count; b++) {
        trace_node *trace = engine->nodes[b]->trace;
        if (!trace)
            continue;
        trace->recorded.count = 0;
        trace->sequence = 0;
        trace->bearer_kept = 0;
        trace->bearer_time = HD_NEVER;
        trace->call_at = HD_NEVER;
        trace->service.wanted = trace->wanted;
    }
}

void hd_engine_stop_tracing(hd_engine *engine)
{
    for (uint32_t b = 0; b < engine->node_count; b++)
        if (engine->nodes[b]->trace) {
            engine->nodes[b]->trace->service.wanted = 0;
            engine->nodes[b]->trace->recorded.count = 0;
        }
}
