/* SPDX-License-Identifier: MIT */
/* The runtime's functions for pointers of any type, kernels and variables. Part of cuda_runtime.h. */
#ifndef HEDDLE_CUDA_OVERLOADS_H
#define HEDDLE_CUDA_OVERLOADS_H

#define HEDDLE_OVERLOAD template <class T> static inline __host__ cudaError_t

HEDDLE_OVERLOAD cudaMalloc(T **memory, size_t bytes)
{
    return cudaMalloc((void **)memory, bytes);
}

HEDDLE_OVERLOAD cudaMallocPitch(T **memory, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)memory, pitch, width, height);
}

HEDDLE_OVERLOAD cudaMallocHost(T **memory, size_t bytes, unsigned flags = 0)
{
    return cudaHostAlloc((void **)memory, bytes, flags);
}

HEDDLE_OVERLOAD cudaHostAlloc(T **memory, size_t bytes, unsigned flags)
{
    return cudaHostAlloc((void **)memory, bytes, flags);
}

HEDDLE_OVERLOAD cudaMallocManaged(T **memory, size_t bytes, unsigned flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)memory, bytes, flags);
}

HEDDLE_OVERLOAD cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                   enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}

HEDDLE_OVERLOAD cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                     enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}

HEDDLE_OVERLOAD cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset,
                                        enum cudaMemcpyKind kind, cudaStream_t stream = 0)
{
    return cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}

HEDDLE_OVERLOAD cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset,
                                          enum cudaMemcpyKind kind, cudaStream_t stream = 0)
{
    return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}

HEDDLE_OVERLOAD cudaGetSymbolAddress(void **memory, const T &symbol)
{
    return cudaGetSymbolAddress(memory, (const void *)&symbol);
}

HEDDLE_OVERLOAD cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    return cudaGetSymbolSize(bytes, (const void *)&symbol);
}

HEDDLE_OVERLOAD cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes = 0,
                                 cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared_bytes, stream);
}

HEDDLE_OVERLOAD cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *kernel)
{
    return cudaFuncGetAttributes(attributes, (const void *)kernel);
}

HEDDLE_OVERLOAD cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}

HEDDLE_OVERLOAD cudaFuncSetCacheConfig(T *kernel, enum cudaFuncCache config)
{
    return cudaFuncSetCacheConfig((const void *)kernel, config);
}

HEDDLE_OVERLOAD cudaFuncSetSharedMemConfig(T *kernel, enum cudaSharedMemConfig config)
{
    return cudaFuncSetSharedMemConfig((const void *)kernel, config);
}

HEDDLE_OVERLOAD cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *kernel, int threads, size_t shared_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads, shared_bytes);
}

/* The largest block that keeps most threads on a core, of those that are multiples of a warp. */
HEDDLE_OVERLOAD cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T *kernel, size_t shared_bytes = 0,
                                                   int limit = 0)
{
    struct cudaDeviceProp device;
    int blocks, most = 0;
    cudaError_t error = cudaGetDeviceProperties(&device, 0);
    if (!limit || limit > device.maxThreadsPerBlock)
        limit = device.maxThreadsPerBlock;
    for (int threads = device.warpSize; !error && threads <= limit; threads += device.warpSize) {
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes);
        if (blocks * threads < most)
            continue;
        most = blocks * threads;
        *block = threads;
        *grid = blocks * device.multiProcessorCount;
    }
    return error;
}

static inline __host__ cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags = cudaEventDefault)
{
    return cudaEventCreateWithFlags(event, flags);
}

static inline __host__ struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    return {width, height, depth};
}

static inline __host__ struct cudaPitchedPtr make_cudaPitchedPtr(void *memory, size_t pitch, size_t width, size_t height)
{
    return {memory, pitch, width, height};
}

#undef HEDDLE_OVERLOAD

#endif
