/* SPDX-License-Identifier: MIT */
#include <assert.h>

#include "hd_link.h"
#include "state.h"

static void account_until(void *block, uint64_t edge)
{
    kilo_unit *self = block;
    kilo_counters *counters = &self->counters;
    const uint64_t cycles = hd_walk_account(&self->accounted, edge), entries = self->head + 1 - self->retire_pointer;
    counters->log_wait_cycles += cycles * self->waits.log;
    counters->validation_wait_cycles += cycles * self->waits.validation;
    counters->writer_wait_cycles += cycles * self->waits.writer;
    counters->outcome_wait_cycles += cycles * self->waits.outcome;
    counters->slice_wait_cycles += cycles * self->waits.slice;
    counters->reply_wait_cycles += cycles * self->waits.reply;
    counters->message_cycles += cycles * self->outbox.ring.count;
    counters->counted_cycles += cycles * self->broadcast.counts.count;
    counters->entry_cycles += cycles * entries;
    counters->all_cycles += cycles * 2 * entries;
    counters->accessed_cycles += cycles * 2 * self->in_use.accessed;
    counters->used_cycles += cycles * self->in_use.used;
    counters->needed_cycles += cycles * self->in_use.needed;
}

static void check_pointers(const kilo_unit *self)
{
    (void)self;
    assert(self->retire_pointer <= self->commit_pointer && self->commit_pointer <= self->pass_pointer &&
           self->pass_pointer <= self->hazard_pointer && self->hazard_pointer <= self->head + 1 && "I-18");
    assert(self->in_use.accessed <= self->head + 1 - self->retire_pointer && self->in_use.needed <= self->in_use.used &&
           self->in_use.used <= 2 * self->in_use.accessed);
    assert((self->head + 1 != self->retire_pointer || broadcast_is_empty(&self->broadcast)) && "EI-2");
}

/* Without it, all have passed. */
static void step_validation(kilo_unit *self, hd_time t)
{
    if (!self->validates) {
        self->hazard_pointer = self->pass_pointer = self->head + 1;
        return;
    }
    kilo_unit_step_hazards(self, t);
    kilo_unit_step_verdicts(self, t);
}

static void work(void *block, hd_time t)
{
    kilo_unit *self = block;
    const uint64_t entries = self->head + 1 - self->retire_pointer;
    self->has_moved = 0;
    kilo_unit_take_answers(self, t);
    kilo_unit_send(self, t);
    kilo_unit_issue(self, t);
    step_validation(self, t);
    kilo_unit_step_commits(self);
    kilo_unit_step_retirement(self, t);
    kilo_unit_take_request(self, t);
    kilo_unit_report_room(self, t);
    check_pointers(self);
    if (self->head + 1 - self->retire_pointer != entries)
        hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_ENTRIES, t, self->head + 1 - self->retire_pointer);
}

/* If nothing has moved, nothing will until something comes in, or a credit that it waits for. */
static hd_time next(const void *block)
{
    const kilo_unit *self = block;
    hd_cursor cursor = self->cursor;
    hd_work work = hd_work_none();
    if (self->has_moved)
        hd_work_at_edge(&work, cursor.n);
    hd_work_at_time(&work, hd_link_arrival(self->accessed));
    hd_work_at_time(&work, hd_link_arrival(self->request));
    return hd_work_seek(&work, &cursor) ? cursor.t : HD_NEVER;
}

hd_time kilo_unit_advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.account_until = account_until, .work = work, .next = next};
    kilo_unit *self = (kilo_unit *)block;
    return hd_walk_span(&walk, self, &self->cursor, now, horizon);
}
