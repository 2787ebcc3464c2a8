/* SPDX-License-Identifier: MIT */
#include "heap_images.h"

#include <string.h>

const heap_block *heap_images_in_the_way(const runtime_heap *heap, uint64_t begin, uint64_t end)
{
    for (uint32_t i = 0; i < heap->count; i++)
        if (heap->blocks[i].address < end && begin < heap->blocks[i].address + heap->blocks[i].bytes)
            return &heap->blocks[i];
    return NULL;
}

uint64_t heap_images_place(const runtime_heap *heap, uint64_t bytes, uint32_t alignment)
{
    const heap_block *block;
    uint64_t place = (heap->begin + alignment - 1) / alignment * alignment;
    while ((block = heap_images_in_the_way(heap, place, place + bytes)))
        place = (block->address + block->bytes + alignment - 1) / alignment * alignment;
    return place + bytes <= heap->end ? place : 0;
}

void heap_images_leave(runtime_heap *heap, uint32_t address)
{
    const heap_block *block = heap_find(heap, address);
    const uint32_t index = block ? (uint32_t)(block - heap->blocks) : heap->count;
    if (!block || block->address != address || block->owner != HEAP_IMAGE)
        return;
    memmove(heap->blocks + index, heap->blocks + index + 1, (heap->count - index - 1) * sizeof *heap->blocks);
    heap->count--;
    heap->changes++;
}
