/* SPDX-License-Identifier: MIT */
/* Streams run beside each other, the default stream beside none; events tell the simulated time; callbacks come in their order. */
#include "check.cuh"

__global__ void spin(int *out, int rounds)
{
    int value = threadIdx.x;
    for (int i = 0; i < rounds; i++)
        value = value * 5 + 1;
    out[threadIdx.x] = value;
}

__global__ void increment(int *values)
{
    values[blockIdx.x * blockDim.x + threadIdx.x]++;
}

static float time_of_two(cudaStream_t one, cudaStream_t other, int *memory)
{
    cudaEvent_t begin, end;
    float milliseconds;
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventCreate(&end));
    CUDA(cudaEventRecord(begin));
    spin<<<1, 32, 0, one>>>(memory, 4000);
    spin<<<1, 32, 0, other>>>(memory + 32, 4000);
    CUDA(cudaEventRecord(end));
    CUDA(cudaEventSynchronize(end));
    CUDA(cudaEventElapsedTime(&milliseconds, begin, end));
    CUDA(cudaEventDestroy(begin));
    CUDA(cudaEventDestroy(end));
    return milliseconds;
}

static void check_overlap(cudaStream_t one, cudaStream_t other)
{
    int *memory;
    CUDA(cudaMalloc(&memory, 64 * sizeof *memory));
    const float together = time_of_two(one, other, memory), apart = time_of_two(one, one, memory);
    EXPECT(together < 0.75f * apart, "%g ms beside each other, %g ms behind", together, apart);
    EXPECT(together > 0.01f, "%g ms", together);
}

static int order;

static void after_copy(void *context)
{
    *(int *)context = ++order;
}

static void after_stream(cudaStream_t, cudaError_t error, void *context)
{
    *(int *)context = error ? -1 : ++order;
}

/* A copy, a kernel in another stream that waits for it, and a copy back in the first that waits for that. */
static void check_order(cudaStream_t one, cudaStream_t other)
{
    const int n = 512;
    int *host, *device, first = 0, second = 0;
    cudaEvent_t copied, changed;
    CUDA(cudaMallocHost(&host, n * sizeof *host));
    CUDA(cudaMalloc(&device, n * sizeof *device));
    CUDA(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
    CUDA(cudaEventCreateWithFlags(&changed, cudaEventDisableTiming));
    for (int i = 0; i < n; i++)
        host[i] = i;
    CUDA(cudaMemcpyAsync(device, host, n * sizeof *host, cudaMemcpyHostToDevice, one));
    CUDA(cudaLaunchHostFunc(one, after_copy, &first));
    CUDA(cudaEventRecord(copied, one));
    CUDA(cudaStreamWaitEvent(other, copied, 0));
    increment<<<n / 128, 128, 0, other>>>(device);
    CUDA(cudaStreamAddCallback(other, after_stream, &second, 0));
    CUDA(cudaEventRecord(changed, other));
    EXPECT(cudaEventQuery(changed) == cudaErrorNotReady, "it is done before time has passed");
    CUDA(cudaStreamWaitEvent(one, changed, 0));
    CUDA(cudaMemcpyAsync(host, device, n * sizeof *host, cudaMemcpyDeviceToHost, one));
    while (cudaStreamQuery(one) == cudaErrorNotReady)
        ;
    for (int i = 0; i < n; i++)
        EXPECT(host[i] == i + 1, "%d is %d", i, host[i]);
    EXPECT(first == 1 && second == 2, "callbacks came as %d and %d", first, second);
    CUDA(cudaFreeHost(host));
}

/* Memory that is not pinned may be changed as soon as a copy has been asked for; the default stream waits for all. */
static void check_default(cudaStream_t one)
{
    int values[128], *device;
    CUDA(cudaMalloc(&device, sizeof values));
    for (int i = 0; i < 128; i++)
        values[i] = 10;
    CUDA(cudaMemcpyAsync(device, values, sizeof values, cudaMemcpyHostToDevice, one));
    for (int i = 0; i < 128; i++)
        values[i] = 0;
    increment<<<1, 128>>>(device);
    increment<<<1, 128, 0, one>>>(device);
    from_device(values, device, 128);
    for (int i = 0; i < 128; i++)
        EXPECT(values[i] == 12, "%d is %d", i, values[i]);
}

int main()
{
    cudaStream_t one, other;
    CUDA(cudaStreamCreate(&one));
    CUDA(cudaStreamCreate(&other));
    check_overlap(one, other);
    check_order(one, other);
    check_default(one);
    CUDA(cudaStreamDestroy(one));
    CUDA(cudaStreamDestroy(other));
    return passed();
}
