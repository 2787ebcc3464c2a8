/* SPDX-License-Identifier: MIT */
/* Variables of the device: constant, with a first value, of a pointer, and static ones. */
#include "check.cuh"

__constant__ float table[4] = {1, 2, 3, 4};
__constant__ int shift;
__device__ int counter = 5;
__device__ int *place = &counter;
static __device__ unsigned long total;
__device__ const char *words[2] = {"one", "three"};

__global__ void use(float *out)
{
    const int i = threadIdx.x;
    out[i] = table[i % 4] + (float)shift;
    atomicAdd(place, 1);
    if (i == 0) {
        total = sizeof(size_t) + words[1][4];
    }
}

int main()
{
    float out[32], changed[2] = {30, 40}, *device;
    int ten = 10, count;
    unsigned long sum;
    size_t bytes;
    void *address;
    CUDA(cudaMalloc(&device, sizeof out));
    CUDA(cudaMemcpyToSymbol(shift, &ten, sizeof ten));
    CUDA(cudaMemcpyToSymbol(table, changed, sizeof changed, 2 * sizeof(float)));
    use<<<1, 32>>>(device);
    from_device(out, device, 32);
    const float expected[4] = {11, 12, 40, 50};
    for (int i = 0; i < 32; i++)
        EXPECT(out[i] == expected[i % 4], "%d is %g", i, out[i]);
    CUDA(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    EXPECT(count == 37, "counter is %d", count);
    CUDA(cudaMemcpyFromSymbol(&sum, total, sizeof sum));
    EXPECT(sum == sizeof(size_t) + 'e', "total is %lu", sum);
    CUDA(cudaGetSymbolSize(&bytes, table));
    EXPECT(bytes == sizeof table, "the table has %zu bytes", bytes);
    CUDA(cudaGetSymbolAddress(&address, counter));
    CUDA(cudaMemset(address, 0, sizeof count));
    CUDA(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    EXPECT(count == 0, "counter is %d", count);
    EXPECT(cudaMemcpyToSymbol(shift, &ten, 8) == cudaErrorInvalidValue, "more than the variable has");
    cudaGetLastError();
    return passed();
}
