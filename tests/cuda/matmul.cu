/* SPDX-License-Identifier: MIT */
/* Dynamic shared memory of two kernels, and behind what one of them has besides. */
#include "check.cuh"

extern __shared__ float tiles[];

__global__ void multiply(const float *a, const float *b, float *product, int n)
{
    const int size = blockDim.x, x = threadIdx.x, y = threadIdx.y;
    float *tile_a = tiles, *tile_b = tiles + size * size, sum = 0;
    const int row = blockIdx.y * size + y, column = blockIdx.x * size + x;
    for (int tile = 0; tile < n / size; tile++) {
        tile_a[y * size + x] = a[row * n + tile * size + x];
        tile_b[y * size + x] = b[(tile * size + y) * n + column];
        __syncthreads();
        for (int k = 0; k < size; k++)
            sum += tile_a[y * size + k] * tile_b[k * size + x];
        __syncthreads();
    }
    product[row * n + column] = sum;
}

/* b = a, by way of both kinds of shared memory. */
__global__ void transpose_twice(const float *a, float *b)
{
    __shared__ float fixed[64];
    const int i = threadIdx.x;
    fixed[i] = a[blockIdx.x * 64 + i];
    __syncthreads();
    tiles[i % 8 * 8 + i / 8] = fixed[i];
    __syncthreads();
    b[blockIdx.x * 64 + i] = tiles[i % 8 * 8 + i / 8];
}

int main()
{
    const int n = 32, tile = 8;
    static float a[n * n], b[n * n], product[n * n], copy[n * n];
    unsigned state = 3;
    for (int i = 0; i < n * n; i++) {
        a[i] = (float)(next_random(&state) >> 28);
        b[i] = (float)(next_random(&state) >> 28);
    }
    float *device_a = to_device(a, n * n), *device_b = to_device(b, n * n), *device_product;
    CUDA(cudaMalloc(&device_product, sizeof product));
    multiply<<<dim3(n / tile, n / tile), dim3(tile, tile), 2 * tile * tile * sizeof(float)>>>(device_a, device_b,
                                                                                         device_product, n);
    from_device(product, device_product, n * n);
    transpose_twice<<<n * n / 64, 64, 64 * sizeof(float)>>>(device_product, device_a);
    from_device(copy, device_a, n * n);
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            float expected = 0;
            for (int k = 0; k < n; k++)
                expected += a[row * n + k] * b[k * n + column];
            const float is = product[row * n + column];
            EXPECT(is == expected, "[%d][%d] is %g, expected %g", row, column, is, expected);
            EXPECT(copy[row * n + column] == expected, "the copy of [%d][%d] is not", row, column);
        }
    return passed();
}
