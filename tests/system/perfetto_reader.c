/* SPDX-License-Identifier: MIT */
#include "perfetto_reader.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"

#define DEPTH_MAX 64u
#define TEXTS 4u /* kinds of interned strings, by field number */

/* ---- Wire format --------------------------------------------------------------------------------------------------- */

typedef struct wire {
    const uint8_t *at, *end;
} wire;

typedef struct field {
    uint32_t number, type;
    uint64_t value; /* of types 0 and 1 */
    wire bytes;     /* of type 2 */
} field;

static uint64_t varint(wire *from)
{
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
        cr_assert(from->at < from->end, "a number is cut off");
        value |= (uint64_t)(*from->at & 0x7F) << shift;
        if (!(*from->at++ & 0x80))
            return value;
    }
    cr_assert_fail("a number of more than ten bytes");
    return 0;
}

static int next_field(wire *from, field *found)
{
    if (from->at == from->end)
        return 0;
    const uint64_t key = varint(from);
    *found = (field){.number = (uint32_t)(key >> 3), .type = key & 7};
    if (found->type == 0) {
        found->value = varint(from);
    } else if (found->type == 1) {
        cr_assert_geq(from->end - from->at, 8);
        for (uint32_t i = 0; i < 8; i++)
            found->value |= (uint64_t)*from->at++ << 8 * i;
    } else {
        cr_assert_eq(found->type, 2, "wire type %u", found->type);
        const uint64_t bytes = varint(from);
        cr_assert_leq(bytes, (uint64_t)(from->end - from->at), "a message is cut off");
        found->bytes = (wire){from->at, from->at + bytes};
        from->at += bytes;
    }
    return 1;
}

/* ---- What is known so far ------------------------------------------------------------------------------------------ */

typedef struct reading {
    perfetto_trace *trace;
    const char **texts[TEXTS]; /* by kind and number */
    size_t text_counts[TEXTS];
    char **kept; /* texts to free */
    size_t kept_count;
    uint64_t now;
    size_t packets;
    uint64_t (*stacks)[DEPTH_MAX]; /* by track: indices of begun events */
    uint32_t *depths;
    uint64_t *arrows; /* that have begun */
    uint8_t *arrow_ends;
    size_t arrow_count;
} reading;

static void *more(void *array, size_t count, size_t bytes)
{
    if (count & (count - 1))
        return array;
    array = realloc(array, (count ? 2 * count : 1) * bytes);
    cr_assert(array);
    return array;
}

static char *keep(reading *self, wire text)
{
    self->kept = more(self->kept, self->kept_count, sizeof *self->kept);
    return self->kept[self->kept_count++] = strndup((const char *)text.at, (size_t)(text.end - text.at));
}

static const char *text_numbered(const reading *self, uint32_t kind, uint64_t number)
{
    cr_assert(number >= 1 && number <= self->text_counts[kind], "interned string %u/%llu is used and not there", kind,
              (unsigned long long)number);
    return self->texts[kind][number - 1];
}

static void read_interned(reading *self, wire bytes)
{
    for (field of_data; next_field(&bytes, &of_data);) {
        field part;
        uint64_t number = 0;
        const char *text = NULL;
        cr_assert(of_data.number >= 1 && of_data.number < TEXTS, "interned data of field %u", of_data.number);
        for (wire entry = of_data.bytes; next_field(&entry, &part);) {
            if (part.number == 1)
                number = part.value;
            else if (part.number == 2)
                text = keep(self, part.bytes);
        }
        const size_t count = self->text_counts[of_data.number]++;
        cr_assert_eq(number, count + 1, "interned strings are not numbered in turn");
        cr_assert(text && *text);
        self->texts[of_data.number] = more(self->texts[of_data.number], count, sizeof **self->texts);
        self->texts[of_data.number][count] = text;
    }
}

/* ---- Tracks -------------------------------------------------------------------------------------------------------- */

const trace_track *perfetto_track(const perfetto_trace *trace, uint64_t uuid)
{
    for (size_t i = 0; i < trace->track_count; i++)
        if (trace->tracks[i].uuid == uuid)
            return &trace->tracks[i];
    return NULL;
}

static void read_part_of_track(reading *self, trace_track *track, const field *part)
{
    field inner;
    wire bytes = part->bytes;
    switch (part->number) {
    case 1: track->uuid = part->value; break;
    case 2: track->name = keep(self, part->bytes); break;
    case 3: /* process */
        while (next_field(&bytes, &inner))
            if (inner.number == 6)
                track->name = keep(self, inner.bytes);
        break;
    case 5: track->parent = part->value; break;
    case 8:
        track->is_counter = 1;
        while (next_field(&bytes, &inner))
            if (inner.number == 6)
                track->unit = keep(self, inner.bytes);
        break;
    case 11: cr_assert_eq(part->value, 3); break;
    case 12: break;
    default: cr_assert_fail("field %u of a track", part->number);
    }
}

static void read_track(reading *self, wire bytes)
{
    perfetto_trace *trace = self->trace;
    trace_track track = {0};
    for (field part; next_field(&bytes, &part);)
        read_part_of_track(self, &track, &part);
    cr_assert(track.uuid && track.name, "a track without number or name");
    cr_assert_null(perfetto_track(trace, track.uuid), "track %llu is described twice", (unsigned long long)track.uuid);
    const trace_track *parent = track.parent ? perfetto_track(trace, track.parent) : NULL;
    cr_assert(parent || !trace->track_count, "the parent of %s is not known", track.name);
    cr_assert(!track.is_counter || (track.unit && *track.unit), "counter %s has no unit", track.name);
    track.path = parent ? text_of("%s/%s", parent->path, track.name) : strdup(track.name);
    const size_t count = trace->track_count;
    trace->tracks = more(trace->tracks, count, sizeof *trace->tracks);
    self->stacks = more(self->stacks, count, sizeof *self->stacks);
    self->depths = more(self->depths, count, sizeof *self->depths);
    trace->tracks[trace->track_count++] = track;
    self->depths[count] = 0;
}

/* ---- Events -------------------------------------------------------------------------------------------------------- */

static void read_value(const reading *self, trace_event *event, wire bytes)
{
    cr_assert_lt(event->value_count, VALUES_MAX);
    const uint32_t index = event->value_count++;
    for (field part; next_field(&bytes, &part);) {
        if (part.number == 1) {
            event->value_names[index] = text_numbered(self, 3, part.value);
        } else {
            cr_assert(part.number == 3 || part.number == 7, "field %u of a value", part.number);
            event->values[index] = part.value;
        }
    }
}

static void use_arrow(reading *self, uint64_t id, int ends)
{
    size_t i = 0;
    while (i < self->arrow_count && (self->arrows[i] != id || self->arrow_ends[i]))
        i++;
    cr_assert(i < self->arrow_count || !ends, "an arrow ends that has not begun");
    if (i == self->arrow_count) {
        self->arrows = more(self->arrows, i, sizeof *self->arrows);
        self->arrow_ends = more(self->arrow_ends, i, sizeof *self->arrow_ends);
        self->arrows[self->arrow_count] = id;
        self->arrow_ends[self->arrow_count++] = 0;
    }
    self->arrow_ends[i] |= (uint8_t)ends;
}

static void read_part_of_event(reading *self, trace_event *event, const field *part)
{
    switch (part->number) {
    case 3: event->category = text_numbered(self, 1, part->value); break;
    case 4: read_value(self, event, part->bytes); break;
    case 9: event->type = (uint32_t)part->value; break;
    case 10: event->name = text_numbered(self, 2, part->value); break;
    case 11: event->track = part->value; break;
    case 30: event->level = (int64_t)part->value; break;
    case 47:
    case 48:
        cr_assert_eq(part->type, 1);
        use_arrow(self, part->value, part->number == 48);
        event->arrow_count += part->number == 47;
        event->end_count += part->number == 48;
        break;
    default: cr_assert_fail("field %u of an event", part->number);
    }
}

static void nest(reading *self, trace_event *event, const trace_track *track)
{
    const size_t index = (size_t)(track - self->trace->tracks);
    if (event->type == SLICE_BEGIN) {
        cr_assert_lt(self->depths[index], DEPTH_MAX);
        for (uint32_t i = 0; i < self->depths[index]; i++)
            cr_assert_str_neq(self->trace->events[self->stacks[index][i]].name, event->name, "%s: %s in itself",
                              track->path, event->name);
        self->stacks[index][self->depths[index]++] = self->trace->event_count;
    } else if (event->type == SLICE_END) {
        cr_assert_gt(self->depths[index], 0, "%s: an end without a begin at %llu", track->path,
                     (unsigned long long)event->t);
        event->name = self->trace->events[self->stacks[index][--self->depths[index]]].name;
    }
}

static void read_event(reading *self, wire bytes)
{
    perfetto_trace *trace = self->trace;
    trace_event event = {.t = self->now};
    for (field part; next_field(&bytes, &part);)
        read_part_of_event(self, &event, &part);
    const trace_track *track = perfetto_track(trace, event.track);
    cr_assert(track, "an event on track %llu, which is not described", (unsigned long long)event.track);
    cr_assert(event.type >= SLICE_BEGIN && event.type <= COUNTER);
    cr_assert_eq(track->is_counter, event.type == COUNTER, "%s: an event of the wrong type", track->path);
    cr_assert_eq(event.name != NULL && event.category != NULL, event.type == SLICE_BEGIN || event.type == INSTANT);
    if (event.type == COUNTER)
        event.name = track->name;
    trace->events = more(trace->events, trace->event_count, sizeof *trace->events);
    nest(self, &event, track);
    trace->events[trace->event_count++] = event;
}

static void read_packet(reading *self, wire bytes)
{
    wire event = {0}, track = {0};
    uint64_t sequence = 0, flags = 0, t = UINT64_MAX;
    for (field part; next_field(&bytes, &part);) {
        switch (part.number) {
        case 8: t = part.value; break;
        case 10: sequence = part.value; break;
        case 11: event = part.bytes; break;
        case 12: read_interned(self, part.bytes); break;
        case 13: flags = part.value; break;
        case 60: track = part.bytes; break;
        default: cr_assert_fail("field %u of a packet", part.number);
        }
    }
    cr_assert_eq(sequence, 1);
    cr_assert_eq(flags, self->packets++ ? 2u : 3u, "sequence flags of packet %zu", self->packets);
    if (track.at)
        read_track(self, track);
    if (!event.at)
        return;
    cr_assert(t != UINT64_MAX && t >= self->now, "timestamps of the sequence decrease");
    self->now = t;
    read_event(self, event);
}

/* ---- Files --------------------------------------------------------------------------------------------------------- */

static void conclude(reading *self)
{
    perfetto_trace *trace = self->trace;
    for (size_t i = 0; i < trace->track_count; i++)
        cr_expect_eq(self->depths[i], 0, "%s: something never ends", trace->tracks[i].path);
    for (size_t i = 0; i < self->arrow_count; i++) {
        trace->arrow_count += self->arrow_ends[i];
        trace->open_arrows += !self->arrow_ends[i];
    }
    for (uint32_t i = 0; i < TEXTS; i++)
        free(self->texts[i]);
    free(self->stacks);
    free(self->depths);
    free(self->arrows);
    free(self->arrow_ends);
}

perfetto_trace perfetto_read(const char *path)
{
    size_t bytes;
    char *whole = file_read(path, &bytes);
    perfetto_trace trace = {0};
    reading self = {.trace = &trace};
    cr_assert(whole, "there is no %s", path);
    wire at = {(const uint8_t *)whole, (const uint8_t *)whole + bytes};
    for (field packet; next_field(&at, &packet);) {
        cr_assert_eq(packet.number, 1, "field %u of the trace", packet.number);
        read_packet(&self, packet.bytes);
    }
    conclude(&self);
    self.kept = more(self.kept, self.kept_count, sizeof *self.kept);
    self.kept[self.kept_count] = NULL;
    trace.texts = self.kept;
    free(whole);
    return trace;
}

void perfetto_free(perfetto_trace *trace)
{
    for (char **text = trace->texts; *text; text++)
        free(*text);
    for (size_t i = 0; i < trace->track_count; i++)
        free(trace->tracks[i].path);
    free(trace->texts);
    free(trace->tracks);
    free(trace->events);
}

size_t perfetto_count(const perfetto_trace *trace, const char *name, const char *path)
{
    size_t count = 0;
    for (size_t i = 0; i < trace->event_count; i++) {
        const trace_event *event = &trace->events[i];
        if (event->type == SLICE_END || (name && strcmp(event->name, name) != 0))
            continue;
        count += !path || strstr(perfetto_track(trace, event->track)->path, path) != NULL;
    }
    return count;
}
