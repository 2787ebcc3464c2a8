/* SPDX-License-Identifier: MIT */
__device__ int elsewhere(int value);
extern __device__ int somewhere;

__global__ void call(int *out)
{
    *out = elsewhere(1);
    out[1] = somewhere;
}

int main()
{
}
