/* SPDX-License-Identifier: MIT */
/* What cannot be done gives CUDA's error, and the program can go on. */
#include <cstring>

#include "check.cuh"

__global__ void touch(int *place)
{
    __shared__ int own[16];
    own[threadIdx.x % 16] = 1;
    *place = own[0];
}

__global__ void big(int *place, int n)
{
    extern __shared__ int all[];
    all[n] = 1;
    *place = all[n];
}

#define REFUSED(call, expected)                                                                                            do {                                                                                                                       const cudaError_t error = (call);                                                                                      EXPECT(error == (expected), "%s: %s", #call, cudaGetErrorName(error));                                                 EXPECT(cudaPeekAtLastError() == (expected), "the last error is %s", cudaGetErrorName(cudaPeekAtLastError()));          EXPECT(cudaGetLastError() == (expected) && cudaGetLastError() == cudaSuccess, "it stays");                         } while (0)

#define LAUNCH(...) (__VA_ARGS__, cudaPeekAtLastError())

int main()
{
    cudaDeviceProp device;
    int *place, blocks, host = 0;
    void *none;
    float milliseconds;
    cudaEvent_t event;
    CUDA(cudaGetDeviceProperties(&device, 0));
    CUDA(cudaMalloc(&place, sizeof *place));
    CUDA(cudaEventCreate(&event));
    REFUSED(LAUNCH(touch<<<1, device.maxThreadsPerBlock + 1>>>(place)), cudaErrorInvalidConfiguration);
    REFUSED(LAUNCH(touch<<<0, 1>>>(place)), cudaErrorInvalidConfiguration);
    REFUSED(LAUNCH(touch<<<1, 0>>>(place)), cudaErrorInvalidConfiguration);
    REFUSED(LAUNCH(big<<<1, 1, 1 << 30>>>(place, 0)), cudaErrorInvalidValue);
    REFUSED(LAUNCH(touch<<<1, 1>>>(&host)), cudaErrorInvalidValue);
    REFUSED(cudaMalloc(&none, 1ull << 40), cudaErrorMemoryAllocation);
    REFUSED(cudaFree((void *)0x12345), cudaErrorInvalidDevicePointer);
    REFUSED(cudaMemcpy(place, &host, 1 << 20, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    REFUSED(cudaMemcpy(&host, &host, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    REFUSED(cudaMemcpy(place, &host, 4, (cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
    REFUSED(cudaSetDevice(1), cudaErrorInvalidDevice);
    REFUSED(cudaEventElapsedTime(&milliseconds, event, event), cudaErrorInvalidResourceHandle);
    REFUSED(cudaFreeHost(&host), cudaErrorInvalidHostPointer);
    REFUSED(cudaMemcpyToSymbol(host, &host, 4), cudaErrorInvalidSymbol);
    REFUSED(cudaFuncSetCacheConfig(&host, cudaFuncCachePreferL1), cudaErrorInvalidDeviceFunction);
    EXPECT(!strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory"), "text");
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, touch, 64, 0));
    EXPECT(blocks > 0, "%d blocks fit", blocks);
    touch<<<1, 1>>>(place);
    from_device(&host, place, 1);
    EXPECT(host == 1, "it is %d", host);
    return passed();
}
