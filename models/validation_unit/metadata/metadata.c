/* SPDX-License-Identifier: MIT */
#include "metadata.h"

#include <assert.h>
#include <stddef.h>

uint32_t metadata_create(metadata *metadata, const metadata_parameters *parameters, validation_counters *counters)
{
    uint64_t seed = parameters->seed;
    metadata->parameters = *parameters;
    metadata->counters = counters;
    return cuckoo_create(&metadata->table, parameters->sets, parameters->ways, &seed) &&
           recency_filter_create(&metadata->filter, parameters->filter_sets, parameters->filter_ways, &seed) &&
           stash_create(&metadata->stash, parameters->stash) &&
           overflow_create(&metadata->overflow, parameters->overflow_lists, parameters->overflow_line, &seed);
}

void metadata_destroy(metadata *metadata)
{
    cuckoo_destroy(&metadata->table);
    recency_filter_destroy(&metadata->filter);
    stash_destroy(&metadata->stash);
    overflow_destroy(&metadata->overflow);
}

void metadata_reset(metadata *metadata)
{
    cuckoo_reset(&metadata->table);
    recency_filter_reset(&metadata->filter);
    stash_reset(&metadata->stash);
    overflow_reset(&metadata->overflow);
    metadata->turn = 0;
}

static uint32_t is_kept(const metadata_entry *entry)
{
    return entry->reserved || entry->pins;
}

/* Without a filter nothing that says something is forgotten. */
static uint32_t may_leave(const metadata *metadata, const metadata_entry *entry)
{
    if (is_kept(entry))
        return 0;
    return metadata->parameters.approximate != APPROXIMATE_NONE || (!entry->written && !entry->read);
}

/* The filter never says too little. */
static uint32_t is_covered(const metadata *metadata, const metadata_entry *entry)
{
    const recency_times times = recency_filter_read(&metadata->filter, entry->granule);
    return times.written >= entry->written && times.read >= entry->read;
}

static void leave(metadata *metadata, const metadata_entry *entry)
{
    recency_filter_merge(&metadata->filter, entry->granule, (recency_times){entry->written, entry->read});
    assert(is_covered(metadata, entry) && "I5");
    (void)is_covered;
    metadata->counters->evictions++;
}

static uint64_t latest(const metadata_entry *entry)
{
    return entry->written > entry->read ? entry->written : entry->read;
}

/* Of the slots that the granule may have, that of the entry that may leave and was used at the earliest time; or NULL. */
static metadata_entry *find_victim(const metadata *metadata, uint64_t granule)
{
    metadata_entry *victim = NULL;
    for (uint32_t way = 0; way < metadata->table.ways; way++) {
        metadata_entry *slot = cuckoo_slot(&metadata->table, granule, way);
        if (may_leave(metadata, slot) && (!victim || latest(slot) < latest(victim)))
            victim = slot;
    }
    return victim;
}

/* Pushes entries from slot to slot. 1: all of them have a place; 0: *entry has none. */
static uint32_t push_around(metadata *metadata, metadata_entry *entry, uint32_t *cycles)
{
    const metadata_parameters *parameters = &metadata->parameters;
    for (uint32_t kick = 1; kick <= parameters->max_kicks; kick++) {
        const uint32_t way = metadata->turn++ % metadata->table.ways;
        metadata_entry *slot = cuckoo_slot(&metadata->table, entry->granule, way);
        const metadata_entry out = *slot;
        *slot = *entry;
        *entry = out;
        ++*cycles;
        metadata->counters->kicks++;
        if (entry->granule == NO_GRANULE) {
            metadata->table.used++;
            return 1;
        }
        const uint32_t is_time = parameters->eviction == EVICTION_EAGER || kick == parameters->max_kicks;
        if (is_time && may_leave(metadata, entry)) {
            leave(metadata, entry);
            return 1;
        }
    }
    return 0;
}

static void put_in_stash(metadata *metadata, const metadata_entry *entry, uint32_t *cycles)
{
    stash *stash = &metadata->stash;
    metadata_entry *slot = stash_find(stash, NO_GRANULE);
    for (uint32_t i = 0; !slot && i < stash->capacity; i++) {
        if (may_leave(metadata, &stash->entries[i])) {
            slot = &stash->entries[i];
            leave(metadata, slot);
            stash->used--;
        }
    }
    if (!slot) {
        overflow_push(&metadata->overflow, entry);
        *cycles += metadata->parameters.overflow_cycles;
        metadata->counters->overflows++;
        hd_raise_maximum(&metadata->counters->overflow_maximum, metadata->overflow.used);
        return;
    }
    *slot = *entry;
    stash->used++;
    metadata->counters->stashed++;
    hd_raise_maximum(&metadata->counters->stash_maximum, stash->used);
}

static void put(metadata *metadata, metadata_entry entry, uint32_t *cycles)
{
    metadata_entry *slot = cuckoo_free_slot(&metadata->table, entry.granule);
    if (slot) {
        *slot = entry;
        metadata->table.used++;
        return;
    }
    slot = metadata->parameters.eviction == EVICTION_EAGER ? find_victim(metadata, entry.granule) : NULL;
    if (slot) {
        leave(metadata, slot);
        *slot = entry;
        return;
    }
    if (!push_around(metadata, &entry, cycles))
        put_in_stash(metadata, &entry, cycles);
}

/* Pinned while it is put in: it might be pushed out at once. */
static metadata_entry *insert(metadata *metadata, metadata_entry entry, uint32_t *cycles)
{
    entry.pins += metadata->parameters.keeps_new;
    put(metadata, entry, cycles);
    hd_raise_maximum(&metadata->counters->entries_maximum, metadata->table.used);
    metadata_entry *inserted = metadata_find(metadata, entry.granule);
    if (inserted)
        inserted->pins -= metadata->parameters.keeps_new;
    return inserted;
}

metadata_entry *metadata_find(const metadata *metadata, uint64_t granule)
{
    metadata_entry *entry = cuckoo_find(&metadata->table, granule);
    if (!entry)
        entry = stash_find(&metadata->stash, granule);
    return entry ? entry : overflow_find(&metadata->overflow, granule);
}

static metadata_entry *take_from_overflow(metadata *metadata, metadata_entry *found, uint32_t *cycles)
{
    const metadata_entry entry = *found;
    overflow_remove(&metadata->overflow, found);
    metadata->counters->overflow_hits++;
    return insert(metadata, entry, cycles);
}

metadata_entry *metadata_look_up(metadata *metadata, uint64_t granule, uint32_t *cycles)
{
    validation_counters *counters = metadata->counters;
    *cycles = 1;
    metadata_entry *entry = cuckoo_find(&metadata->table, granule);
    if (entry) {
        counters->cuckoo_hits++;
        return entry;
    }
    entry = stash_find(&metadata->stash, granule);
    if (entry) {
        counters->stash_hits++;
        return entry;
    }
    const uint32_t accesses = overflow_walk(&metadata->overflow, granule);
    counters->overflow_accesses += accesses;
    *cycles += accesses * metadata->parameters.overflow_cycles;
    entry = overflow_find(&metadata->overflow, granule);
    if (entry)
        return take_from_overflow(metadata, entry, cycles);
    const recency_times times = recency_filter_read(&metadata->filter, granule);
    counters->table_misses++;
    return insert(metadata, metadata_new_entry(granule, times.written, times.read), cycles);
}

void metadata_settle(metadata *metadata, metadata_entry *entry)
{
    if (!overflow_holds(&metadata->overflow, entry) || !may_leave(metadata, entry))
        return;
    leave(metadata, entry);
    overflow_remove(&metadata->overflow, entry);
}

uint32_t metadata_places(const metadata *metadata, uint64_t granule)
{
    uint32_t places = 0;
    for (uint32_t way = 0; way < metadata->table.ways; way++)
        places += cuckoo_slot(&metadata->table, granule, way)->granule == granule;
    for (uint32_t i = 0; i < metadata->stash.capacity; i++)
        places += metadata->stash.entries[i].granule == granule;
    for (uint32_t i = 0; i < metadata->overflow.capacity; i++)
        places += metadata->overflow.nodes[i].entry.granule == granule;
    return places;
}

static uint64_t find_kept_in(const metadata_entry *entries, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (entries[i].granule != NO_GRANULE && is_kept(&entries[i]))
            return entries[i].granule;
    return NO_GRANULE;
}

uint64_t metadata_find_kept(const metadata *metadata)
{
    uint64_t granule = find_kept_in(metadata->table.slots, metadata->table.sets * metadata->table.ways);
    if (granule == NO_GRANULE)
        granule = find_kept_in(metadata->stash.entries, metadata->stash.capacity);
    for (uint32_t i = 0; granule == NO_GRANULE && i < metadata->overflow.capacity; i++)
        granule = find_kept_in(&metadata->overflow.nodes[i].entry, 1);
    return granule;
}
