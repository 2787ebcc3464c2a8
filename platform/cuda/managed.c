/* SPDX-License-Identifier: MIT */
/*
 * Memory that host and device have in turns, as devices without page faults have it: it lies at the same address in both. A launch takes
 * it to the device, whenever the host may have changed it, and a call that waits takes it back.
 */
#define _GNU_SOURCE /* MAP_FIXED_NOREPLACE */
#include <stdlib.h>
#include <sys/mman.h>

#include "runtime.h"

#define PAGE 4096u

typedef struct managed {
    struct managed *next;
    char *memory; /* its address in the device, too */
    size_t bytes;
    size_t mapped;
    heddle_address allocated; /* in which it lies */
} managed;

static managed *all;
static int is_on_device;

int managed_has(const void *memory)
{
    const char *at = memory;
    for (const managed *m = all; m; m = m->next)
        if (at >= m->memory && at < m->memory + m->bytes)
            return 1;
    return 0;
}

cudaError_t managed_to_device(void)
{
    cudaError_t error = cudaSuccess;
    for (const managed *m = is_on_device ? NULL : all; m && !error; m = m->next)
        error = runtime_error(heddle_copy_to_device(runtime.machine, address_of(m->memory), m->memory, m->bytes));
    is_on_device = 1;
    return error;
}

cudaError_t managed_to_host(void)
{
    cudaError_t error = cudaSuccess;
    for (const managed *m = is_on_device ? all : NULL; m && !error; m = m->next)
        error = runtime_error(heddle_copy_from_device(runtime.machine, m->memory, address_of(m->memory), m->bytes));
    is_on_device = 0;
    return error;
}

static cudaError_t map(managed *made)
{
    char *at = (char *)(uintptr_t)((made->allocated + PAGE - 1) / PAGE * PAGE);
    made->memory =
        mmap(at, made->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (made->memory == at)
        return cudaSuccess;
    if (made->memory != MAP_FAILED)
        munmap(made->memory, made->mapped);
    runtime_refuse("managed memory: the process has something else at the address %p of the device's memory",
                   (void *)at);
    return cudaErrorNotSupported;
}

static cudaError_t allocate(void **memory, size_t bytes)
{
    managed *made = calloc(1, sizeof *made);
    if (!made)
        return cudaErrorMemoryAllocation;
    made->bytes = bytes;
    made->mapped = (bytes + PAGE - 1) / PAGE * PAGE;
    cudaError_t error = runtime_error(heddle_allocate(runtime.machine, made->mapped + PAGE, &made->allocated));
    if (!error)
        error = streams_wait(); /* what is there is with the host, and so is this */
    if (!error)
        error = map(made);
    if (error) {
        if (made->allocated)
            heddle_free(runtime.machine, made->allocated);
        free(made);
        return error;
    }
    made->next = all;
    all = made;
    *memory = made->memory;
    return cudaSuccess;
}

cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned flags)
{
    const cudaError_t error = runtime_enter();
    (void)flags;
    return runtime_leave(error ? error : bytes ? allocate(memory, bytes) : cudaErrorInvalidValue);
}

int managed_free(const void *memory, cudaError_t *error)
{
    managed **m = &all;
    while (*m && (*m)->memory != memory)
        m = &(*m)->next;
    if (!*m)
        return 0;
    managed *gone = *m;
    *error = streams_wait();
    if (!*error)
        *error = runtime_error(heddle_free(runtime.machine, gone->allocated));
    *m = gone->next;
    munmap(gone->memory, gone->mapped);
    free(gone);
    return 1;
}

/* Advice. */
cudaError_t cudaMemPrefetchAsync(const void *memory, size_t bytes, int device, cudaStream_t stream)
{
    (void)bytes, (void)device, (void)stream;
    return managed_has(memory) ? cudaSuccess : cudaErrorInvalidValue;
}
