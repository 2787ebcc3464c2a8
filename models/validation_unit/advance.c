/* SPDX-License-Identifier: MIT */
#include "hd_link.h"
#include "state.h"

/* Nobody waits for a granule that is free, or its own, or in vain; and whoever waits is younger than the owner. */
static void check_waiters(const validation *self, hd_time t)
{
#ifndef NDEBUG
    INVARIANT(self, t,
              self->stall.used <= self->stall.line_count &&
                  self->stall.requests <= self->stall.used * self->stall.capacity,
              "%s: I11: more requests wait than there is room for", self->services->name);
    for (uint32_t i = 0; i < self->stall.line_count && self->rollover.phase == ROLLOVER_NONE; i++) {
        const stall_line *line = &self->stall.lines[i];
        if (!line->count || line->returned || (self->stall.marked >> i & 1))
            continue;
        const metadata_entry *entry = metadata_find(&self->metadata, line->granule);
        INVARIANT(self, t, entry && entry->reserved, "%s: I4: requests wait for granule %#llx, which is free",
                  self->services->name, (unsigned long long)line->granule);
        for (uint32_t k = 0; k < line->count && entry; k++) {
            const hd_getm_access *access = hd_body_const(line->waiters[k].request);
            INVARIANT(self, t,
                      access->warp != entry->owner_warp || line->waiters[k].request->epoch != entry->owner_epoch,
                      "%s: I4: warp %u waits for granule %#llx, which it has reserved itself", self->services->name,
                      access->warp, (unsigned long long)line->granule);
            INVARIANT(self, t, access->timestamp >= entry->written,
                      "%s: I4: warp %u waits for granule %#llx, which a later transaction has reserved",
                      self->services->name, access->warp, (unsigned long long)line->granule);
        }
    }
#else
    (void)self, (void)t;
#endif
}

static void work(void *block, hd_time t)
{
    validation *self = block;
    const uint64_t n = self->cursor.n;
    validation_take_releases(self, t);
    validation_send_replies(self, n, t);
    rollover_step(self, n, t);
    validation_access(self, n, t);
    check_waiters(self, t);
}

static hd_time next(const void *block)
{
    const validation *self = block;
    hd_cursor cursor = self->cursor;
    hd_work work = hd_work_none();
    if (!self->released_waits)
        hd_work_at_time(&work, hd_link_arrival(self->release));
    if (self->reply_ring.count && !self->reply_waits)
        hd_work_at_edge(&work, self->replies[self->reply_ring.first].ready);
    rollover_add_work(self, &work);
    validation_access_work(self, &work);
    return hd_work_seek(&work, &cursor) ? cursor.t : HD_NEVER;
}

hd_time validation_advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.work = work, .next = next};
    validation *self = (validation *)block;
    return hd_walk_span(&walk, self, &self->cursor, now, horizon);
}
