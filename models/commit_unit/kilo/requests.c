/* SPDX-License-Identifier: MIT */
/* What cores send: logs, a word per cycle or, if words are put together, a packet per cycle; and short messages. Taking them waits
 * for nothing (Fung 2015 §4.2.5: otherwise units could wait for each other). */
#include <inttypes.h>

#include "hd_link.h"
#include "state.h"

/* ---- Mistakes ------------------------------------------------------------------------------------------------------- */

static const char *mistake_in_log(const hd_packet *packet)
{
    const hd_kilo_log *log = hd_body_const(packet);
    const hd_kilo_word *words = (const hd_kilo_word *)(log + 1);
    if (packet->body_bytes < sizeof *log || !packet->argument || packet->argument > HD_KILO_WORDS ||
        packet->body_bytes < sizeof *log + packet->argument * sizeof *words)
        return "ill-formed log";
    for (uint32_t i = 0; i < packet->argument; i++)
        if (words[i].lane >= 64 || !(log->group.lanes >> words[i].lane & 1) || words[i].address % 4 ||
            !words[i].byte_mask || words[i].byte_mask > 15)
            return "ill-formed word";
    return NULL;
}

static uint32_t is_log(const kilo_unit *self, const hd_packet *packet)
{
    return packet->message == self->message.read_set || packet->message == self->message.write_set;
}

static const char *mistake_of(const kilo_unit *self, const hd_packet *packet)
{
    const hd_kilo_lanes *lanes = hd_body_const(packet);
    if (!self->validates && (packet->message == self->message.read_set || packet->message == self->message.outcome))
        return "nobody is validated here";
    if (packet->body_bytes < sizeof(hd_kilo_group) || !packet->epoch || !lanes->group.first || !lanes->group.lanes)
        return "ill-formed message";
    if (is_log(self, packet))
        return mistake_in_log(packet);
    if (packet->message != self->message.done_skip && packet->message != self->message.outcome &&
        packet->message != self->message.resent)
        return "unknown message";
    return packet->body_bytes < sizeof *lanes || lanes->lanes & ~lanes->group.lanes || lanes->marked & ~lanes->lanes
               ? "ill-formed message"
               : NULL;
}

static void refuse(const kilo_unit *self, const hd_packet *packet, const char *what, hd_time t)
{
    self->services->fault(self->services->context, t,
                          "%s: %s: message %" PRIu32 " of warp %" PRIu32 " from endpoint %" PRIu16,
                          self->services->name, what, packet->message, packet->flow, packet->source);
}

/* Whether the ID may be of these lanes. */
static uint32_t is_of(const kilo_unit *self, uint64_t id, const hd_kilo_group *ids, const hd_packet *packet)
{
    if (id < self->retire_pointer || id > self->head || kilo_unit_entry(self, id)->group == NONE)
        return 1;
    const group *group = kilo_unit_group(self, kilo_unit_entry(self, id));
    return group->ids.first == ids->first && group->ids.lanes == ids->lanes && group->warp == packet->flow;
}

/* Of whoever gives out IDs. */
static const char *mistake_of_ids(const kilo_unit *self, const hd_kilo_group *ids, const hd_packet *packet)
{
    const uint64_t last = ids->first + hd_kilo_size(ids) - 1;
    if (self->entry_limit && last >= self->retire_pointer + self->entry_limit)
        return "there is no entry for this commit ID: the vendor of commit IDs has to know of the limit (port room)";
    return is_of(self, ids->first, ids, packet) && is_of(self, last, ids, packet)
               ? NULL
               : "I-1: two attempts have the same commit ID";
}

/* ---- Logs ----------------------------------------------------------------------------------------------------------- */

/* The first word of an attempt: what is older and has retired is in memory when its validation begins. */
static void fill(kilo_unit *self, entry *entry)
{
    if (entry->state != ENTRY_UNUSED)
        return;
    entry->state = ENTRY_FILL;
    entry->retired = self->retire_pointer;
    self->counters.transactions++;
    hd_raise_maximum(&self->counters.accessed_maximum, 2 * ++self->in_use.accessed);
}

static void keep(kilo_unit *self, word_set *set, const word *word)
{
    set->count++;
    self->counters.large_sets += set->count == LARGE_SET + 1;
    if (set->kept >= self->buffer_words)
        return;
    set->kept++;
    kilo_unit_append(self, &set->words, word);
    if (set->kept == 1)
        set->looked = set->words.first;
}

static void take_read(kilo_unit *self, entry *entry, const word *word, hd_time t)
{
    if (!entry->reads.count)
        kilo_unit_count_buffer_needed(self, &entry->holds_reads);
    keep(self, &entry->reads, word);
    self->counters.read_words++;
    if (self->broadcast.is_on)
        broadcast_count(self, kilo_unit_group(self, entry), BROADCAST_READS, word->address);
    kilo_unit_add_load(self, entry, word, 0);
    if (self->has_signatures)
        kilo_unit_compare_read(self, entry, word->address, t);
}

static void take_write(kilo_unit *self, entry *entry, const word *word, hd_time t)
{
    if (!entry->writes.count)
        kilo_unit_count_buffer_needed(self, &entry->holds_writes);
    keep(self, &entry->writes, word);
    self->counters.write_words++;
    if (self->broadcast.is_on)
        broadcast_count(self, kilo_unit_group(self, entry), BROADCAST_WRITES, word->address);
    if (self->has_signatures)
        kilo_unit_compare_write(self, entry, word->address, t);
}

/* Words that did not fit the buffer go where they are wanted now. */
static void take_resent(kilo_unit *self, entry *entry, const word *word, uint32_t is_read, hd_time t)
{
    kilo_unit_begin_batch(self);
    if (entry->id == self->hazard_pointer && is_read)
        kilo_unit_detect_hazard(self, entry, word->address, t);
    else if (entry->id == self->hazard_pointer)
        kilo_unit_note_writer(self, entry, word->address);
    else if (is_read)
        kilo_unit_add_load(self, entry, word, 1);
    else
        kilo_unit_add_store(self, entry, word);
}

static void take_word(kilo_unit *self, const hd_packet *packet, uint32_t i, hd_time t)
{
    const hd_kilo_log *log = hd_body_const(packet);
    const hd_kilo_word *sent = (const hd_kilo_word *)(log + 1) + i;
    const uint64_t id = hd_kilo_id(&log->group, sent->lane);
    const uint32_t is_read = packet->message == self->message.read_set;
    entry *entry = kilo_unit_entry(self, id);
    const word word = {.id = id, .address = sent->address, .value = sent->value, .byte_mask = sent->byte_mask};
    if (id < self->retire_pointer || (log->resent ? !entry->is_asked : entry->state > ENTRY_FILL)) {
        refuse(self, packet, "a word of a log that is complete", t);
        return;
    }
    if (log->resent) {
        take_resent(self, entry, &word, is_read, t);
        return;
    }
    fill(self, entry);
    if (is_read)
        take_read(self, entry, &word, t);
    else
        take_write(self, entry, &word, t);
}

/* As many as this cycle has room for; 1: the packet is done. */
static uint32_t take_words(kilo_unit *self, const hd_packet *packet, hd_time t)
{
    const hd_kilo_log *log = hd_body_const(packet);
    const uint32_t takes_all = self->block_bytes && !log->resent;
    if (kilo_unit_open_group(self, &log->group, packet) == NONE) {
        refuse(self, packet, "I-1: a log of a commit ID that has retired", t);
        return 1;
    }
    kilo_unit_begin_batch(self);
    do
        take_word(self, packet, self->current_word++, t);
    while (takes_all && self->current_word < packet->argument);
    return self->current_word == packet->argument;
}

/* ---- Short messages -------------------------------------------------------------------------------------------------- */

static void end_log(kilo_unit *self, entry *entry, hd_time t)
{
    if (!self->validates) {
        kilo_unit_commit_at_once(self, entry, t);
        return;
    }
    entry->state = ENTRY_WAIT;
    kilo_unit_end_validation(self, entry);
}

/* All lanes of a warp may have ended their logs. */
static void end_group(kilo_unit *self, group *group)
{
    if (self->broadcast.is_on && group->done && group->ended == group->ids.lanes)
        broadcast_tell_entered(self);
    if (self->validates)
        kilo_unit_end_verdicts(self, group);
}

static void end_logs(kilo_unit *self, const hd_packet *packet, hd_time t)
{
    const hd_kilo_lanes *lanes = hd_body_const(packet);
    const uint32_t place = kilo_unit_open_group(self, &lanes->group, packet);
    if (place == NONE || ((group *)self->groups.items)[place].ended & lanes->lanes) {
        refuse(self, packet, "I-1: a log ends twice", t);
        return;
    }
    ((group *)self->groups.items)[place].ended |= lanes->lanes;
    ((group *)self->groups.items)[place].done |= lanes->marked;
    for (uint64_t left = lanes->lanes; left; left &= left - 1) {
        entry *entry = kilo_unit_entry(self, hd_kilo_id(&lanes->group, (uint32_t)__builtin_ctzll(left)));
        if (lanes->marked & left & -left) {
            fill(self, entry);
            end_log(self, entry, t);
        } else if (entry->state == ENTRY_UNUSED) {
            entry->state = ENTRY_RETIRED;
            entry->is_skip = 1;
            self->counters.skips++;
        } else {
            refuse(self, packet, "a lane skips a partition that it has words of", t);
        }
    }
    end_group(self, (group *)self->groups.items + place);
}

static void end_resent(kilo_unit *self, const hd_packet *packet, hd_time t)
{
    const hd_kilo_lanes *lanes = hd_body_const(packet);
    const uint64_t id = hd_kilo_id(&lanes->group, (uint32_t)__builtin_ctzll(lanes->lanes | UINT64_C(1) << 63));
    entry *entry = kilo_unit_entry(self, id);
    if (id < self->retire_pointer || id > self->head || !entry->is_asked) {
        refuse(self, packet, "words are resent that nobody has asked for", t);
        return;
    }
    entry->is_asked = 0;
    if (entry->id == self->hazard_pointer)
        entry->step++;
    else if (entry->state == ENTRY_AGAIN)
        kilo_unit_end_revalidation(self, entry, t);
    else if (entry->state == ENTRY_WRITES)
        kilo_unit_end_writing(self, entry);
}

static void take_message(kilo_unit *self, const hd_packet *packet, hd_time t)
{
    self->counters.message_bytes += packet->wire_bytes;
    if (packet->message == self->message.done_skip) {
        self->counters.done_skips++;
        end_logs(self, packet, t);
    } else if (packet->message == self->message.outcome) {
        self->counters.outcomes++;
        kilo_unit_take_outcome(self, packet, t);
    } else {
        end_resent(self, packet, t);
    }
}

/* ---- At an edge ------------------------------------------------------------------------------------------------------ */

static void count_log(kilo_unit *self, const hd_packet *packet)
{
    const uint32_t is_read = packet->message == self->message.read_set;
    *(is_read ? &self->counters.read_packets : &self->counters.write_packets) += 1;
    *(is_read ? &self->counters.read_bytes : &self->counters.write_bytes) += packet->wire_bytes;
}

static void take_next(kilo_unit *self, hd_time t)
{
    const hd_services *services = self->services;
    hd_packet *packet = hd_link_pop(services, self->request, t);
    if (!packet)
        return;
    self->has_moved = 1;
    self->current_word = 0;
    const char *mistake = mistake_of(self, packet);
    if (!mistake)
        mistake = mistake_of_ids(self, hd_body_const(packet), packet);
    if (!mistake && is_log(self, packet)) {
        count_log(self, packet);
        self->current = packet;
        return;
    }
    if (mistake)
        refuse(self, packet, mistake, t);
    else
        take_message(self, packet, t);
    services->free(services->context, packet);
}

void kilo_unit_take_request(kilo_unit *self, hd_time t)
{
    if (broadcast_is_busy(self))
        return;
    if (!self->current)
        take_next(self, t);
    if (!self->current)
        return;
    self->has_moved = 1;
    if (!take_words(self, self->current, t))
        return;
    self->services->free(self->services->context, self->current);
    self->current = NULL;
}
