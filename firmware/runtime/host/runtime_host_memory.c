/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "runtime_internal.h"

void *hd_host_alloc(size_t bytes)
{
    runtime *rt = runtime_current();
    host_memory *memory = bytes <= SIZE_MAX - sizeof *memory ? calloc(1, sizeof *memory + bytes) : NULL;
    if (memory == NULL)
        runtime_error(rt, "hd_host_alloc: the host has no memory for %zu bytes", bytes);
    memory->bytes = bytes;
    memory->next = rt->memory.next;
    memory->previous = &rt->memory;
    memory->next->previous = memory;
    rt->memory.next = memory;
    return memory + 1;
}

static void release(host_memory *memory)
{
    memory->previous->next = memory->next;
    memory->next->previous = memory->previous;
    free(memory);
}

void hd_host_free(void *pointer)
{
    runtime *rt = runtime_current();
    if (pointer == NULL)
        return;
    host_memory *memory = (host_memory *)pointer - 1;
    const queue_entry *copy = queue_copy_of(rt, pointer, memory->bytes);
    if (copy != NULL)
        runtime_error(rt, "hd_host_free: copy %u, which has not been waited for, uses %llu bytes of the memory",
                      copy->number, (unsigned long long)copy->bytes);
    release(memory);
}

void memory_release(runtime *rt)
{
    while (rt->memory.next != &rt->memory)
        release(rt->memory.next);
}
