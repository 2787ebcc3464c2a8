/* SPDX-License-Identifier: MIT */
/*
 * Hazard detection, strictly in the order of commit IDs (Fung 2015 §4.2.5): has an older transaction, which had not retired when the
 * validation began, written what this one has read? Such a one is not aborted. It waits until the writer has retired, and is
 * validated again.
 */
#include <assert.h>
#include <inttypes.h>

#include "state.h"

/* It waits for `writer`; what has failed need not. */
static void defer(kilo_unit *self, entry *entry, uint64_t writer, uint32_t address, hd_time t)
{
    if (entry->state == ENTRY_FAIL)
        return;
    entry->writer = writer > entry->writer ? writer : entry->writer;
    entry->is_hazarded = 1;
    if (entry->state == ENTRY_PASS)
        entry->state = ENTRY_WAIT;
    self->counters.hazards++;
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_HAZARD, t, kilo_unit_group(self, entry)->warp, entry->lane,
                     address, writer);
}

/* ---- By the history -------------------------------------------------------------------------------------------------- */

/*
 * Lanes of a warp that are told together, or written together, must not wait for each other: what one waits for would wait for it.
 * Cores have resolved conflicts between them, so the filter is mistaken. An older writer may be hidden behind the mistake: it is
 * older than all of the warp.
 */
static uint64_t clamp(kilo_unit *self, const entry *entry, uint64_t writer)
{
    const uint64_t first = kilo_unit_group(self, entry)->ids.first;
    if (!self->clamps || writer < first)
        return writer;
    self->counters.clamped++;
    return first - 1;
}

/* Against the exact history, which debug builds have. */
static void check_look_up(const kilo_unit *self, const entry *entry, uint32_t address, uint64_t found, hd_time t)
{
#ifndef NDEBUG
    const uint64_t youngest = exact_of(&self->history.exact, address / 4);
    const char *broken = NULL;
    assert(youngest < entry->id && "noted in the order of IDs");
    if (youngest >= entry->retired && found < youngest)
        broken = "I-19: the history has forgotten a writer";
    if (self->clamps && youngest >= kilo_unit_group(self, entry)->ids.first)
        broken = "units that aggregate or coalesce need cores that resolve conflicts within the warp";
    if (broken)
        self->services->fault(self->services->context, t, "%s: %s: %#" PRIx32 " of commit ID %" PRIu64,
                              self->services->name, broken, address, entry->id);
#else
    (void)self, (void)entry, (void)address, (void)found, (void)t;
#endif
}

void kilo_unit_detect_hazard(kilo_unit *self, entry *entry, uint32_t address, hd_time t)
{
    const uint64_t found = history_look_up(&self->history, address);
    const uint64_t writer = clamp(self, entry, found);
    check_look_up(self, entry, address, found, t);
    self->counters.hazard_reads++;
    self->has_moved = 1;
    if (writer >= entry->retired)
        defer(self, entry, writer, address, t);
}

void kilo_unit_note_writer(kilo_unit *self, entry *entry, uint32_t address)
{
    history_note(&self->history, address, entry->id, self->retire_pointer);
    self->counters.hazard_writes++;
    self->has_moved = 1;
}

/* ---- By signatures --------------------------------------------------------------------------------------------------- */

static uint32_t may_write(const entry *entry, const signature *word)
{
    return entry->state != ENTRY_UNUSED && entry->state != ENTRY_FAIL && entry->state != ENTRY_RETIRED &&
           signature_has(&entry->write_signature, word);
}

/* The youngest at or before `id`; 0: none. */
static uint64_t youngest_writer(const kilo_unit *self, uint64_t id, const signature *word, uint32_t spared_group)
{
    for (; id >= self->retire_pointer; id--) {
        const entry *entry = kilo_unit_entry(self, id);
        if (entry->group != spared_group && may_write(entry, word))
            return id;
    }
    return 0;
}

void kilo_unit_compare_read(kilo_unit *self, entry *entry, uint32_t address, hd_time t)
{
    const signature word = signature_of(&self->hashes, address);
    const uint64_t writer = youngest_writer(self, entry->id - 1, &word, self->clamps ? entry->group : NONE);
    signature_add(&entry->read_signature, &word);
    if (writer)
        defer(self, entry, writer, address, t);
}

void kilo_unit_compare_write(kilo_unit *self, entry *writer, uint32_t address, hd_time t)
{
    const signature word = signature_of(&self->hashes, address);
    signature_add(&writer->write_signature, &word);
    for (uint64_t id = writer->id + 1; id <= self->head; id++) {
        entry *entry = kilo_unit_entry(self, id);
        const uint32_t may_read =
            entry->state == ENTRY_FILL || entry->state == ENTRY_WAIT || entry->state == ENTRY_PASS;
        const uint32_t is_spared = self->clamps && kilo_unit_same_group(entry, writer);
        if (may_read && !is_spared && signature_has(&entry->read_signature, &word))
            defer(self, entry, writer->id, address, t);
    }
}

uint64_t kilo_unit_writer_of(const kilo_unit *self, uint64_t address)
{
    if (!self->has_signatures)
        return history_peek(&self->history, address);
    const signature word = signature_of(&self->hashes, address);
    return youngest_writer(self, self->head, &word, NONE);
}

/* ---- At an edge ------------------------------------------------------------------------------------------------------ */

static void advance(kilo_unit *self)
{
    self->hazard_pointer++;
    self->has_moved = 1;
}

/* A word, or 0: there is none left in the list. */
static uint32_t next_word(const kilo_unit *self, word_set *set, uint32_t *address)
{
    if (set->looked == NONE)
        return 0;
    const word *word = kilo_unit_word(self, set->looked);
    *address = word->address;
    set->looked = word->next;
    return 1;
}

static uint32_t is_cut(const word_set *set)
{
    return set->count > set->kept;
}

/* Of an entry whose logs are complete, one step. */
static void step(kilo_unit *self, entry *entry, hd_time t)
{
    uint32_t address;
    if (entry->step == STEP_READS && next_word(self, &entry->reads, &address)) {
        kilo_unit_detect_hazard(self, entry, address, t);
        return;
    }
    if (entry->step == STEP_READS)
        entry->step = is_cut(&entry->reads) ? STEP_MORE_READS : STEP_WRITES;
    if (entry->step == STEP_WRITES && next_word(self, &entry->writes, &address)) {
        kilo_unit_note_writer(self, entry, address);
        return;
    }
    if (entry->step == STEP_WRITES)
        entry->step = is_cut(&entry->writes) ? STEP_MORE_WRITES : STEP_DONE;
    if (entry->step == STEP_DONE)
        advance(self);
    else
        kilo_unit_request_resend(self, entry, entry->step == STEP_MORE_WRITES);
}

static void step_once(kilo_unit *self, hd_time t)
{
    self->waits.log = 0;
    if (self->hazard_pointer > self->head)
        return;
    entry *entry = kilo_unit_entry(self, self->hazard_pointer);
    self->waits.log = entry->state <= ENTRY_FILL;
    if (self->waits.log || entry->is_asked)
        return;
    if (self->has_signatures || entry->state == ENTRY_RETIRED || entry->state == ENTRY_FAIL)
        advance(self);
    else
        step(self, entry, t);
}

void kilo_unit_step_hazards(kilo_unit *self, hd_time t)
{
    for (uint32_t i = 0; i < self->hazard_rate; i++)
        step_once(self, t);
}
