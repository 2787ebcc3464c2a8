/* SPDX-License-Identifier: MIT */
#include "overflow.h"

#include <stdlib.h>
#include <string.h>

void overflow_destroy(overflow *list)
{
    free(list->entries);
}

void overflow_reset(overflow *list)
{
    list->used = 0;
}

metadata_entry *overflow_find(const overflow *list, uint64_t granule)
{
    for (uint32_t i = list->used; i-- > 0;)
        if (list->entries[i].granule == granule)
            return &list->entries[i];
    return NULL;
}

uint32_t overflow_walk(const overflow *list, const metadata_entry *entry)
{
    return entry ? list->used - (uint32_t)(entry - list->entries) : list->used;
}

void overflow_push(overflow *list, const metadata_entry *entry)
{
    if (list->used == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 16;
        list->entries = realloc(list->entries, list->capacity * sizeof *list->entries);
        if (!list->entries)
            abort();
    }
    list->entries[list->used++] = *entry;
}

void overflow_remove(overflow *list, metadata_entry *entry)
{
    const uint32_t behind = overflow_walk(list, entry) - 1;
    memmove(entry, entry + 1, behind * sizeof *entry);
    list->used--;
}

uint32_t overflow_holds(const overflow *list, const metadata_entry *entry)
{
    return list->used && entry >= list->entries && entry < list->entries + list->used;
}
