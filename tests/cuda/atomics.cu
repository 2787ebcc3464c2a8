/* SPDX-License-Identifier: MIT */
/* A histogram, in shared memory first; and every atomic. */
#include "check.cuh"

#define BINS 16

__global__ void histogram(const unsigned char *in, int n, unsigned *bins)
{
    __shared__ unsigned own[BINS];
    if (threadIdx.x < BINS)
        own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[in[i] % BINS], 1u);
    __syncthreads();
    if (threadIdx.x < BINS)
        atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

struct results {
    int sum, least, most, bits, either;
    unsigned around, down, last;
    float real;
    int swaps;
    unsigned long long wide, widest, wide_swaps;
    double precise;
};

__global__ void all_atomics(results *to)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicSub(&to->sum, i);
    atomicMin(&to->least, i - 50);
    atomicMax(&to->most, i - 50);
    atomicAnd(&to->bits, ~(1 << i % 8));
    atomicXor(&to->either, 1 << i % 5);
    atomicInc(&to->around, 9);
    atomicDec(&to->down, 9);
    atomicExch(&to->last, 7u);
    atomicAdd(&to->real, 0.5f);
    for (int seen = to->swaps, before; (before = atomicCAS(&to->swaps, seen, seen + 1)) != seen; seen = before)
        ;
    atomicAdd(&to->wide, 0x100000001ull * i);
    atomicMax(&to->widest, 0x100000000ull * i);
    for (unsigned long long seen = 0, before; (before = atomicCAS(&to->wide_swaps, seen, seen + 3)) != seen; seen = before)
        ;
    atomicAdd(&to->precise, 0.25);
}

static void check_histogram()
{
    const int n = 3000;
    unsigned char in[n];
    unsigned bins[BINS] = {}, expected[BINS] = {}, state = 5;
    for (int i = 0; i < n; i++) {
        in[i] = (unsigned char)(next_random(&state) >> 24);
        expected[in[i] % BINS]++;
    }
    unsigned char *device_in = to_device(in, n);
    unsigned *device_bins = to_device(bins, BINS);
    histogram<<<3, 64>>>(device_in, n, device_bins);
    from_device(bins, device_bins, BINS);
    for (int i = 0; i < BINS; i++)
        EXPECT(bins[i] == expected[i], "bin %d is %u, expected %u", i, bins[i], expected[i]);
}

static void check_atomics()
{
    const int threads = 128;
    results is = {};
    is.bits = -1;
    results *device = to_device(&is, 1);
    all_atomics<<<2, threads / 2>>>(device);
    from_device(&is, device, 1);
    EXPECT(is.sum == -threads * (threads - 1) / 2, "sum %d", is.sum);
    EXPECT(is.least == -50 && is.most == threads - 51, "from %d to %d", is.least, is.most);
    EXPECT(is.bits == -256, "bits %x", is.bits);
    EXPECT(is.either == 0x18, "either %x", is.either); /* 26 times 1, 2 and 4, 25 times 8 and 16 */
    EXPECT(is.around == threads % 10, "around %u", is.around);
    EXPECT(is.down == (10 - threads % 10) % 10, "down %u", is.down);
    EXPECT(is.last == 7, "last %u", is.last);
    EXPECT(is.real == threads * 0.5f, "real %g", is.real);
    EXPECT(is.swaps == threads, "swaps %d", is.swaps);
    EXPECT(is.wide == 0x100000001ull * (threads * (threads - 1) / 2), "wide %llx", is.wide);
    EXPECT(is.widest == 0x100000000ull * (threads - 1), "widest %llx", is.widest);
    EXPECT(is.wide_swaps == 3ull * threads, "wide swaps %llu", is.wide_swaps);
    EXPECT(is.precise == threads * 0.25, "precise %g", is.precise);
}

int main()
{
    check_histogram();
    check_atomics();
    return passed();
}
