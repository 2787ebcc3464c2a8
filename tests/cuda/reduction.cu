/* SPDX-License-Identifier: MIT */
/* Votes and shuffles, for warps of any width. */
#include "check.cuh"

__device__ unsigned sum_of_warp(unsigned value)
{
    for (int distance = warpSize / 2; distance; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

__global__ void reduce(const unsigned *in, unsigned n, unsigned *sum, unsigned *odd)
{
    __shared__ unsigned partial[256];
    const unsigned thread = threadIdx.x, warps = blockDim.x / warpSize;
    unsigned value = 0;
    for (unsigned i = blockIdx.x * blockDim.x + thread; i < n; i += gridDim.x * blockDim.x)
        value += in[i];
    const int count = __syncthreads_count(value & 1);
    if (thread == 0)
        atomicAdd(odd, (unsigned)count);
    value = sum_of_warp(value);
    if (thread % warpSize == 0)
        partial[thread / warpSize] = value;
    __syncthreads();
    if (thread == 0)
        for (unsigned warp = 1; warp < warps; warp++)
            value += partial[warp];
    if (thread == 0)
        atomicAdd(sum, value);
}

/* Each lane says what it gets from the others. */
__global__ void exchange(int *out)
{
    const int lane = threadIdx.x % warpSize, width = 4;
    const double wide = __shfl_sync(0xffffffffu, lane + 0.25, 0, width);
    int *mine = out + 8 * threadIdx.x;
    mine[0] = __shfl_xor_sync(0xffffffffu, lane, 1);
    mine[1] = __shfl_up_sync(0xffffffffu, lane, 1, width);
    mine[2] = __shfl_down_sync(0xffffffffu, lane, 1, width);
    mine[3] = wide == lane / width * width + 0.25;
    mine[4] = __any_sync(0xffffffffu, lane == 2);
    mine[5] = __all_sync(0xffffffffu, lane == 2);
    mine[6] = (int)(__ballot_sync(0xffffffffu, lane < 3) & 0xff);
    mine[7] = __syncthreads_or(threadIdx.x == 5) + 2 * __syncthreads_and(threadIdx.x < 5);
}

static void check_reduction()
{
    const unsigned n = 5000;
    unsigned in[n], state = 1, expected = 0, sum = 0, odd = 0, expected_odd = 0, of_thread[256] = {};
    for (unsigned i = 0; i < n; i++) {
        in[i] = next_random(&state) >> 8;
        expected += in[i];
        of_thread[i % 256] += in[i];
    }
    for (unsigned i = 0; i < 256; i++)
        expected_odd += of_thread[i] & 1;
    unsigned *device_in = to_device(in, n), *device_sum = to_device(&sum, 1), *device_odd = to_device(&odd, 1);
    reduce<<<2, 128>>>(device_in, n, device_sum, device_odd);
    from_device(&sum, device_sum, 1);
    from_device(&odd, device_odd, 1);
    EXPECT(sum == expected, "the sum is %u, expected %u", sum, expected);
    EXPECT(odd == expected_odd, "%u sums are odd, expected %u", odd, expected_odd);
}

static void check_exchange()
{
    cudaDeviceProp device;
    int out[64][8], *device_out;
    CUDA(cudaGetDeviceProperties(&device, 0));
    CUDA(cudaMalloc(&device_out, sizeof out));
    exchange<<<1, 64>>>(device_out);
    from_device(&out[0][0], device_out, 64 * 8);
    for (int thread = 0; thread < 64; thread++) {
        const int lane = thread % device.warpSize;
        const int expected[8] = {lane ^ 1, lane % 4 ? lane - 1 : lane, lane % 4 < 3 ? lane + 1 : lane, 1, 1, 0, 7, 1};
        for (int i = 0; i < 8; i++)
            EXPECT(out[thread][i] == expected[i], "thread %d: value %d is %d, expected %d", thread, i, out[thread][i],
                   expected[i]);
    }
}

int main()
{
    check_reduction();
    check_exchange();
    return passed();
}
