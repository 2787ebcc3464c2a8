/* SPDX-License-Identifier: MIT */
#include "device_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware.h"
#include "host_cpu.h"
#include "program.h"
#include "runtime_heap.h"

/* Whose records they are: of a program in this process, or of firmware, in the RAM of its CPU. */
typedef struct reader {
    hd_machine *machine;
    hd_block *cpu; /* NULL: in this process */
} reader;

static uint32_t copy(const reader *from, uint64_t address, void *to, uint64_t bytes)
{
    if (from->cpu)
        return hd_host_cpu_rv64.debug_access(from->cpu, address, to, (uint32_t)bytes, 0) == bytes;
    memcpy(to, (const void *)(uintptr_t)address, bytes);
    return 1;
}

uint32_t device_memory_is_known(const hd_machine *machine)
{
    return machine->has_firmware ? hd_firmware_heap(machine->firmware) != 0 : !machine->has_foreign_cpu;
}

static uint64_t find_heap(hd_machine *machine, reader *from)
{
    *from = (reader){.machine = machine};
    if (machine->has_firmware) {
        from->cpu = hd_engine_block(machine->engine, machine->cpu_endpoint);
        return hd_firmware_heap(machine->firmware);
    }
    if (machine->heap)
        return (uintptr_t)machine->heap;
    return machine->has_app && !machine->has_foreign_cpu ? (uintptr_t)hd_host_native_heap(machine->host) : 0;
}

/* ---- A record ------------------------------------------------------------------------------------------------------- */

/* "host.c:12", without the folder. */
static void read_site(const reader *from, const heap_site *site, char text[HD_SITE_BYTES])
{
    char path[512] = "";
    text[0] = '\0';
    for (uint64_t i = 0; site->file && i < sizeof path - 1; i++)
        if (!copy(from, (uintptr_t)site->file + i, &path[i], 1) || !path[i])
            break;
    const char *slash = strrchr(path, '/');
    if (path[0])
        snprintf(text, HD_SITE_BYTES, "%.64s:%llu", slash ? slash + 1 : path, (unsigned long long)site->line);
}

/* Is it what kernels of any app only read? Of programs that were at one place one after another, the last one counts. */
static uint32_t is_read_only(const hd_machine *machine, uint32_t address)
{
    const isa_program *kernels;
    uint32_t only_read = 0;
    for (uint32_t module = 0; (kernels = hd_program_registry_find(machine->programs, module)); module++)
        for (uint32_t i = 0; i < kernels->segment_count; i++)
            if (kernels->segments[i].address == address)
                only_read = !(kernels->segments[i].flags & ISA_SEGMENT_WRITE);
    return only_read;
}

static uint32_t owner_of(const reader *from, const heap_block *block)
{
    if (block->owner != HEAP_IMAGE)
        return block->owner == HEAP_USER ? HD_ALLOCATION_PROGRAM : HD_ALLOCATION_RUNTIME;
    return is_read_only(from->machine, block->address) ? HD_ALLOCATION_READ_ONLY : HD_ALLOCATION_KERNELS;
}

static hd_allocation read_block(const reader *from, const heap_block *block, uint32_t is_freed)
{
    hd_allocation allocation = {.address = block->address,
                                .bytes = block->bytes,
                                .number = block->number,
                                .ordinal = block->ordinal,
                                .owner = owner_of(from, block),
                                .is_freed = is_freed};
    read_site(from, &block->allocated, allocation.site);
    if (is_freed)
        read_site(from, &block->freed, allocation.freed);
    return allocation;
}

static uint32_t read_blocks(device_memory *memory, const reader *from, const heap_block *blocks, uint32_t count,
                            uint32_t is_freed)
{
    for (uint32_t i = 0; i < count; i++) {
        heap_block block;
        if (!copy(from, (uintptr_t)(blocks + i), &block, sizeof block))
            return 0;
        memory->items[memory->all.count++] = read_block(from, &block, is_freed);
    }
    return 1;
}

/* ---- All ------------------------------------------------------------------------------------------------------------ */

uint32_t device_memory_read(device_memory *memory, hd_machine *machine)
{
    reader from;
    runtime_heap heap;
    const uint64_t address = find_heap(machine, &from);
    if (!address || !copy(&from, address, &heap, sizeof heap) || (memory->has_read && heap.changes == memory->changes))
        return 0;
    free(memory->items);
    memory->items = calloc((size_t)heap.count + heap.freed_count + 1, sizeof *memory->items);
    if (!memory->items)
        abort();
    memory->all = (hd_allocations){.items = memory->items};
    memory->has_read = read_blocks(memory, &from, heap.blocks, heap.count, 0);
    memory->all.live = memory->all.count;
    memory->has_read &= read_blocks(memory, &from, heap.freed, heap.freed_count, 1);
    memory->changes = heap.changes;
    return 1;
}

void device_memory_free(device_memory *memory)
{
    free(memory->items);
}
