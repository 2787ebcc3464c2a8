/* SPDX-License-Identifier: MIT */
#include "fakes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

fakes fake;
cuda_runtime runtime;

static cuda_function function = {.kernel = &fake.kernel};

static void __attribute__((format(printf, 1, 2))) note(const char *format, ...)
{
    const size_t used = strlen(fake.log);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fake.log + used, sizeof fake.log - used, format, arguments);
    va_end(arguments);
}

void fakes_begin(void)
{
    fake = (fakes){0};
    runtime = (cuda_runtime){.limits = {.lanes = 32,
                                        .warps_per_core = 48,
                                        .blocks_per_core = 8,
                                        .threads_per_block = 1024,
                                        .scratchpad_bytes = 48 << 10}};
}

/* ---- The runtime ------------------------------------------------------------------------------------------------------- */

cudaError_t runtime_enter(void)
{
    fake.is_in++;
    return cudaSuccess;
}

cudaError_t runtime_leave(cudaError_t error)
{
    fake.is_in--;
    return error;
}

cudaError_t runtime_error(heddle_error error)
{
    return error ? cudaErrorUnknown : cudaSuccess;
}

void runtime_refuse(const char *format, ...)
{
    (void)format;
    note("refused; ");
}

cudaError_t function_find(const void *host, cuda_function **found)
{
    *found = &function;
    return host ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

cudaError_t stream_queue(cudaStream_t stream, heddle_queue **queue)
{
    (void)stream;
    *queue = NULL;
    return cudaSuccess;
}

cudaError_t stream_wait(cudaStream_t stream)
{
    (void)stream;
    note("wait; ");
    return cudaSuccess;
}

cudaError_t streams_wait(void)
{
    note("wait for all; ");
    return cudaSuccess;
}

int managed_has(const void *memory)
{
    (void)memory;
    return 0;
}

cudaError_t managed_to_device(void)
{
    return cudaSuccess;
}

heddle_address address_of(const void *memory)
{
    return (uintptr_t)memory > UINT32_MAX ? 0 : (heddle_address)(uintptr_t)memory;
}

/* ---- The machine ------------------------------------------------------------------------------------------------------- */

heddle_error heddle_launch(heddle_queue *queue, heddle_kernel *kernel, const heddle_size *size, const void *arguments,
                           uint32_t argument_bytes, uint32_t *launch)
{
    (void)queue, (void)kernel, (void)launch;
    note("launch; ");
    fake.size = *size;
    memcpy(fake.block, arguments, argument_bytes);
    return HEDDLE_OK;
}

heddle_error heddle_queue_copy_to_device(heddle_queue *queue, heddle_address to, const void *from, size_t bytes)
{
    (void)queue, (void)from;
    note("to 0x%llx %zu; ", (unsigned long long)to, bytes);
    return HEDDLE_OK;
}

heddle_error heddle_queue_copy_from_device(heddle_queue *queue, void *to, heddle_address from, size_t bytes)
{
    (void)queue, (void)to;
    note("from 0x%llx %zu; ", (unsigned long long)from, bytes);
    return HEDDLE_OK;
}

heddle_error heddle_queue_copy_on_device(heddle_queue *queue, heddle_address to, heddle_address from, size_t bytes)
{
    (void)queue;
    note("0x%llx to 0x%llx %zu; ", (unsigned long long)from, (unsigned long long)to, bytes);
    return HEDDLE_OK;
}

heddle_error heddle_queue_call(heddle_queue *queue, void (*call)(void *context, uint64_t time), void *context)
{
    (void)queue;
    note("then call; ");
    call(context, 0);
    return HEDDLE_OK;
}
