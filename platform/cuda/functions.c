/* SPDX-License-Identifier: MIT */
/* What is known of kernels, and how many blocks of one fit a core. */
#include <string.h>

#include "runtime.h"

#define REGISTERS_OF_A_THREAD 32

static uint32_t smaller(uint32_t one, uint32_t other)
{
    return one < other ? one : other;
}

static cudaError_t describe(struct cudaFuncAttributes *attributes, const void *host)
{
    cuda_function *function;
    const cudaError_t error = function_find(host, &function);
    if (!error)
        *attributes = (struct cudaFuncAttributes){
            .sharedSizeBytes = function->kernel->local_bytes,
            .maxThreadsPerBlock = (int)runtime.limits.threads_per_block,
            .numRegs = REGISTERS_OF_A_THREAD,
            .maxDynamicSharedSizeBytes = (int)(runtime.limits.scratchpad_bytes - function->kernel->local_bytes)};
    return error;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : describe(attributes, kernel));
}

static cudaError_t count_blocks(int *blocks, const void *host, int threads, size_t shared_bytes)
{
    const heddle_limits *limits = &runtime.limits;
    cuda_function *function;
    const cudaError_t error = threads > 0 ? function_find(host, &function) : cudaErrorInvalidValue;
    if (error)
        return error;
    const uint32_t warps = ((uint32_t)threads + limits->lanes - 1) / limits->lanes;
    const uint64_t shared = function->kernel->local_bytes + shared_bytes;
    uint32_t count = smaller(limits->blocks_per_core, limits->warps_per_core / warps);
    if (shared)
        count = smaller(count, (uint32_t)(limits->scratchpad_bytes / shared));
    *blocks = (uint32_t)threads > limits->threads_per_block ? 0 : (int)count;
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int threads,
                                                          size_t shared_bytes)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : count_blocks(blocks, kernel, threads, shared_bytes));
}

/* ---- Advice, which the machine has no use for -------------------------------------------------------------------------- */

static cudaError_t check(const void *kernel)
{
    cuda_function *function;
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : function_find(kernel, &function));
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value)
{
    (void)attribute, (void)value;
    return check(kernel);
}

cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config)
{
    (void)config;
    return check(kernel);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config)
{
    (void)config;
    return check(kernel);
}
