/* SPDX-License-Identifier: MIT */
/*
 * What is open, and how high levels are, is kept from the beginning, whether it is looked at or not: where a region of
 * interest begins, what is under way begins in the file, and where it ends, it ends there.
 */
#include <string.h>

#include "recorder_state.h"

/* The limit is reached, or a file cannot be written: nobody need record any more. */
void recorder_end_if_full(hd_recorder *self)
{
    uint32_t must_end = 0;
    for (uint32_t i = 0; i < WRITERS; i++) {
        if (!self->writer[i])
            continue;
        const uint32_t is_full = self->options.limit && self->writers[i]->bytes(self->writer[i]) >= self->options.limit;
        self->is_full |= is_full;
        must_end |= is_full || self->writers[i]->error(self->writer[i]) != 0;
    }
    if (!must_end)
        return;
    self->has_ended = 1;
    self->ended = self->now;
    hd_engine_stop_tracing(self->engine);
}

static void put(hd_recorder *self, const trace_item *item)
{
    for (uint32_t i = 0; i < WRITERS; i++)
        if (self->writer[i])
            self->writers[i]->put(self->writer[i], item);
}

void recorder_put_item(hd_recorder *self)
{
    if (!self->has_item)
        return;
    self->has_item = 0;
    put(self, &self->item);
}

static void put_levels(hd_recorder *self, uint32_t track, hd_time t)
{
    for (uint32_t i = 0; i < self->tracks[track].level_count; i++) {
        const trace_level *level = &self->tracks[track].levels[i];
        if (level->value)
            put(self,
                &(trace_item){
                    .t = t, .form = HD_TRACED_COUNTER, .track = track, .kind = level->kind, .values = {level->value}});
    }
}

/* The region begins: what is under way begins. */
static void open_region(hd_recorder *self, hd_time t)
{
    self->is_open = 1;
    for (uint32_t i = 0; i < self->track_count; i++) {
        trace_track *track = &self->tracks[i];
        const uint32_t depth = track->depth;
        for (track->depth = 0; track->depth < depth;) {
            const trace_span *span = &track->spans[track->depth++];
            trace_item item = {.t = t, .form = HD_TRACED_BEGIN, .track = i, .kind = span->kind};
            memcpy(item.values, span->values, sizeof item.values);
            put(self, &item);
        }
        put_levels(self, i, t);
    }
}

/* It ends: what is under way ends, innermost first. Depths are as before. */
void recorder_close_region(hd_recorder *self, hd_time t)
{
    self->is_open = 0;
    for (uint32_t i = 0; i < self->track_count; i++) {
        trace_track *track = &self->tracks[i];
        const uint32_t depth = track->depth;
        while (track->depth > 0) {
            track->depth--;
            put(self,
                &(trace_item){.t = t, .form = HD_TRACED_END, .track = i, .kind = track->spans[track->depth].kind});
        }
        track->depth = depth;
    }
}

/* Opens or closes the region as is due at t. */
void recorder_update_region(hd_recorder *self, hd_time t)
{
    const hd_recorder_options *options = &self->options;
    const uint32_t is_open =
        t >= options->from && t < options->to && (!options->kernel_count || self->kernels) && !self->has_ended;
    if (is_open == self->is_open)
        return;
    recorder_put_item(self);
    if (is_open)
        open_region(self, t);
    else
        recorder_close_region(self, t);
}

/* Something happens at t, and nothing earlier any more. */
void recorder_come_to(hd_recorder *self, hd_time t)
{
    const hd_recorder_options *options = &self->options;
    if (!self->first_track)
        recorder_learn_machine(self);
    if (self->now < options->from && t >= options->from)
        recorder_update_region(self, options->from);
    if (self->now < options->to && t >= options->to)
        recorder_update_region(self, options->to);
    self->now = t;
    recorder_update_region(self, t);
}
