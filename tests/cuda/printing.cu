/* SPDX-License-Identifier: MIT */
/* Kernels print; a warp knows the time. */
#include <cassert>

#include "check.cuh"

__global__ void say(const char *, float x, clock_t *times)
{
    const clock_t since = clock();
    if (threadIdx.x == 3)
        printf("%d of %u: %.2f\n", threadIdx.x, blockDim.x, x);
    assert(x > 1);
    times[threadIdx.x] = clock() - since;
}

/* Types are those of the host: most have 64 bits. */
__global__ void say_wide(long low, unsigned long large, const int *address)
{
    printf("%ld %lu|%lld\n", low, large, (long long)low);
    printf("%llx %d|%zu\n", (unsigned long long)large, -7, sizeof low);
    printf("%td of %p\n", address - (const int *)nullptr, (const void *)address);
}

int main()
{
    say_wide<<<1, 1>>>(-(1l << 40), 1ul << 63, (const int *)0x10000000);
    clock_t times[8], *device = to_device(times, 8);
    say<<<1, 8>>>(NULL, 1.5f, device);
    from_device(times, device, 8);
    EXPECT(times[3] > 0 && times[3] < 10000, "it took %ld cycles", (long)times[3]);
    return passed();
}
