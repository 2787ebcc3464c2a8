/* SPDX-License-Identifier: MIT */
/* Memory of the host that the program has told of: it stays as it is until an asynchronous copy is done. */
#include <stdlib.h>

#include "runtime.h"

#define ALIGNMENT 4096u

typedef struct pinned {
    struct pinned *next;
    char *memory;
    size_t bytes;
    int is_own; /* allocated here */
} pinned;

static pinned *all;

int host_memory_is_pinned(const void *memory, size_t bytes)
{
    const char *at = memory;
    for (const pinned *p = all; p; p = p->next)
        if (at >= p->memory && at + bytes <= p->memory + p->bytes)
            return 1;
    return 0;
}

static cudaError_t add(char *memory, size_t bytes, int is_own)
{
    pinned *made = malloc(sizeof *made);
    if (!made)
        return cudaErrorMemoryAllocation;
    *made = (pinned){.next = all, .memory = memory, .bytes = bytes, .is_own = is_own};
    all = made;
    return cudaSuccess;
}

static cudaError_t take(const void *memory, int is_own, cudaError_t otherwise)
{
    for (pinned **p = &all; *p; p = &(*p)->next)
        if ((*p)->memory == memory && (*p)->is_own == is_own) {
            pinned *gone = *p;
            *p = gone->next;
            if (is_own)
                free(gone->memory);
            free(gone);
            return cudaSuccess;
        }
    return otherwise;
}

static cudaError_t allocate(void **memory, size_t bytes)
{
    char *made = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT);
    const cudaError_t error = made ? add(made, bytes, 1) : cudaErrorMemoryAllocation;
    if (error)
        free(made);
    else
        *memory = made;
    return error;
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    const cudaError_t error = runtime_enter();
    (void)flags;
    return runtime_leave(error ? error : allocate(memory, bytes));
}

cudaError_t cudaMallocHost(void **memory, size_t bytes)
{
    return cudaHostAlloc(memory, bytes, cudaHostAllocDefault);
}

/* Copies from and to it may be under way. */
static cudaError_t free_memory(void *memory)
{
    const cudaError_t error = streams_wait();
    return error || !memory ? error : take(memory, 1, cudaErrorInvalidHostPointer);
}

cudaError_t cudaFreeHost(void *memory)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : free_memory(memory));
}

cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned flags)
{
    const cudaError_t error = runtime_enter();
    (void)flags;
    if (!error && host_memory_is_pinned(memory, bytes))
        return runtime_leave(cudaErrorHostMemoryAlreadyRegistered);
    return runtime_leave(error ? error : add(memory, bytes, 0));
}

cudaError_t cudaHostUnregister(void *memory)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : take(memory, 0, cudaErrorHostMemoryNotRegistered));
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *memory)
{
    const cudaError_t error = runtime_enter();
    const int is_managed = managed_has(memory), is_device = is_managed || address_of(memory);
    *attributes =
        (struct cudaPointerAttributes){.type = is_managed                         ? cudaMemoryTypeManaged
                                               : is_device                        ? cudaMemoryTypeDevice
                                               : host_memory_is_pinned(memory, 0) ? cudaMemoryTypeHost
                                                                                  : cudaMemoryTypeUnregistered,
                                       .devicePointer = is_device ? (void *)memory : NULL,
                                       .hostPointer = is_managed || !is_device ? (void *)memory : NULL};
    return runtime_leave(error);
}
