/* SPDX-License-Identifier: MIT */
#include <cassert>

__global__ void check(int value)
{
    assert(value == 1 && "as it is to be");
}

int main()
{
    check<<<1, 1>>>(2);
    return cudaDeviceSynchronize() != cudaErrorLaunchFailure;
}
