/* SPDX-License-Identifier: MIT */
/* The program of every introduction; and the arguments of a program. */
#include "check.cuh"

__global__ void add(const float *a, const float *b, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sum[i] = a[i] + b[i];
}

int main(int count, char **words)
{
    const int n = count > 1 ? atoi(words[1]) : 1000;
    float *a = new float[n], *b = new float[n], *sum = new float[n];
    for (int i = 0; i < n; i++) {
        a[i] = (float)i;
        b[i] = 0.5f * i;
    }
    float *device_a = to_device(a, n), *device_b = to_device(b, n), *device_sum;
    CUDA(cudaMalloc(&device_sum, n * sizeof *sum));
    add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_sum, n);
    CUDA(cudaGetLastError());
    from_device(sum, device_sum, n);
    for (int i = 0; i < n; i++)
        EXPECT(sum[i] == 1.5f * i, "sum[%d] is %g", i, sum[i]);
    CUDA(cudaFree(device_a));
    CUDA(cudaFree(device_b));
    CUDA(cudaFree(device_sum));
    return passed();
}
