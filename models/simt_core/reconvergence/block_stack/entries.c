/* SPDX-License-Identifier: MIT */
#include "block_stack.h"

#include <stdlib.h>
#include <string.h>

#include "bits.h"

static void *grown(void *memory, size_t bytes)
{
    void *larger = realloc(memory, bytes);
    if (!larger)
        abort();
    return larger;
}

uint64_t *entries_add(block_entries *list, block_entry entry)
{
    const size_t needed = (size_t)(list->count + 1) * list->warps;
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 8;
        list->entries = grown(list->entries, list->capacity * sizeof *list->entries);
    }
    if (needed > list->mask_capacity) {
        list->mask_capacity = (size_t)list->capacity * list->warps;
        list->masks = grown(list->masks, list->mask_capacity * sizeof *list->masks);
    }
    list->entries[list->count] = entry;
    uint64_t *masks = entry_masks(list, list->count++);
    memset(masks, 0, list->warps * sizeof *masks);
    return masks;
}

uint64_t *entries_at(block_entries *list, uint32_t pc, uint32_t depth)
{
    for (uint32_t e = 0; e < list->count; e++)
        if (list->entries[e].pc == pc && list->entries[e].depth == depth)
            return entry_masks(list, e);
    return entries_add(list, (block_entry){.pc = pc, .depth = depth});
}

void entries_destroy(block_entries *list)
{
    free(list->entries);
    free(list->masks);
}

void entries_transfer(block_entries *list, const hd_state_stream *stream)
{
    const uint32_t count = (uint32_t)hd_state_number(stream, list->count);
    while (list->count < count)
        entries_add(list, (block_entry){.pc = 0});
    HD_STATE_ARRAY(stream, list->entries, count);
    HD_STATE_ARRAY(stream, list->masks, (size_t)count * list->warps);
}

uint32_t masks_any(const uint64_t *masks, uint32_t warps)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < warps; i++)
        any |= masks[i];
    return any != 0;
}

uint32_t masks_threads(const uint64_t *masks, uint32_t warps)
{
    uint32_t threads = 0;
    for (uint32_t i = 0; i < warps; i++)
        threads += bits_count(masks[i]);
    return threads;
}
