/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hd_address.h"
#include "state.h"

/* A channel of several partitions holds their chunks in turn. */
static uint64_t channel_offset(const struct dram *dram, uint64_t address)
{
    uint32_t partition;
    return dram->partitions == 1 ? hd_interleave_offset(&dram->interleave, address, &partition)
                                 : hd_channel_offset(dram->interleave.map, address, dram->partitions);
}

static void locate(const struct dram *dram, struct entry *entry)
{
    const struct dram_location location = dram_locate(&dram->mapping, channel_offset(dram, entry->address));
    entry->bank = location.bank;
    entry->row = location.row;
    entry->located_end = (entry->address | (dram->located_bytes - 1)) + 1;
}

/* Keeps the requests of a bank in order of age. */
static void link_entry(struct dram *dram, uint32_t slot, uint64_t n)
{
    const struct entry *entry = &dram->entries[slot];
    uint8_t *link = &dram->queues[entry->bank].first;
    if (*link == DRAM_NO_SLOT)
        dram->bank_busy[entry->bank].since = n;
    while (*link != DRAM_NO_SLOT && dram->entries[*link].accepted < entry->accepted)
        link = &dram->entries[*link].next;
    dram->entries[slot].next = *link;
    *link = (uint8_t)slot;
}

static void unlink_entry(struct dram *dram, uint32_t slot)
{
    const struct entry *entry = &dram->entries[slot];
    uint8_t *link = &dram->queues[entry->bank].first;
    while (*link != slot)
        link = &dram->entries[*link].next;
    *link = entry->next;
}

static void link_youngest(struct dram *dram, uint32_t slot)
{
    struct entry *entry = &dram->entries[slot];
    entry->previous = dram->youngest;
    entry->younger = DRAM_NO_SLOT;
    if (dram->youngest == DRAM_NO_SLOT)
        dram->oldest = (uint8_t)slot;
    else
        dram->entries[dram->youngest].younger = (uint8_t)slot;
    dram->youngest = (uint8_t)slot;
}

static void unlink_by_age(struct dram *dram, const struct entry *entry)
{
    if (entry->previous == DRAM_NO_SLOT)
        dram->oldest = entry->younger;
    else
        dram->entries[entry->previous].younger = entry->younger;
    if (entry->younger == DRAM_NO_SLOT)
        dram->youngest = entry->previous;
    else
        dram->entries[entry->younger].previous = entry->previous;
}

/* Regions of as many bytes as the longest request has: it touches two at most. */
static uint8_t *region(struct dram *dram, uint64_t address)
{
    return &dram->regions[address / HD_PACKET_BODY_MAX % DRAM_REGIONS];
}

static void count_regions(struct dram *dram, const struct entry *entry, uint8_t change)
{
    uint8_t *first = region(dram, entry->packet->address);
    uint8_t *last = region(dram, entry->end - 1);
    *first = (uint8_t)(*first + change);
    if (last != first)
        *last = (uint8_t)(*last + change);
}

static uint64_t overlapping(struct dram *dram, const struct entry *entry)
{
    uint64_t older = 0;
    if (!*region(dram, entry->address) && !*region(dram, entry->end - 1))
        return 0;
    for (uint64_t set = dram->slots_used; set; set &= set - 1) {
        const struct entry *other = &dram->entries[__builtin_ctzll(set)];
        const uint64_t begin = other->packet->address;
        if ((entry->is_write || other->is_write) && entry->address < other->end && begin < entry->end)
            older |= set & -set;
    }
    return older;
}

uint32_t dram_enter(struct dram *dram, hd_packet *packet, uint32_t port, uint64_t n)
{
    const uint32_t slot = (uint32_t)__builtin_ctzll(~dram->slots_used);
    struct entry *entry = &dram->entries[slot];
    *entry = (struct entry){.packet = packet,
                            .address = packet->address,
                            .end = packet->address + packet->argument,
                            .accepted = n,
                            .position = dram->served + dram->count,
                            .port = (uint8_t)port,
                            .is_write = packet->message == dram->front.message_write};
    entry->older = overlapping(dram, entry);
    count_regions(dram, entry, 1);
    locate(dram, entry);
    link_entry(dram, slot, n);
    link_youngest(dram, slot);
    if (!dram->count++)
        dram->busy.since = n;
    dram->slots_used |= UINT64_C(1) << slot;
    dram->slots_held |= (uint64_t)(entry->older != 0) << slot;
    dram_update_only(dram);
    return slot;
}

static void release_held(struct dram *dram, uint64_t bit)
{
    for (uint64_t set = dram->slots_held; set; set &= set - 1) {
        struct entry *held = &dram->entries[__builtin_ctzll(set)];
        if (!(held->older & bit))
            continue;
        held->older &= ~bit;
        if (held->older)
            continue;
        dram->slots_held &= ~(set & -set);
        dram_choose(dram, held->bank);
    }
}

hd_packet *dram_leave(struct dram *dram, uint32_t slot)
{
    const uint64_t bit = UINT64_C(1) << slot;
    struct entry *entry = &dram->entries[slot];
    unlink_entry(dram, slot);
    unlink_by_age(dram, entry);
    count_regions(dram, entry, (uint8_t)-1);
    dram->slots_used &= ~bit;
    dram->count--;
    dram->served++;
    release_held(dram, bit);
    dram_update_only(dram);
    return entry->packet;
}

void dram_next_burst(struct dram *dram, uint32_t slot, uint64_t address, uint64_t n)
{
    struct entry *entry = &dram->entries[slot];
    entry->address = address;
    if (address < entry->located_end)
        return;
    unlink_entry(dram, slot);
    locate(dram, entry);
    link_entry(dram, slot, n);
    dram_choose(dram, entry->bank);
}

void dram_clear_queue(struct dram *dram)
{
    const hd_services *services = dram->front.services;
    for (uint64_t set = dram->slots_used; set; set &= set - 1)
        services->free(services->context, dram->entries[__builtin_ctzll(set)].packet);
    dram->count = 0;
    dram->served = 0;
    dram->oldest = dram->youngest = dram->only = DRAM_NO_SLOT;
    dram->slots_used = 0;
    dram->slots_held = 0;
    memset(dram->regions, 0, sizeof dram->regions);
    for (uint32_t bank = 0; bank < DRAM_BANKS; bank++)
        dram->queues[bank] = (struct bank_queue){DRAM_NO_SLOT, DRAM_NO_SLOT, DRAM_NO_SLOT, DRAM_NO_SLOT};
    memset(dram->due, 0xFF, sizeof dram->due);
    dram->column_banks = 0;
    dram->row_banks = 0;
    dram->activate_banks = 0;
}
