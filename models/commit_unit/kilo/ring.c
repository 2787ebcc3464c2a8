/* SPDX-License-Identifier: MIT */
/* The ring of commit entries (Fung 2015 §4.2.5): an ID names an entry in every unit, whether it has words there or not. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

/* ---- Words ---------------------------------------------------------------------------------------------------------- */

void kilo_unit_append(kilo_unit *self, list *list, const word *item)
{
    const uint32_t place = places_take(&self->words);
    *kilo_unit_word(self, place) = *item;
    kilo_unit_word(self, place)->next = NONE;
    if (list->first == NONE)
        list->first = place;
    else
        kilo_unit_word(self, list->last)->next = place;
    list->last = place;
}

void kilo_unit_free_words(kilo_unit *self, list *list)
{
    for (uint32_t place = list->first, next; place != NONE; place = next) {
        next = kilo_unit_word(self, place)->next;
        places_give(&self->words, place);
    }
    list->first = list->last = NONE;
}

/* ---- Entries -------------------------------------------------------------------------------------------------------- */

static void open_entry(kilo_unit *self, uint64_t id)
{
    static const word_set empty = {.words = {NONE, NONE}, .looked = NONE};
    entry *entry = kilo_unit_entry(self, id);
    memset(entry, 0, sizeof *entry);
    entry->id = id;
    entry->group = NONE;
    entry->reads = entry->writes = empty;
}

static void grow(kilo_unit *self)
{
    const uint64_t size = 2 * self->ring_size;
    entry *ring = calloc(size, sizeof *ring);
    if (!ring)
        abort();
    for (uint64_t id = self->retire_pointer; id <= self->head; id++)
        ring[id & (size - 1)] = *kilo_unit_entry(self, id);
    free(self->ring);
    self->ring = ring;
    self->ring_size = size;
}

void kilo_unit_extend_ring(kilo_unit *self, uint64_t id)
{
    while (self->head < id) {
        if (self->head + 1 - self->retire_pointer == self->ring_size)
            grow(self);
        open_entry(self, ++self->head);
    }
    hd_raise_maximum(&self->counters.entries_maximum, self->head + 1 - self->retire_pointer);
    hd_raise_maximum(&self->counters.all_maximum, 2 * (self->head + 1 - self->retire_pointer));
}

uint32_t kilo_unit_open_group(kilo_unit *self, const hd_kilo_group *ids, const hd_packet *packet)
{
    const uint64_t last = ids->first + hd_kilo_size(ids) - 1;
    if (last < self->retire_pointer)
        return NONE;
    kilo_unit_extend_ring(self, last);
    if (kilo_unit_entry(self, last)->group != NONE)
        return kilo_unit_entry(self, last)->group;
    const uint32_t place = places_take(&self->groups);
    ((group *)self->groups.items)[place] = (group){.ids = *ids,
                                                   .warp = packet->flow,
                                                   .epoch = packet->epoch,
                                                   .core = packet->source,
                                                   .entries = hd_kilo_size(ids),
                                                   .counted = {{NONE, NONE}, {NONE, NONE}}};
    for (uint64_t left = ids->lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        entry *entry = kilo_unit_entry(self, hd_kilo_id(ids, lane));
        entry->group = place;
        entry->lane = lane;
    }
    return place;
}

void kilo_unit_count_buffer_needed(kilo_unit *self, uint8_t *holds)
{
    *holds = 1;
    self->counters.sets++;
    hd_raise_maximum(&self->counters.used_maximum, ++self->in_use.used);
    hd_raise_maximum(&self->counters.needed_maximum, ++self->in_use.needed);
}

void kilo_unit_count_buffer_freed(kilo_unit *self, uint8_t *holds)
{
    self->in_use.needed -= *holds;
    *holds = 0;
}

void kilo_unit_free_oldest(kilo_unit *self)
{
    entry *entry = kilo_unit_entry(self, self->retire_pointer++);
    group *group = kilo_unit_group(self, entry);
    kilo_unit_count_buffer_freed(self, &entry->holds_reads);
    kilo_unit_count_buffer_freed(self, &entry->holds_writes);
    self->in_use.used -= (entry->reads.count != 0) + (entry->writes.count != 0);
    self->in_use.accessed -= !entry->is_skip;
    kilo_unit_free_words(self, &entry->reads.words);
    kilo_unit_free_words(self, &entry->writes.words);
    if (--group->entries)
        return;
    if (self->broadcast.is_on && self->broadcast.at_retirement)
        broadcast_release(self, group);
    places_give(&self->groups, entry->group);
}

void kilo_unit_clear_ring(kilo_unit *self)
{
    places_clear(&self->groups);
    places_clear(&self->words);
    places_clear(&self->accesses);
    self->validations = self->stores = (queue){NONE, NONE};
    self->load_batch = self->store_batch = NONE;
    self->head = 0;
    self->hazard_pointer = self->pass_pointer = self->commit_pointer = self->retire_pointer = self->unsent = 1;
    memset(&self->in_use, 0, sizeof self->in_use);
}
