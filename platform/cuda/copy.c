/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

/* Default: by where the pointers lead. */
static enum cudaMemcpyKind kind_of(const cuda_copy *copy)
{
    if (copy->kind != cudaMemcpyDefault)
        return copy->kind;
    if (address_of(copy->to))
        return address_of(copy->from) ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
    return address_of(copy->from) ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

static void free_stage(void *stage, uint64_t time)
{
    (void)time;
    free(stage);
}

/* What the program may change as soon as the call is over is kept until it has been copied. */
static cudaError_t copy_by_stage(heddle_queue *queue, heddle_address to, const void *from, size_t bytes)
{
    void *stage = malloc(bytes);
    if (!stage)
        return cudaErrorMemoryAllocation;
    memcpy(stage, from, bytes);
    const cudaError_t error = runtime_error(heddle_queue_copy_to_device(queue, to, stage, bytes));
    if (!error)
        return runtime_error(heddle_queue_call(queue, free_stage, stage));
    free(stage);
    return error;
}

static cudaError_t copy_row(heddle_queue *queue, const cuda_copy *copy, enum cudaMemcpyKind kind, size_t row,
                            size_t width)
{
    char *to = (char *)copy->to + row * copy->to_pitch;
    const char *from = (const char *)copy->from + row * copy->from_pitch;
    const heddle_address to_device = address_of(to), from_device = address_of(from);
    switch (kind) {
    case cudaMemcpyHostToDevice:
        if (copy->is_asynchronous && !host_memory_is_pinned(from, width))
            return copy_by_stage(queue, to_device, from, width);
        return runtime_error(heddle_queue_copy_to_device(queue, to_device, from, width));
    case cudaMemcpyDeviceToHost: return runtime_error(heddle_queue_copy_from_device(queue, to, from_device, width));
    case cudaMemcpyDeviceToDevice:
        return runtime_error(heddle_queue_copy_on_device(queue, to_device, from_device, width));
    default: memmove(to, from, width); return cudaSuccess;
    }
}

/* Rows without gaps are one. */
static cudaError_t copy_rows(heddle_queue *queue, const cuda_copy *copy, enum cudaMemcpyKind kind)
{
    const int is_one = copy->width == copy->to_pitch && copy->width == copy->from_pitch;
    const size_t width = is_one ? copy->width * copy->rows : copy->width, rows = is_one ? 1 : copy->rows;
    cudaError_t error = cudaSuccess;
    for (size_t row = 0; row < rows && !error; row++)
        error = copy_row(queue, copy, kind, row, width);
    return error;
}

/* Does the call return only when it is done? Also if nobody could tell when the program may use its memory again. */
static int waits(const cuda_copy *copy, enum cudaMemcpyKind kind)
{
    if (!copy->is_asynchronous)
        return kind != cudaMemcpyDeviceToDevice;
    return kind == cudaMemcpyDeviceToHost && !host_memory_is_pinned(copy->to, copy->width);
}

cudaError_t copy_run(const cuda_copy *copy)
{
    const enum cudaMemcpyKind kind = kind_of(copy);
    const int to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const int from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    heddle_queue *queue;
    if (!copy->width || !copy->rows)
        return cudaSuccess;
    if (kind > cudaMemcpyDefault || !copy->to || !copy->from)
        return kind > cudaMemcpyDefault ? cudaErrorInvalidMemcpyDirection : cudaErrorInvalidValue;
    if ((to_device && !address_of(copy->to)) || (from_device && !address_of(copy->from)))
        return cudaErrorInvalidValue;
    if (copy->to_pitch < copy->width || copy->from_pitch < copy->width)
        return cudaErrorInvalidPitchValue;
    cudaError_t error = kind == cudaMemcpyHostToHost ? streams_wait() : managed_to_device();
    if (!error)
        error = stream_queue(copy->stream, &queue);
    if (!error)
        error = copy_rows(queue, copy, kind);
    return !error && waits(copy, kind) ? stream_wait(copy->stream) : error;
}

static cudaError_t copy_once(const cuda_copy *copy)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : copy_run(copy));
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return copy_once(&(cuda_copy){to, from, bytes, bytes, bytes, 1, kind, NULL, 0});
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_once(&(cuda_copy){to, from, bytes, bytes, bytes, 1, kind, stream, 1});
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
    return copy_once(&(cuda_copy){to, from, to_pitch, from_pitch, width, height, kind, NULL, 0});
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_once(&(cuda_copy){to, from, to_pitch, from_pitch, width, height, kind, stream, 1});
}
