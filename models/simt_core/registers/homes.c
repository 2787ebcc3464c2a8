/* SPDX-License-Identifier: MIT */
#include "homes.h"

#include <stdlib.h>

#define NONE UINT32_MAX

void homes_create(kept_homes *kept, uint32_t rows, uint32_t lanes)
{
    *kept = (kept_homes){.rows = rows, .lanes = lanes, .free = NONE};
}

void homes_destroy(kept_homes *kept)
{
    free(kept->entries);
    free(kept->table);
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
    kept->free = NONE;
    free_from(kept, 0);
}

static void grow(kept_homes *kept)
{
    const uint32_t before = kept->capacity, capacity = before ? 2 * before : 64;
    kept->entries = realloc(kept->entries, capacity * sizeof *kept->entries);
    kept->table = realloc(kept->table, (size_t)capacity * kept->lanes * sizeof *kept->table);
    if (!kept->entries || !kept->table)
        abort();
    kept->capacity = capacity;
    free_from(kept, before);
}

uint32_t homes_keep(kept_homes *kept, lane_homes homes, uint64_t lanes, uint32_t path)
{
    if (kept->free == NONE)
        grow(kept);
    const uint32_t entry = kept->free;
    kept->free = kept->entries[entry].next;
    kept->entries[entry] = (kept_entry){.lanes = lanes, .path = path, .uses = 1};
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        kept->table[(size_t)entry * kept->lanes + lane] = homes.rows ? homes.rows[lane] : homes.row;
    }
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
