/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include <string.h>

#include "hd_link.h"
#include "state.h"

static uint32_t has_work(hd_block *block)
{
    const kilo_unit *self = (const kilo_unit *)block;
    return self->head + 1 > self->retire_pointer || self->current || self->outbox.ring.count ||
           hd_link_arrival(self->request) != HD_NEVER;
}

static const char *what_the_oldest_waits_for(const kilo_unit *self, const entry *entry)
{
    switch (entry->state) {
    case ENTRY_UNUSED: return "for the first word that its core knows of it";
    case ENTRY_FILL: return "for the rest of its logs";
    case ENTRY_WAIT:
    case ENTRY_AGAIN: return entry->is_asked ? "for words to be sent again" : "for its validation";
    case ENTRY_TOLD: return "for its outcome";
    case ENTRY_WRITES: return entry->is_asked ? "for words to be sent again" : "for its stores";
    default: return self->waits.slice ? "for a credit to the slice" : "for its turn";
    }
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const kilo_unit *self = (const kilo_unit *)block;
    if (self->head + 1 > self->retire_pointer) {
        const entry *oldest = kilo_unit_entry(self, self->retire_pointer);
        sink->line(sink->context, "%" PRIu64 " commit IDs have not retired; the oldest, %" PRIu64 ", waits %s",
                   self->head + 1 - self->retire_pointer, oldest->id, what_the_oldest_waits_for(self, oldest));
        if (oldest->group != NONE)
            sink->line(sink->context, "  it is of lane %" PRIu32 " of warp %" PRIu32, oldest->lane,
                       kilo_unit_group(self, oldest)->warp);
    }
    if (self->outbox.ring.count)
        sink->line(sink->context, "%u messages %s", self->outbox.ring.count,
                   self->waits.reply ? "wait for a credit" : "about to leave");
}

/* Commit IDs go on. Readers are done in their core before the units have heard of it, so there may be entries yet. */
static void align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    kilo_unit *self = (kilo_unit *)block;
    (void)t, (void)sink;
    write_times_reset(&self->times);
    if (self->head + 1 == self->retire_pointer)
        history_reset(&self->history);
}

static void mark(hd_block *block)
{
    kilo_unit *self = (kilo_unit *)block;
    kilo_counters *counters = &self->counters;
    counters->entries_maximum = self->head + 1 - self->retire_pointer;
    counters->all_maximum = 2 * counters->entries_maximum;
    counters->accessed_maximum = 2 * self->in_use.accessed;
    counters->used_maximum = self->in_use.used;
    counters->needed_maximum = self->in_use.needed;
    counters->counted_maximum = self->broadcast.counts.count;
}

const void *kilo_unit_extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    static const hd_align alignment = {align};
    static const hd_mark marking = {mark};
    (void)block;
    if (strcmp(id, HD_EXTENSION_TAP) == 0)
        return &kilo_unit_tap;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &kilo_unit_state;
    return hd_ability(id, &pending, &alignment, &marking);
}
