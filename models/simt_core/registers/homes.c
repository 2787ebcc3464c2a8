/* SPDX-License-Identifier: MIT */
#include "homes.h"

#include <stdlib.h>

void homes_create(kept_homes *kept, uint32_t rows, uint32_t lanes)
{
    *kept = (kept_homes){.rows = rows, .lanes = lanes, .free = NO_HOMES};
}

void homes_destroy(kept_homes *kept)
{
    free(kept->entries);
    free(kept->table);
    free(kept->parts);
}

static void free_from(kept_homes *kept, uint32_t first)
{
    for (uint32_t entry = kept->capacity; entry-- > first;) {
        kept->entries[entry] = (kept_entry){.next = kept->free};
        kept->free = entry;
    }
}

void homes_reset(kept_homes *kept)
{
    kept->free = NO_HOMES;
    free_from(kept, 0);
}

static void grow(kept_homes *kept)
{
    const uint32_t before = kept->capacity, capacity = before ? 2 * before : 64;
    kept->entries = realloc(kept->entries, capacity * sizeof *kept->entries);
    kept->table = realloc(kept->table, (size_t)capacity * kept->lanes * sizeof *kept->table);
    kept->parts = realloc(kept->parts, (size_t)capacity * (kept->lanes + 1) * sizeof *kept->parts);
    if (!kept->entries || !kept->table || !kept->parts)
        abort();
    kept->capacity = capacity;
    free_from(kept, before);
}

/* The lanes' rows, and the same by row. */
static void fill(const kept_homes *kept, uint32_t entry, const uint32_t *rows, uint64_t lanes)
{
    uint32_t *table = kept->table + (size_t)entry * kept->lanes, count = 0;
    home_part *parts = kept->parts + (size_t)entry * (kept->lanes + 1);
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t row = table[__builtin_ctzll(left)] = rows[__builtin_ctzll(left)];
        uint32_t part = 0;
        while (part < count && parts[part].row != row)
            part++;
        if (part == count)
            parts[count++] = (home_part){.row = row};
        parts[part].lanes |= left & -left;
    }
    parts[count] = (home_part){.lanes = 0};
}

uint32_t homes_keep(kept_homes *kept, lane_homes homes, uint64_t lanes, uint32_t path)
{
    if (kept->free == NO_HOMES)
        grow(kept);
    const uint32_t entry = kept->free;
    kept->free = kept->entries[entry].next;
    kept->entries[entry] =
        (kept_entry){.lanes = lanes, .path = path, .uses = 1, .row = homes.rows ? HOMES_DIFFER : (uint32_t)homes.row};
    if (homes.rows)
        fill(kept, entry, homes.rows, lanes);
    return kept->rows + entry;
}

void homes_use_entry(kept_homes *kept, uint32_t number)
{
    kept->entries[number - kept->rows].uses++;
}

void homes_drop_entry(kept_homes *kept, uint32_t number)
{
    kept_entry *entry = &kept->entries[number - kept->rows];
    if (--entry->uses)
        return;
    entry->next = kept->free;
    kept->free = number - kept->rows;
}

static void part_transfer(home_part *part, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, part->lanes);
    HD_STATE_VALUE(stream, part->row);
}

/* Lanes that are not of the entry may hold anything, which nobody reads. */
static void entry_transfer(kept_homes *kept, uint32_t number, const hd_state_stream *stream)
{
    kept_entry *entry = &kept->entries[number];
    home_part *part = kept->parts + (size_t)number * (kept->lanes + 1);
    HD_STATE_VALUE(stream, *entry);
    if (!entry->uses || entry->row != HOMES_DIFFER)
        return;
    for (uint64_t left = entry->lanes; left; left &= left - 1)
        HD_STATE_VALUE(stream, kept->table[(size_t)number * kept->lanes + (uint32_t)__builtin_ctzll(left)]);
    do
        part_transfer(part, stream);
    while (part++->lanes);
}

void homes_transfer(kept_homes *kept, const hd_state_stream *stream)
{
    const uint32_t capacity = (uint32_t)hd_state_number(stream, kept->capacity);
    while (kept->capacity < capacity)
        grow(kept);
    HD_STATE_VALUE(stream, kept->free);
    for (uint32_t number = 0; number < capacity; number++)
        entry_transfer(kept, number, stream);
}
