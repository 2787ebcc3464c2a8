/* SPDX-License-Identifier: MIT */
__device__ int elsewhere(int value);

__global__ void call(int *out)
{
    *out = elsewhere(1);
}

int main()
{
}
