/* SPDX-License-Identifier: MIT */
/* Behind hazard detection, in the order of commit IDs: verdicts, commits, retirement (Fung 2015 §4.2.5, Fig. 4.5). */
#include <assert.h>
#include <inttypes.h>

#include "state.h"

static uint64_t lane_of(const entry *entry)
{
    return UINT64_C(1) << entry->lane;
}

/* ---- Verdicts -------------------------------------------------------------------------------------------------------- */

static void count_verdict(kilo_unit *self, entry *entry)
{
    kilo_unit_count_buffer_freed(self, &entry->holds_reads);
    if (entry->fails)
        kilo_unit_count_buffer_freed(self, &entry->holds_writes);
    *(entry->fails ? &self->counters.fails : &self->counters.passes) += 1;
}

void kilo_unit_end_verdicts(kilo_unit *self, group *group)
{
    if (!group->done || group->ended != group->ids.lanes || group->told != group->done)
        return;
    if (self->aggregates)
        kilo_unit_send_lanes(self, group, self->message.verdict, group->done, group->passed);
    if (self->broadcast.is_on && !self->broadcast.at_retirement)
        broadcast_release(self, group);
}

/* The lane is told, or, with all others of its warp, when it is the last. */
static void give_verdict(kilo_unit *self, entry *entry, hd_time t)
{
    group *group = kilo_unit_group(self, entry);
    assert(!entry->validations && !entry->is_asked && "I-6: no verdict before all has been validated");
    assert(!entry->is_hazarded && "I-2: nor before older writers have written");
    assert((!entry->fails || entry->reads.count) && "I-15: who has read nothing here cannot fail");
    entry->state = entry->fails ? ENTRY_RETIRED : ENTRY_TOLD;
    group->told |= lane_of(entry);
    group->passed |= entry->fails ? 0 : lane_of(entry);
    count_verdict(self, entry);
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_VERDICT, t, group->warp, entry->lane, entry->id, !entry->fails);
    if (entry->fails)
        hd_trace_flow(self->trace, EVENT_VERDICT, EVENT_FAILURE, t, HD_TRACE_FROM,
                      (uint64_t)self->services->endpoint << 32 | (uint32_t)entry->id);
    if (!self->aggregates)
        kilo_unit_send_lanes(self, group, self->message.verdict, lane_of(entry), group->passed & lane_of(entry));
    kilo_unit_end_verdicts(self, group);
    self->has_moved = 1;
}

void kilo_unit_end_validation(kilo_unit *self, entry *entry)
{
    if (entry->validations || entry->is_hazarded)
        return;
    entry->state = entry->fails ? ENTRY_FAIL : ENTRY_PASS;
    self->has_moved = 1;
}

/* What had been read may have been written since: all of it is compared once more. */
static void validate_again(kilo_unit *self, entry *entry)
{
    assert(entry->writer < self->retire_pointer);
    entry->state = ENTRY_AGAIN;
    entry->is_hazarded = 0;
    self->counters.revalidations++;
    for (uint32_t place = entry->reads.words.first; place != NONE; place = kilo_unit_word(self, place)->next) {
        const word copy = *kilo_unit_word(self, place);
        kilo_unit_begin_batch(self);
        kilo_unit_add_load(self, entry, &copy, 1);
    }
    if (entry->reads.count > entry->reads.kept)
        kilo_unit_request_resend(self, entry, 0);
}

void kilo_unit_end_revalidation(kilo_unit *self, entry *entry, hd_time t)
{
    if (!entry->validations && !entry->is_asked)
        give_verdict(self, entry, t);
}

/* Of a hazard: what has failed already needs no second look. 1: the pointer goes on. */
static uint32_t resolve(kilo_unit *self, entry *entry)
{
    self->waits.validation = entry->validations != 0;
    if (entry->validations)
        return 0;
    if (entry->fails) {
        entry->state = ENTRY_FAIL;
        entry->is_hazarded = 0;
        self->has_moved = 1;
        return 0;
    }
    self->waits.writer = entry->writer >= self->retire_pointer;
    if (!self->waits.writer)
        validate_again(self, entry);
    return !self->waits.writer;
}

void kilo_unit_step_verdicts(kilo_unit *self, hd_time t)
{
    self->waits.validation = self->waits.writer = 0;
    if (self->pass_pointer >= self->hazard_pointer)
        return;
    entry *entry = kilo_unit_entry(self, self->pass_pointer);
    if (entry->state == ENTRY_PASS || entry->state == ENTRY_FAIL)
        give_verdict(self, entry, t);
    else if (entry->state == ENTRY_WAIT && !resolve(self, entry))
        return;
    self->pass_pointer++;
    self->has_moved = 1;
}

/* To be called when one of the two sides has changed. */
static void acknowledge_warp(kilo_unit *self, const group *group)
{
    if (self->aggregates && group->writers && group->decided == group->passed && group->written == group->writers)
        kilo_unit_send_lanes(self, group, self->message.committed, group->written, group->written);
}

/* ---- Outcomes -------------------------------------------------------------------------------------------------------- */

static void decide(kilo_unit *self, group *group, uint64_t id, uint32_t commits, hd_time t)
{
    entry *entry = kilo_unit_entry(self, id);
    if (id < self->retire_pointer || entry->state != ENTRY_TOLD) {
        if (commits || (id >= self->retire_pointer && entry->state != ENTRY_RETIRED))
            self->services->fault(self->services->context, t,
                                  "%s: I-14: commit ID %" PRIu64 " of warp %" PRIu32
                                  " has an outcome that does not follow from what was said to it",
                                  self->services->name, id, group ? group->warp : 0);
        return;
    }
    entry->state = commits ? ENTRY_COMMITS : ENTRY_RETIRED;
    *(commits ? &self->counters.commits : &self->counters.losses) += 1;
    if (!commits)
        kilo_unit_count_buffer_freed(self, &entry->holds_writes);
    group->decided |= lane_of(entry);
    group->writers |= commits && entry->writes.count ? lane_of(entry) : 0;
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_OUTCOME, t, group->warp, entry->lane, id, commits);
}

void kilo_unit_take_outcome(kilo_unit *self, const hd_packet *packet, hd_time t)
{
    const hd_kilo_lanes *lanes = hd_body_const(packet);
    const uint64_t last = lanes->group.first + hd_kilo_size(&lanes->group) - 1;
    if (last > self->head) {
        self->services->fault(self->services->context, t, "%s: an outcome of commit IDs that have no logs: %" PRIu64,
                              self->services->name, last);
        return;
    }
    group *group = last < self->retire_pointer ? NULL : kilo_unit_group(self, kilo_unit_entry(self, last));
    const uint64_t decided = group ? group->decided : 0;
    for (uint64_t left = lanes->lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        decide(self, group, hd_kilo_id(&lanes->group, lane), lanes->marked >> lane & 1, t);
    }
    if (group && group->decided != decided)
        acknowledge_warp(self, group);
    self->has_moved = 1;
}

void kilo_unit_commit_at_once(kilo_unit *self, entry *entry, hd_time t)
{
    group *group = kilo_unit_group(self, entry);
    entry->state = ENTRY_TOLD;
    group->told |= lane_of(entry);
    group->passed |= lane_of(entry);
    count_verdict(self, entry);
    decide(self, group, entry->id, 1, t);
}

/* ---- Commits --------------------------------------------------------------------------------------------------------- */

/* Everything that is older and has words here is decided. */
static void check_commit(const kilo_unit *self, const entry *entry)
{
#ifndef NDEBUG
    assert(!entry->validations && "I-8: it writes after it has read");
    for (uint64_t id = self->retire_pointer; id < entry->id; id++)
        assert(kilo_unit_entry(self, id)->state >= ENTRY_COMMITS && "I-7: older ones have an outcome");
#else
    (void)self, (void)entry;
#endif
}

static void send_stores(kilo_unit *self, const entry *entry)
{
    for (uint32_t place = entry->writes.words.first; place != NONE; place = kilo_unit_word(self, place)->next) {
        const word copy = *kilo_unit_word(self, place);
        kilo_unit_add_store(self, entry, &copy);
    }
}

/* Stores of all entries up to `end` that commit and have not been sent. */
static void send_until(kilo_unit *self, uint64_t end)
{
    kilo_unit_begin_batch(self);
    for (; self->unsent < end; self->unsent++) {
        const entry *entry = kilo_unit_entry(self, self->unsent);
        if (self->unsent >= self->retire_pointer && entry->state == ENTRY_WRITES)
            send_stores(self, entry);
    }
}

/* Words of a warp are put together, so they wait for the last of its lanes. */
static uint32_t is_last_of_batch(const kilo_unit *self, const entry *entry)
{
    const group *group = kilo_unit_group(self, entry);
    return !self->block_bytes || entry->id == group->ids.first + hd_kilo_size(&group->ids) - 1;
}

static void begin_writing(kilo_unit *self, entry *entry)
{
    check_commit(self, entry);
    entry->state = entry->writes.count ? ENTRY_WRITES : ENTRY_RETIRED;
    entry->stores = entry->writes.count;
    if (entry->writes.count <= entry->writes.kept)
        return;
    send_until(self, entry->id + 1);
    kilo_unit_request_resend(self, entry, 1);
}

void kilo_unit_step_commits(kilo_unit *self)
{
    self->waits.outcome = 0;
    if (self->commit_pointer >= self->pass_pointer)
        return;
    entry *entry = kilo_unit_entry(self, self->commit_pointer);
    if (entry->state == ENTRY_COMMITS) {
        begin_writing(self, entry);
        self->has_moved = 1;
    }
    self->waits.outcome = entry->state < ENTRY_COMMITS;
    if (self->waits.outcome || entry->is_asked)
        return;
    self->commit_pointer++;
    self->has_moved = 1;
    if (is_last_of_batch(self, entry))
        send_until(self, self->commit_pointer);
}

void kilo_unit_end_writing(kilo_unit *self, entry *entry)
{
    if (entry->stores || entry->is_asked)
        return;
    group *group = kilo_unit_group(self, entry);
    entry->state = ENTRY_RETIRED;
    kilo_unit_count_buffer_freed(self, &entry->holds_writes);
    group->written |= lane_of(entry);
    if (self->aggregates)
        acknowledge_warp(self, group);
    else
        kilo_unit_send_lanes(self, group, self->message.committed, lane_of(entry), lane_of(entry));
    self->has_moved = 1;
}

/* ---- Retirement ------------------------------------------------------------------------------------------------------ */

void kilo_unit_step_retirement(kilo_unit *self, hd_time t)
{
    if (self->retire_pointer >= self->commit_pointer)
        return;
    const entry *oldest = kilo_unit_entry(self, self->retire_pointer);
    if (oldest->state != ENTRY_RETIRED)
        return;
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_RETIRED, t, oldest->id);
    kilo_unit_free_oldest(self);
    self->has_moved = 1;
}
