/* SPDX-License-Identifier: MIT */
/* Memory of the device: a pointer to it is its address there. */
#include <stdint.h>

#include "runtime.h"

#define PITCH_ALIGNMENT 256u

heddle_address address_of(const void *memory)
{
    const uintptr_t value = (uintptr_t)memory;
    return value <= UINT32_MAX ? (heddle_address)value : 0;
}

static cudaError_t allocate(void **memory, size_t bytes)
{
    heddle_address address = 0;
    const cudaError_t error = bytes ? runtime_error(heddle_allocate(runtime.machine, bytes, &address)) : cudaSuccess;
    if (!error)
        *memory = (void *)(uintptr_t)address;
    return error;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : memory ? allocate(memory, bytes) : cudaErrorInvalidValue);
}

cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t width, size_t height)
{
    const cudaError_t error = runtime_enter();
    *pitch = (width + PITCH_ALIGNMENT - 1) / PITCH_ALIGNMENT * PITCH_ALIGNMENT;
    return runtime_leave(error ? error : allocate(memory, *pitch * height));
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *memory, struct cudaExtent extent)
{
    memory->xsize = extent.width;
    memory->ysize = extent.height;
    return cudaMallocPitch(&memory->ptr, &memory->pitch, extent.width, extent.height * extent.depth);
}

static cudaError_t free_memory(const void *memory)
{
    cudaError_t error;
    if (!memory || managed_free(memory, &error))
        return memory ? error : cudaSuccess;
    const heddle_address address = address_of(memory);
    const cudaError_t waited = address ? streams_wait() : cudaErrorInvalidDevicePointer;
    if (waited)
        return waited;
    error = runtime_error(heddle_free(runtime.machine, address));
    return error == cudaErrorInvalidValue ? cudaErrorInvalidDevicePointer : error;
}

cudaError_t cudaFree(void *memory)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : free_memory(memory));
}

static cudaError_t ask_free(size_t *free_bytes, size_t *all_bytes)
{
    heddle_limits now = {.struct_bytes = sizeof now};
    const cudaError_t error = runtime_error(heddle_limits_get(runtime.machine, &now));
    *free_bytes = now.free_bytes;
    *all_bytes = now.memory_bytes;
    return error;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all_bytes)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : ask_free(free_bytes, all_bytes));
}

/* ---- Filling ----------------------------------------------------------------------------------------------------------- */

static cudaError_t fill_rows(void *memory, size_t pitch, int value, size_t width, size_t rows, cudaStream_t stream)
{
    heddle_queue *queue;
    const heddle_address to = address_of(memory);
    if (!width || !rows)
        return cudaSuccess;
    if (!to)
        return cudaErrorInvalidValue;
    cudaError_t error = managed_to_device();
    if (!error)
        error = stream_queue(stream, &queue);
    if (pitch == width) {
        width *= rows;
        rows = 1;
    }
    for (size_t row = 0; row < rows && !error; row++)
        error = runtime_error(heddle_queue_fill(queue, to + (uint32_t)(row * pitch), (uint8_t)value, width));
    return error;
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : fill_rows(memory, bytes, value, bytes, 1, stream));
}

cudaError_t cudaMemset(void *memory, int value, size_t bytes)
{
    return cudaMemsetAsync(memory, value, bytes, NULL);
}

cudaError_t cudaMemset2D(void *memory, size_t pitch, int value, size_t width, size_t height)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : fill_rows(memory, pitch, value, width, height, NULL));
}
