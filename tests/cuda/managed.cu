/* SPDX-License-Identifier: MIT */
/* Memory that host and device have in turns, and copies of two dimensions. */
#include "check.cuh"

struct pair {
    int *values;
    int count;
};

__global__ void increment(pair *of)
{
    for (int i = threadIdx.x; i < of->count; i += blockDim.x)
        of->values[i]++;
}

static void check_managed()
{
    pair *of;
    CUDA(cudaMallocManaged(&of, sizeof *of));
    CUDA(cudaMallocManaged(&of->values, 3000 * sizeof(int)));
    of->count = 3000;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < of->count; i++)
            of->values[i] = i + round;
        increment<<<1, 64>>>(of);
        CUDA(cudaDeviceSynchronize());
        for (int i = 0; i < of->count; i++)
            EXPECT(of->values[i] == i + round + 1, "%d is %d", i, of->values[i]);
    }
    CUDA(cudaMemset(of->values, 0, 8));
    CUDA(cudaDeviceSynchronize());
    EXPECT(of->values[1] == 0 && of->values[2] == 4, "%d and %d", of->values[1], of->values[2]);
    CUDA(cudaFree(of->values));
    CUDA(cudaFree(of));
}

static void check_rows()
{
    int from[6][5], to[6][3] = {};
    size_t pitch;
    void *device;
    for (int i = 0; i < 30; i++)
        from[i / 5][i % 5] = i;
    CUDA(cudaMallocPitch(&device, &pitch, sizeof to[0], 6));
    CUDA(cudaMemset2D(device, pitch, 0xff, sizeof to[0], 6));
    CUDA(cudaMemcpy2D(device, pitch, from, sizeof from[0], sizeof to[0], 5, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy2D(to, sizeof to[0], device, pitch, sizeof to[0], 6, cudaMemcpyDefault));
    for (int row = 0; row < 6; row++)
        for (int i = 0; i < 3; i++)
            EXPECT(to[row][i] == (row < 5 ? from[row][i] : -1), "[%d][%d] is %d", row, i, to[row][i]);
    EXPECT(cudaMemcpy2D(to, 4, device, pitch, 8, 2, cudaMemcpyDeviceToHost) == cudaErrorInvalidPitchValue, "pitch");
    cudaGetLastError();
}

int main()
{
    check_managed();
    check_rows();
    return passed();
}
