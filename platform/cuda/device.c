/* SPDX-License-Identifier: MIT */
/* What the device is: the machine's limits, by the names of CUDA. */
#include <stdio.h>
#include <string.h>

#include "runtime.h"

#define COMPUTE_CAPABILITY 6
#define GRID_MAX 0x7FFFFFFF
#define REGISTERS_OF_A_THREAD 32
#define PITCH_MAX 0x7FFFFFFF
#define CONSTANT_BYTES 65536

static int kilohertz(uint64_t period)
{
    return period ? (int)((1000000000u + period / 2) / period) : 0;
}

static void describe(struct cudaDeviceProp *of)
{
    const heddle_limits *limits = &runtime.limits;
    const int threads = (int)(limits->threads_per_block ? limits->threads_per_block : 1);
    const int resident = (int)(limits->warps_per_core * limits->lanes);
    *of = (struct cudaDeviceProp){.totalGlobalMem = limits->memory_bytes,
                                  .sharedMemPerBlock = limits->scratchpad_bytes,
                                  .regsPerBlock = resident * REGISTERS_OF_A_THREAD,
                                  .warpSize = (int)limits->lanes,
                                  .memPitch = PITCH_MAX,
                                  .maxThreadsPerBlock = threads,
                                  .maxThreadsDim = {threads, threads, threads},
                                  .maxGridSize = {GRID_MAX, GRID_MAX, GRID_MAX},
                                  .clockRate = kilohertz(limits->clock_period),
                                  .totalConstMem = CONSTANT_BYTES,
                                  .major = COMPUTE_CAPABILITY,
                                  .textureAlignment = 256,
                                  .deviceOverlap = 1,
                                  .multiProcessorCount = (int)limits->cores,
                                  .concurrentKernels = 1,
                                  .asyncEngineCount = limits->copies_by_dma ? 1 : 0,
                                  .memoryClockRate = kilohertz(limits->clock_period),
                                  .maxThreadsPerMultiProcessor = resident,
                                  .maxBlocksPerMultiProcessor = (int)limits->blocks_per_core,
                                  .sharedMemPerMultiprocessor = limits->scratchpad_bytes,
                                  .sharedMemPerBlockOptin = limits->scratchpad_bytes,
                                  .regsPerMultiprocessor = resident * REGISTERS_OF_A_THREAD,
                                  .managedMemory = 1};
    snprintf(of->name, sizeof of->name, "%s", runtime.name);
}

static cudaError_t check(int device)
{
    return device ? cudaErrorInvalidDevice : cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    const cudaError_t error = runtime_enter();
    if (!error && !device)
        describe(properties);
    return runtime_leave(error ? error : check(device));
}

static int attribute_of(const struct cudaDeviceProp *of, enum cudaDeviceAttr attribute, int *value)
{
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
    case cudaDevAttrMaxBlockDimZ: *value = of->maxThreadsPerBlock; return 1;
    case cudaDevAttrMaxGridDimX:
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ: *value = GRID_MAX; return 1;
    case cudaDevAttrMaxSharedMemoryPerBlock:
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = (int)of->sharedMemPerBlock; return 1;
    case cudaDevAttrTotalConstantMemory: *value = CONSTANT_BYTES; return 1;
    case cudaDevAttrWarpSize: *value = of->warpSize; return 1;
    case cudaDevAttrMaxRegistersPerBlock: *value = of->regsPerBlock; return 1;
    case cudaDevAttrClockRate: *value = of->clockRate; return 1;
    case cudaDevAttrMultiProcessorCount: *value = of->multiProcessorCount; return 1;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = of->maxThreadsPerMultiProcessor; return 1;
    case cudaDevAttrComputeCapabilityMajor: *value = of->major; return 1;
    case cudaDevAttrComputeCapabilityMinor: *value = of->minor; return 1;
    case cudaDevAttrManagedMemory: *value = 1; return 1;
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrCooperativeLaunch: *value = 0; return 1;
    default: return 0;
    }
}

static cudaError_t ask(int *value, enum cudaDeviceAttr attribute, int device)
{
    struct cudaDeviceProp properties;
    if (device)
        return cudaErrorInvalidDevice;
    describe(&properties);
    return attribute_of(&properties, attribute, value) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : ask(value, attribute, device));
}

/* ---- The only one ------------------------------------------------------------------------------------------------------ */

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : check(device));
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties)
{
    (void)properties;
    return cudaGetDevice(device);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    *can = 0;
    return device || peer ? cudaErrorInvalidDevice : cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = CUDA_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    return cudaDriverGetVersion(version);
}

/* ---- Advice, which the machine has no use for -------------------------------------------------------------------------- */

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    (void)flags;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    (void)config;
    return cudaSuccess;
}

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
    return cudaDeviceSetCacheConfig(config);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    (void)config;
    return cudaSuccess;
}

cudaError_t cudaProfilerStart(void)
{
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void)
{
    return cudaSuccess;
}

/* ---- Limits ------------------------------------------------------------------------------------------------------------ */

static size_t stack_bytes = 4096; /* of heddle_set_stack */

static cudaError_t set_stack(size_t bytes)
{
    if (!bytes || bytes > UINT32_MAX)
        return cudaErrorInvalidValue;
    const cudaError_t error = runtime_error(heddle_set_stack(runtime.machine, (uint32_t)bytes));
    if (!error)
        stack_bytes = bytes;
    return error;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : limit == cudaLimitStackSize ? set_stack(value) : cudaSuccess);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    *value = limit == cudaLimitStackSize ? stack_bytes : 0;
    return cudaSuccess;
}

/* ---- Waiting ----------------------------------------------------------------------------------------------------------- */

cudaError_t cudaDeviceSynchronize(void)
{
    const cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : streams_wait());
}

cudaError_t cudaThreadSynchronize(void)
{
    return cudaDeviceSynchronize();
}

/* The machine stays what it is: a program may go on. */
cudaError_t cudaDeviceReset(void)
{
    return cudaDeviceSynchronize();
}

cudaError_t cudaThreadExit(void)
{
    return cudaDeviceSynchronize();
}
