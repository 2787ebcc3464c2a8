/* SPDX-License-Identifier: MIT */
/* Variables of the device, by the host's variables that stand for them. */
#include "runtime.h"

/* A copy between the host and a part of a variable. */
static cudaError_t copy_symbol(const void *symbol, size_t offset, cuda_copy copy, int is_to_symbol)
{
    heddle_address address;
    uint64_t bytes;
    const cudaError_t error = variable_find(symbol, &address, &bytes);
    if (error)
        return error;
    if (offset > bytes || copy.width > bytes - offset)
        return cudaErrorInvalidValue;
    void *place = (void *)((uintptr_t)address + offset);
    copy.to = is_to_symbol ? place : copy.to;
    copy.from = is_to_symbol ? copy.from : place;
    copy.to_pitch = copy.from_pitch = copy.width;
    copy.rows = 1;
    return copy_run(&copy);
}

static cudaError_t copy_once(const void *symbol, size_t offset, cuda_copy copy, int is_to_symbol)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : copy_symbol(symbol, offset, copy, is_to_symbol));
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
    return copy_once(symbol, offset, (cuda_copy){.from = from, .width = bytes, .kind = kind}, 1);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
    return copy_once(symbol, offset, (cuda_copy){.to = to, .width = bytes, .kind = kind}, 0);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_once(symbol, offset,
                     (cuda_copy){.from = from, .width = bytes, .kind = kind, .stream = stream, .is_asynchronous = 1},
                     1);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_once(symbol, offset,
                     (cuda_copy){.to = to, .width = bytes, .kind = kind, .stream = stream, .is_asynchronous = 1}, 0);
}

cudaError_t cudaGetSymbolAddress(void **memory, const void *symbol)
{
    heddle_address address = 0;
    uint64_t bytes;
    cudaError_t error = runtime_enter();
    if (!error)
        error = variable_find(symbol, &address, &bytes);
    if (!error)
        *memory = (void *)(uintptr_t)address;
    return runtime_leave(error);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
    heddle_address address;
    uint64_t found = 0;
    cudaError_t error = runtime_enter();
    if (!error)
        error = variable_find(symbol, &address, &found);
    if (!error)
        *bytes = found;
    return runtime_leave(error);
}
