/* SPDX-License-Identifier: MIT */
/*
 * A trace as the Perfetto UI and trace_processor read it: TracePackets of one sequence, with the field numbers of
 * perfetto/protos (trace_packet, track_event, track_descriptor, interned_data, debug_annotation). Names stand once in the
 * file, as interned strings; tracks are described when something first happens on them. A counter is a track of its own,
 * below the one that it belongs to.
 */
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "protobuf.h"
#include "recorder_internal.h"

/* Trace, TracePacket */
enum { TRACE_PACKET = 1 };
enum {
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_SEQUENCE_FLAGS = 13,
    PACKET_TRACK_DESCRIPTOR = 60
};
enum { FLAG_STATE_CLEARED = 1, FLAG_NEEDS_STATE = 2 };
/* TrackEvent */
enum {
    EVENT_CATEGORY = 3,
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_NAME = 10,
    EVENT_TRACK = 11,
    EVENT_COUNTER_VALUE = 30,
    EVENT_FLOW = 47,
    EVENT_FLOW_END = 48
};
static const uint32_t event_types[] = {
    [HD_TRACED_BEGIN] = 1, [HD_TRACED_END] = 2, [HD_TRACED_INSTANT] = 3, [HD_TRACED_COUNTER] = 4};
/* DebugAnnotation */
enum { ANNOTATION_NAME = 1, ANNOTATION_UNSIGNED = 3, ANNOTATION_POINTER = 7 };
/* TrackDescriptor, ProcessDescriptor, CounterDescriptor */
enum {
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PROCESS = 3,
    TRACK_PARENT = 5,
    TRACK_COUNTER = 8,
    TRACK_ORDERING = 11,
    TRACK_RANK = 12
};
enum { ORDERING_EXPLICIT = 3 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum { COUNTER_UNIT_NAME = 6 };
/* InternedData */
enum { INTERNED_CATEGORY = 1, INTERNED_NAME = 2, INTERNED_ANNOTATION_NAME = 3, INTERNED_KINDS = 4 };
enum { INTERNED_ID = 1, INTERNED_TEXT = 2 };

#define SEQUENCE 1u
#define MACHINE_UUID 1u

typedef struct text_table {
    const char **texts; /* borrowed; the id is the index + 1 */
    uint32_t count, capacity;
} text_table;

/* What is known of a kind in the file. */
typedef struct kind_ids {
    uint32_t name, category;
    uint32_t values[HD_TRACE_VALUES_MAX];
} kind_ids;

/* The counters of a track, each a track in the file. */
typedef struct counter_uuid {
    uint32_t track, kind;
    uint64_t uuid;
} counter_uuid;

typedef struct perfetto {
    output_file *file;
    const trace_view *view;
    protobuf packet, event, part, inner, interned;
    text_table tables[INTERNED_KINDS];
    kind_ids *kinds;
    uint32_t kind_count;
    uint64_t *uuids; /* by track; 0: not described */
    uint32_t track_count;
    counter_uuid **counters; /* by track */
    uint32_t *counter_counts;
    uint64_t last_uuid;
    uint32_t is_begun;
} perfetto;

/* ---- Packets ------------------------------------------------------------------------------------------------------- */

static void put_packet(perfetto *self, uint32_t flags)
{
    protobuf *framed = &self->inner;
    protobuf_number(&self->packet, PACKET_SEQUENCE, SEQUENCE);
    protobuf_number(&self->packet, PACKET_SEQUENCE_FLAGS, flags);
    protobuf_clear(framed);
    protobuf_message(framed, TRACE_PACKET, &self->packet);
    output_file_put(self->file, framed->bytes, framed->count);
    protobuf_clear(&self->packet);
}

static uint32_t intern(perfetto *self, uint32_t kind, const char *text)
{
    text_table *table = &self->tables[kind];
    for (uint32_t i = 0; i < table->count; i++)
        if (strcmp(table->texts[i], text) == 0)
            return i + 1;
    table->texts = observe_grow(table->texts, table->count, &table->capacity, sizeof *table->texts);
    table->texts[table->count++] = text;
    protobuf_clear(&self->part);
    protobuf_number(&self->part, INTERNED_ID, table->count);
    protobuf_text(&self->part, INTERNED_TEXT, text);
    protobuf_message(&self->interned, kind, &self->part);
    return table->count;
}

static const kind_ids *ids_of(perfetto *self, uint32_t index)
{
    const trace_kind *kind = &self->view->kinds[index];
    if (index >= self->kind_count) {
        self->kinds = realloc(self->kinds, (index + 1) * sizeof *self->kinds);
        if (!self->kinds)
            abort();
        memset(self->kinds + self->kind_count, 0, (index + 1 - self->kind_count) * sizeof *self->kinds);
        self->kind_count = index + 1;
    }
    kind_ids *ids = &self->kinds[index];
    if (ids->name)
        return ids;
    ids->name = intern(self, INTERNED_NAME, kind->name);
    ids->category = intern(self, INTERNED_CATEGORY, kind->category);
    for (uint32_t i = 0; i < kind->value_count; i++)
        ids->values[i] = intern(self, INTERNED_ANNOTATION_NAME, kind->value_names[i]);
    return ids;
}

/* ---- Tracks ------------------------------------------------------------------------------------------------------- */

static uint64_t describe(perfetto *self, const char *name, uint64_t parent, uint64_t rank)
{
    protobuf_clear(&self->event);
    protobuf_number(&self->event, TRACK_UUID, ++self->last_uuid);
    protobuf_text(&self->event, TRACK_NAME, name);
    protobuf_number(&self->event, TRACK_PARENT, parent);
    protobuf_number(&self->event, TRACK_ORDERING, ORDERING_EXPLICIT);
    protobuf_number(&self->event, TRACK_RANK, rank);
    return self->last_uuid;
}

static void put_description(perfetto *self)
{
    protobuf_message(&self->packet, PACKET_TRACK_DESCRIPTOR, &self->event);
    put_packet(self, FLAG_NEEDS_STATE);
}

/* The machine is the process that the UI shows all tracks below. */
static void begin_file(perfetto *self)
{
    self->is_begun = 1;
    self->last_uuid = MACHINE_UUID;
    protobuf_clear(&self->part);
    protobuf_number(&self->part, PROCESS_PID, 1);
    protobuf_text(&self->part, PROCESS_NAME, self->view->machine);
    protobuf_clear(&self->event);
    protobuf_number(&self->event, TRACK_UUID, MACHINE_UUID);
    protobuf_message(&self->event, TRACK_PROCESS, &self->part);
    protobuf_number(&self->event, TRACK_ORDERING, ORDERING_EXPLICIT);
    protobuf_message(&self->packet, PACKET_TRACK_DESCRIPTOR, &self->event);
    put_packet(self, FLAG_STATE_CLEARED | FLAG_NEEDS_STATE);
}

static void make_room(perfetto *self, uint32_t track)
{
    if (track < self->track_count)
        return;
    const uint32_t count = track + 1;
    self->uuids = realloc(self->uuids, count * sizeof *self->uuids);
    self->counters = realloc(self->counters, count * sizeof *self->counters);
    self->counter_counts = realloc(self->counter_counts, count * sizeof *self->counter_counts);
    if (!self->uuids || !self->counters || !self->counter_counts)
        abort();
    for (; self->track_count < count; self->track_count++) {
        self->uuids[self->track_count] = 0;
        self->counters[self->track_count] = NULL;
        self->counter_counts[self->track_count] = 0;
    }
}

static uint64_t uuid_of(perfetto *self, uint32_t track)
{
    make_room(self, track);
    if (self->uuids[track])
        return self->uuids[track];
    const trace_track *described = &self->view->tracks[track];
    const uint64_t parent = described->parent == NO_TRACK ? MACHINE_UUID : uuid_of(self, described->parent);
    self->uuids[track] = describe(self, described->name, parent, track);
    put_description(self);
    return self->uuids[track];
}

static uint64_t counter_uuid_of(perfetto *self, uint32_t track, uint32_t kind)
{
    const uint64_t parent = uuid_of(self, track);
    for (uint32_t i = 0; i < self->counter_counts[track]; i++)
        if (self->counters[track][i].kind == kind)
            return self->counters[track][i].uuid;
    const uint32_t count = self->counter_counts[track]++;
    self->counters[track] = realloc(self->counters[track], (count + 1) * sizeof **self->counters);
    if (!self->counters[track])
        abort();
    const uint64_t uuid = describe(self, self->view->kinds[kind].name, parent, kind);
    self->counters[track][count] = (counter_uuid){.track = track, .kind = kind, .uuid = uuid};
    protobuf_clear(&self->part);
    protobuf_text(&self->part, COUNTER_UNIT_NAME, self->view->kinds[kind].unit);
    protobuf_message(&self->event, TRACK_COUNTER, &self->part);
    put_description(self);
    return uuid;
}

/* ---- Events -------------------------------------------------------------------------------------------------------- */

static void add_values(perfetto *self, const kind_ids *ids, const trace_item *item)
{
    const trace_kind *kind = &self->view->kinds[item->kind];
    for (uint32_t i = 0; i < kind->value_count; i++) {
        protobuf_clear(&self->part);
        protobuf_number(&self->part, ANNOTATION_NAME, ids->values[i]);
        protobuf_number(&self->part, kind->hexadecimal >> i & 1 ? ANNOTATION_POINTER : ANNOTATION_UNSIGNED,
                        item->values[i]);
        protobuf_message(&self->event, EVENT_ANNOTATION, &self->part);
    }
}

static void fill_event(perfetto *self, const trace_item *item, uint64_t uuid, const kind_ids *ids)
{
    protobuf *event = &self->event;
    protobuf_clear(event);
    protobuf_number(event, EVENT_TYPE, event_types[item->form]);
    protobuf_number(event, EVENT_TRACK, uuid);
    if (item->form == HD_TRACED_COUNTER)
        protobuf_number(event, EVENT_COUNTER_VALUE, item->values[0]);
    if (!ids)
        return;
    protobuf_number(event, EVENT_CATEGORY, ids->category);
    protobuf_number(event, EVENT_NAME, ids->name);
    add_values(self, ids, item);
    for (uint32_t i = 0; i < item->arrow_count; i++)
        protobuf_fixed64(event, item->arrows[i].ends ? EVENT_FLOW_END : EVENT_FLOW, item->arrows[i].id);
}

static void perfetto_put(void *writer, const trace_item *item)
{
    perfetto *self = writer;
    const uint32_t is_counter = item->form == HD_TRACED_COUNTER;
    const uint32_t is_named = item->form == HD_TRACED_BEGIN || item->form == HD_TRACED_INSTANT;
    if (!self->is_begun)
        begin_file(self);
    const uint64_t uuid = is_counter ? counter_uuid_of(self, item->track, item->kind) : uuid_of(self, item->track);
    protobuf_clear(&self->interned);
    fill_event(self, item, uuid, is_named ? ids_of(self, item->kind) : NULL);
    protobuf_number(&self->packet, PACKET_TIMESTAMP, self->view->picoseconds ? item->t : item->t / 1000);
    if (self->interned.count)
        protobuf_message(&self->packet, PACKET_INTERNED, &self->interned);
    protobuf_message(&self->packet, PACKET_TRACK_EVENT, &self->event);
    put_packet(self, FLAG_NEEDS_STATE);
}

/* ---- Life ---------------------------------------------------------------------------------------------------------- */

static void *perfetto_open(const char *path, const trace_view *view)
{
    perfetto *self = calloc(1, sizeof *self);
    if (!self)
        abort();
    self->view = view;
    self->file = output_file_open(path);
    return self;
}

static uint64_t perfetto_bytes(const void *writer)
{
    return output_file_bytes(((const perfetto *)writer)->file);
}

static int perfetto_error(const void *writer)
{
    return output_file_error(((const perfetto *)writer)->file);
}

static void release(perfetto *self)
{
    for (uint32_t i = 0; i < self->track_count; i++)
        free(self->counters[i]);
    for (uint32_t i = 0; i < INTERNED_KINDS; i++)
        free(self->tables[i].texts);
    protobuf_free(&self->packet);
    protobuf_free(&self->event);
    protobuf_free(&self->part);
    protobuf_free(&self->inner);
    protobuf_free(&self->interned);
    free(self->counters);
    free(self->counter_counts);
    free(self->uuids);
    free(self->kinds);
    free(self);
}

static uint32_t perfetto_finish(void *writer, hd_time t)
{
    perfetto *self = writer;
    (void)t;
    if (!self->is_begun)
        begin_file(self);
    const uint32_t good = output_file_finish(self->file);
    release(self);
    return good;
}

static void perfetto_abandon(void *writer)
{
    perfetto *self = writer;
    output_file_abandon(self->file);
    release(self);
}

const trace_writer perfetto_writer = {.open = perfetto_open,
                                      .put = perfetto_put,
                                      .bytes = perfetto_bytes,
                                      .error = perfetto_error,
                                      .finish = perfetto_finish,
                                      .abandon = perfetto_abandon};
