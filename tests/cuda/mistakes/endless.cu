/* SPDX-License-Identifier: MIT */
#include <cstdio>

/* Waits for what nobody does. */
__global__ void endless(int *flag)
{
    while (atomicAdd(flag, 0) == 0)
        ;
}

int main()
{
    int *flag;
    cudaMalloc(&flag, sizeof *flag);
    cudaMemset(flag, 0, sizeof *flag);
    endless<<<1, 32>>>(flag);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
