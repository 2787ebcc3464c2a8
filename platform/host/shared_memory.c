/* SPDX-License-Identifier: MIT */
#include "shared_memory.h"

#include <stdlib.h>

#include "hd_host.h"

#define ALIGNMENT UINT64_C(256) /* whatever the alignment of the memory is, which the operating system decides */

static uint32_t make_room(shared_memory *shared)
{
    if (shared->count < shared->capacity)
        return 1;
    const uint32_t capacity = shared->capacity > 0 ? 2 * shared->capacity : 16;
    shared_piece *pieces = realloc(shared->pieces, capacity * sizeof *pieces);
    if (pieces == NULL)
        return 0;
    shared->pieces = pieces;
    shared->capacity = capacity;
    return 1;
}

uint64_t shared_memory_add(shared_memory *shared, void *memory, uint64_t bytes, uint32_t *no_memory)
{
    const uint64_t room = HD_HOST_RAM_MAX - shared->next;
    *no_memory = !make_room(shared);
    if (*no_memory || bytes > room)
        return 0;
    const uint64_t address = HD_HOST_RAM_BASE + shared->next;
    const uint64_t taken = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    shared->pieces[shared->count++] = (shared_piece){.address = address, .bytes = bytes, .memory = memory};
    shared->next += taken < room ? taken : room;
    return address;
}

void shared_memory_remove(shared_memory *shared, uint64_t address)
{
    for (uint32_t i = 0; i < shared->count; i++) {
        if (shared->pieces[i].address != address)
            continue;
        shared->pieces[i] = shared->pieces[--shared->count];
        break;
    }
    if (shared->count == 0)
        shared->next = 0;
}

uint8_t *shared_memory_find(const shared_memory *shared, uint64_t address, uint64_t bytes)
{
    for (uint32_t i = 0; i < shared->count; i++) {
        const shared_piece *piece = &shared->pieces[i];
        const uint64_t offset = address - piece->address;
        if (offset < piece->bytes && bytes <= piece->bytes - offset)
            return piece->memory + offset;
    }
    return NULL;
}

void shared_memory_release(shared_memory *shared)
{
    free(shared->pieces);
}
