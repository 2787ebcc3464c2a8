/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "recorder_state.h"

uint32_t recorder_add_kind(hd_recorder *self, const hd_trace_event *event, const char *category)
{
    self->kinds = observe_grow(self->kinds, self->kind_count, &self->kind_capacity, sizeof *self->kinds);
    self->view.kinds = self->kinds;
    trace_kind *kind = &self->kinds[self->kind_count];
    *kind = (trace_kind){.name = event->name, .category = category, .form = event->form, .unit = event->unit};
    for (const char *name = event->values; name && *name;) {
        const uint32_t is_hexadecimal = strncmp(name, "0x", 2) == 0;
        name += is_hexadecimal ? 2 : 0;
        const size_t length = strcspn(name, "|");
        kind->hexadecimal |= is_hexadecimal << kind->value_count;
        kind->value_names[kind->value_count++] = strndup(name, length);
        name += length + (name[length] == '|');
    }
    return self->kind_count++;
}

/* Owned: to be freed. */
uint32_t recorder_add_track(hd_recorder *self, const char *name, uint32_t parent, char *owned)
{
    self->tracks = observe_grow(self->tracks, self->track_count, &self->track_capacity, sizeof *self->tracks);
    self->view.tracks = self->tracks;
    self->tracks[self->track_count] = (trace_track){.name = name, .parent = parent, .owned = owned};
    return self->track_count++;
}

/* "core" above core[0], core[1] ...; NO_TRACK where there is no array. */
static uint32_t group_of(hd_recorder *self, const char *name, const char **last, uint32_t *last_track)
{
    const char *bracket = strchr(name, '[');
    if (!bracket)
        return NO_TRACK;
    const size_t length = (size_t)(bracket - name);
    if (*last && strlen(*last) == length && strncmp(*last, name, length) == 0)
        return *last_track;
    char *group = strndup(name, length);
    *last = group;
    *last_track = recorder_add_track(self, group, NO_TRACK, group);
    return *last_track;
}

/* The blocks are there, with all of their tracks. */
void recorder_learn_machine(hd_recorder *self)
{
    const uint32_t blocks = hd_engine_block_count(self->engine);
    const char *last = NULL;
    uint32_t last_track = NO_TRACK;
    self->first_kind = calloc(blocks + 1, sizeof *self->first_kind);
    self->first_track = calloc(blocks + 1, sizeof *self->first_track);
    if (!self->first_kind || !self->first_track)
        abort();
    for (uint32_t b = 0; b < blocks; b++) {
        const hd_block_class *class = hd_engine_block_class(self->engine, b);
        const uint32_t group = group_of(self, hd_engine_block_name(self->engine, b), &last, &last_track);
        const uint32_t first = self->track_count;
        uint32_t alike = 0;
        while (alike < b && hd_engine_block_class(self->engine, alike) != class)
            alike++;
        self->first_kind[b] = alike < b ? self->first_kind[alike] : self->kind_count;
        for (uint32_t i = 0; alike == b && i < class->trace_event_count; i++)
            recorder_add_kind(self, &class->trace_events[i], class->kind);
        self->first_track[b] = first;
        for (uint32_t i = 0; i < hd_engine_track_count(self->engine, b); i++)
            recorder_add_track(self, hd_engine_track_name(self->engine, b, i),
                               i ? first + hd_engine_track_parent(self->engine, b, i) : group, NULL);
    }
}
