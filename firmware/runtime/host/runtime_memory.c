/* SPDX-License-Identifier: MIT */
/* Device memory, and the kernels' image in it. */
#include "hd_address.h"
#include "hd_queue.h"
#include "program.h"
#include "runtime_internal.h"

/* ---- Device memory ------------------------------------------------------------------------------------------------ */

static uint32_t allocate(runtime *rt, uint64_t bytes, uint32_t owner, heap_site site, const char *what)
{
    uint32_t address = 0;
    switch (heap_allocate(&device_of(rt)->heap, bytes, owner, site, &address)) {
    case HEAP_OK: return address;
    case HEAP_FULL:
        runtime_error(rt, "%s: out of device memory: %llu bytes asked for, the largest free piece has %llu", what,
                      (unsigned long long)bytes, (unsigned long long)heap_largest_gap(&device_of(rt)->heap));
    default: runtime_error(rt, "%s: the host has no memory left", what);
    }
}

uint32_t memory_reserve(runtime *rt, uint32_t bytes, const char *purpose)
{
    return allocate(rt, bytes, HEAP_RUNTIME, (heap_site){0}, purpose);
}

hd_device_ptr hd_malloc_at(uint64_t bytes, const char *file, uint32_t line)
{
    runtime *rt = runtime_current();
    if (bytes == 0)
        runtime_error(rt, "hd_malloc: 0 bytes asked for");
    return (hd_device_ptr){allocate(rt, bytes, HEAP_USER, (heap_site){file, line}, "hd_malloc")};
}

hd_device_ptr(hd_malloc)(uint64_t bytes)
{
    return hd_malloc_at(bytes, NULL, 0);
}

void hd_free_at(hd_device_ptr pointer, const char *file, uint32_t line)
{
    runtime *rt = runtime_current();
    if (pointer.address == 0)
        return;
    queue_wait_all(rt);
    switch (heap_free(&device_of(rt)->heap, pointer.address, (heap_site){file, line})) {
    case HEAP_OK: return;
    case HEAP_FREED_TWICE: runtime_error(rt, "hd_free: 0x%08x has already been freed", pointer.address);
    case HEAP_UNKNOWN: runtime_error(rt, "hd_free: 0x%08x was not returned by hd_malloc", pointer.address);
    default: runtime_error(rt, "hd_free: the host has no memory left");
    }
}

void(hd_free)(hd_device_ptr pointer)
{
    hd_free_at(pointer, NULL, 0);
}

void memory_check_range(runtime *rt, const char *what, uint32_t address, size_t bytes)
{
    const heap_block *block = heap_find(&device_of(rt)->heap, address);
    if (block == NULL || block->owner == HEAP_RUNTIME)
        runtime_error(rt, "%s: %zu bytes at 0x%08x: %s", what, bytes, address,
                      heap_was_freed(&device_of(rt)->heap, address) ? "the memory has been freed"
                                                                    : "there is no allocation");
    uint64_t offset = address - block->address;
    if (bytes > block->bytes - offset)
        runtime_error(rt, "%s: %zu bytes at 0x%08x: beyond the allocation of %llu bytes at 0x%08x", what, bytes,
                      address, (unsigned long long)block->bytes, block->address);
}

/* ---- Start -------------------------------------------------------------------------------------------------------- */

static void identify(runtime *rt)
{
    uint32_t identification = register_read(rt, HD_REGISTER_IDENTIFICATION);
    uint32_t version = register_read(rt, HD_REGISTER_VERSION);
    if (identification != HD_IDENTIFICATION || version != HD_QUEUE_VERSION)
        runtime_error(rt, "there is no device of version %u behind the host's bus: identification 0x%08x, version %u",
                      HD_QUEUE_VERSION, identification, version);
    const uint32_t queues = register_read(rt, HD_REGISTER_QUEUES);
    runtime_device *device = device_of(rt);
    device->queues = queues & (HD_QUEUES_COPY - 1);
    device->has_copies = queues & HD_QUEUES_COPY;
    device->heap.begin = device->images_end > HD_GLOBAL_BASE ? device->images_end : HD_GLOBAL_BASE;
    device->heap.end = HD_GLOBAL_BASE + register_read(rt, HD_REGISTER_MEMORY_PAGES) * UINT64_C(4096);
}

static void load_segment(runtime *rt, const isa_segment *segment)
{
    runtime_heap *heap = &device_of(rt)->heap;
    uint64_t end = (uint64_t)segment->address + segment->memory_bytes;
    if (segment->address < HD_GLOBAL_BASE || end > heap->end)
        runtime_error(rt, "the kernel program needs 0x%08x .. 0x%llx, device memory is 0x%08x .. 0x%llx",
                      segment->address, (unsigned long long)end, HD_GLOBAL_BASE, (unsigned long long)heap->end);
    if (heap_enter(heap, segment->address, segment->memory_bytes, HEAP_IMAGE) != HEAP_OK)
        runtime_error(rt, "the host has no memory left");
    heap->begin = end > heap->begin ? end : heap->begin;
    bus_write(rt, segment->address, segment->data, segment->file_bytes);
    bus_fill(rt, (uint64_t)segment->address + segment->file_bytes, 0, segment->memory_bytes - segment->file_bytes);
}

void memory_start(runtime *rt)
{
    identify(rt);
    const isa_program *kernels = rt->program.kernels;
    for (uint32_t i = 0; kernels != NULL && i < kernels->segment_count; i++) {
        if (kernels->segments[i].memory_bytes > 0)
            load_segment(rt, &kernels->segments[i]);
    }
}
