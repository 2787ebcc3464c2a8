/* SPDX-License-Identifier: MIT */
#include "hd_link.h"
#include "state.h"

static void work(void *block, hd_time t)
{
    commit *self = block;
    const uint64_t n = self->cursor.n;
    commit_take_answers(self, t);
    commit_acknowledge(self, n, t);
    commit_apply(self, n, t);
    commit_take_log(self, n, t);
}

static hd_time next(const void *block)
{
    const commit *self = block;
    hd_cursor cursor = self->cursor;
    hd_work work = hd_work_none();
    hd_work_at_time(&work, hd_link_arrival(self->stored));
    hd_work_at_time(&work, hd_link_arrival(self->released));
    if (commit_has_room(self) || !self->is_full)
        hd_work_at_time(&work, hd_link_arrival(self->logs));
    if (self->logs_pending.count && self->pending[self->logs_pending.first].needs <= self->first && !self->ack_waits)
        hd_work_at_edge(&work, self->cursor.n);
    if (self->next < self->end && !self->store_waits && !self->release_waits)
        hd_work_at_edge(&work, self->free_edge);
    return hd_work_seek(&work, &cursor) ? cursor.t : HD_NEVER;
}

hd_time commit_advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.work = work, .next = next};
    commit *self = (commit *)block;
    return hd_walk_span(&walk, self, &self->cursor, now, horizon);
}
