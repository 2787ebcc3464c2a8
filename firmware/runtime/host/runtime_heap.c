/* SPDX-License-Identifier: MIT */
#include "runtime_heap.h"

#include <stdlib.h>
#include <string.h>

static uint64_t align_up(uint64_t address)
{
    return (address + HEAP_ALIGNMENT - 1) / HEAP_ALIGNMENT * HEAP_ALIGNMENT;
}

/* Index of the first block behind address. */
static uint32_t upper_bound(const runtime_heap *heap, uint32_t address)
{
    uint32_t low = 0;
    uint32_t high = heap->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (heap->blocks[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t insert(runtime_heap *heap, uint32_t index, heap_block block)
{
    if (heap->count == heap->capacity) {
        uint32_t capacity = heap->capacity > 0 ? 2 * heap->capacity : 16;
        heap_block *blocks = realloc(heap->blocks, capacity * sizeof *blocks);
        if (blocks == NULL)
            return HEAP_NO_HOST_MEMORY;
        heap->blocks = blocks;
        heap->capacity = capacity;
    }
    memmove(heap->blocks + index + 1, heap->blocks + index, (heap->count - index) * sizeof *heap->blocks);
    block.number = ++heap->numbered;
    block.ordinal = ++heap->ordinals[block.owner];
    heap->blocks[index] = block;
    heap->count++;
    heap->changes++;
    return HEAP_OK;
}

/* Bounds of the gap in front of block `index` (count: behind the last one). */
static void gap(const runtime_heap *heap, uint32_t index, uint64_t *begin, uint64_t *end)
{
    *begin = align_up(heap->begin);
    *end = heap->end;
    if (index > 0) {
        const heap_block *before = &heap->blocks[index - 1];
        uint64_t behind = align_up(before->address + before->bytes);
        *begin = behind > *begin ? behind : *begin;
    }
    if (index < heap->count && heap->blocks[index].address < *end)
        *end = heap->blocks[index].address;
}

static uint32_t index_of_freed(const runtime_heap *heap, uint32_t address)
{
    uint32_t i = 0;
    while (i < heap->freed_count && heap->freed[i].address != address)
        i++;
    return i;
}

uint32_t heap_was_freed(const runtime_heap *heap, uint32_t address)
{
    return index_of_freed(heap, address) < heap->freed_count;
}

uint32_t heap_allocate(runtime_heap *heap, uint64_t bytes, uint32_t owner, heap_site site, uint32_t *address)
{
    for (uint32_t i = 0; i <= heap->count; i++) {
        uint64_t begin;
        uint64_t end;
        gap(heap, i, &begin, &end);
        if (begin >= end || end - begin < bytes)
            continue;
        *address = (uint32_t)begin;
        uint32_t freed = index_of_freed(heap, *address);
        if (freed < heap->freed_count)
            heap->freed[freed] = heap->freed[--heap->freed_count];
        return insert(heap, i, (heap_block){.address = *address, .owner = owner, .bytes = bytes, .allocated = site});
    }
    return HEAP_FULL;
}

uint32_t heap_enter(runtime_heap *heap, uint32_t address, uint64_t bytes, uint32_t owner)
{
    return insert(heap, upper_bound(heap, address), (heap_block){.address = address, .owner = owner, .bytes = bytes});
}

static uint32_t remember_freed(runtime_heap *heap, const heap_block *block)
{
    if (heap->freed_count == heap->freed_capacity) {
        uint32_t capacity = heap->freed_capacity > 0 ? 2 * heap->freed_capacity : 16;
        heap_block *freed = realloc(heap->freed, capacity * sizeof *freed);
        if (freed == NULL)
            return HEAP_NO_HOST_MEMORY;
        heap->freed = freed;
        heap->freed_capacity = capacity;
    }
    heap->freed[heap->freed_count++] = *block;
    return HEAP_OK;
}

uint32_t heap_free(runtime_heap *heap, uint32_t address, heap_site site)
{
    const heap_block *block = heap_find(heap, address);
    if (block == NULL || block->address != address || block->owner != HEAP_USER)
        return heap_was_freed(heap, address) ? HEAP_FREED_TWICE : HEAP_UNKNOWN;
    uint32_t index = (uint32_t)(block - heap->blocks);
    heap_block freed = *block;
    freed.freed = site;
    heap->count--;
    heap->changes++;
    memmove(heap->blocks + index, heap->blocks + index + 1, (heap->count - index) * sizeof *heap->blocks);
    return remember_freed(heap, &freed);
}

const heap_block *heap_find(const runtime_heap *heap, uint32_t address)
{
    uint32_t index = upper_bound(heap, address);
    if (index == 0)
        return NULL;
    const heap_block *block = &heap->blocks[index - 1];
    return address - block->address < block->bytes ? block : NULL;
}

uint64_t heap_largest_gap(const runtime_heap *heap)
{
    uint64_t largest = 0;
    for (uint32_t i = 0; i <= heap->count; i++) {
        uint64_t begin;
        uint64_t end;
        gap(heap, i, &begin, &end);
        if (begin < end && end - begin > largest)
            largest = end - begin;
    }
    return largest;
}

void heap_release(runtime_heap *heap)
{
    free(heap->blocks);
    free(heap->freed);
}
