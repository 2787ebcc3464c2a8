/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "hd_link.h"
#include "state.h"

static uint32_t arrives(const hd_link *link)
{
    return hd_link_arrival(link) != HD_NEVER;
}

static uint32_t has_work(hd_block *block)
{
    const validation *self = (const validation *)block;
    return self->current || self->loads_under_way || self->stall.requests || self->reply_ring.count ||
           self->rollover.phase != ROLLOVER_NONE || arrives(self->requests) || arrives(self->release) ||
           arrives(self->previous);
}

static void describe_line(const validation *self, const stall_line *line, const hd_text_sink *sink)
{
    const metadata_entry *entry = metadata_find(&self->metadata, line->granule);
    for (uint32_t i = 0; i < line->count; i++) {
        const hd_packet *request = line->waiters[i].request;
        const hd_getm_access *access = hd_body_const(request);
        sink->line(sink->context,
                   "a %s of warp %" PRIu32 " at %#" PRIx64 " waits for attempt %" PRIu32 " of warp %" PRIu32
                   " to end, which has reserved it",
                   request->message == self->message.store ? "store" : "load", access->warp, request->address,
                   entry ? entry->owner_epoch : 0, entry ? entry->owner_warp : 0);
    }
}

/* If a look-up takes more than an access to memory on average, whoever waits waits for the look-ups before his own. */
static void describe_tables(const validation *self, const hd_text_sink *sink)
{
    const validation_counters *counters = &self->counters;
    const uint32_t spilled = self->metadata.overflow.used;
    if (!spilled || counters->table_cycles <= counters->look_ups * self->metadata.parameters.overflow_cycles)
        return;
    sink->line(sink->context,
               HD_PENDING_CAUSE "its tables are too small for what transactions have reserved (entries in main memory: "
                                "%" PRIu32 "), and a look-up takes %" PRIu64
                                " cycles on average; raise precise.entries, or lower tx.concurrency of the cores",
               spilled, counters->table_cycles / counters->look_ups);
    if (self->current && self->done > self->cursor.n)
        sink->line(sink->context, "  looks for the granule at %#" PRIx64 ", for %" PRIu64 " more cycles",
                   granule_of(self, self->current->address) << self->granule_shift, self->done - self->cursor.n);
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    static const char *const phases[] = {
        [ROLLOVER_BEGIN] = "begins",
        [ROLLOVER_BEGUN] = "waits until all units have stopped",
        [ROLLOVER_STOPPED] = "has stopped",
        [ROLLOVER_TELL] = "tells the cores",
        [ROLLOVER_COLLECT] = "waits for the cores",
        [ROLLOVER_GO] = "lets the others go on",
        [ROLLOVER_GOING] = "waits until all units go on",
        [ROLLOVER_TELL_END] = "tells the cores that it is over",
    };
    const validation *self = (const validation *)block;
    describe_tables(self, sink);
    if (self->rollover.phase != ROLLOVER_NONE)
        sink->line(sink->context, "clocks roll over: it %s", phases[self->rollover.phase]);
    if (self->loads_under_way)
        sink->line(sink->context, "%" PRIu32 " loads wait for the slice", self->loads_under_way);
    if (self->reply_ring.count)
        sink->line(sink->context, "%" PRIu32 " answers %s", self->reply_ring.count,
                   self->reply_waits ? "wait for a credit" : "about to leave");
    for (uint32_t i = 0; i < self->stall.line_count; i++)
        describe_line(self, &self->stall.lines[i], sink);
}

/* Between kernels no transaction runs: what is known of old ones has no meaning any more. */
static void align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    validation *self = (validation *)block;
    const uint64_t kept = metadata_find_kept(&self->metadata);
    (void)sink;
    if (kept != NO_GRANULE || self->stall.requests)
        self->services->fault(self->services->context, t,
                              "%s: I10: no transaction runs, and granule %#" PRIx64 " is reserved or waited for",
                              self->services->name, kept);
    validation_forget(self);
    self->era++;
}

static void mark(hd_block *block)
{
    validation *self = (validation *)block;
    validation_counters *counters = &self->counters;
    counters->entries_maximum = self->metadata.table.used;
    counters->stash_maximum = self->metadata.stash.used;
    counters->overflow_maximum = self->metadata.overflow.used;
    counters->stall_requests_maximum = self->stall.requests;
    counters->stall_addresses_maximum = self->stall.used;
    counters->clock_maximum = 0;
}

const void *validation_extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    static const hd_align alignment = {align};
    static const hd_mark marking = {mark};
    (void)block;
    if (strcmp(id, HD_EXTENSION_TAP) == 0)
        return &validation_tap;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &validation_state;
    return hd_ability(id, &pending, &alignment, &marking);
}
