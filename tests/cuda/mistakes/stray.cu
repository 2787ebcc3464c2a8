/* SPDX-License-Identifier: MIT */
#include <cstdio>

__global__ void stray(int *out, long distance)
{
    out[distance] = 1; /* beyond its memory */
}

int main()
{
    int *out;
    cudaMalloc(&out, 4);
    stray<<<1, 1>>>(out, -(1l << 28));
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%s\n", cudaGetErrorName(cudaMalloc(&out, 4)));
    return 0;
}
