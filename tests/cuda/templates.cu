/* SPDX-License-Identifier: MIT */
/* Kernels as C++ has functions: templates, overloads, namespaces, lambdas, classes with members. */
#include <algorithm>
#include <cmath>

#include "check.cuh"

template <class T, int factor> __global__ void scale(T *values, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        values[i] = values[i] * factor + std::max(T(1), T(2));
}

namespace other {
__global__ void fill(int *values, int value)
{
    values[threadIdx.x] = value;
}
} // namespace other

__global__ void fill(int *values)
{
    values[threadIdx.x] = 5;
}

class polynomial {
  public:
    __host__ __device__ polynomial(float a, float b) : a_(a), b_(b)
    {
    }
    __host__ __device__ float operator()(float x) const
    {
        return a_ * x + b_;
    }

  private:
    float a_, b_;
};

template <class Function> __global__ void map(float *values, Function function)
{
    values[threadIdx.x] = function(values[threadIdx.x]);
}

template <class T> static void check_scale()
{
    T values[40];
    for (int i = 0; i < 40; i++)
        values[i] = T(i);
    T *device = to_device(values, 40);
    scale<T, 3><<<2, 32>>>(device, 40);
    from_device(values, device, 40);
    for (int i = 0; i < 40; i++)
        EXPECT(values[i] == T(3 * i + 2), "%d is %g", i, (double)values[i]);
}

static void check_fills()
{
    int values[32], *device = to_device(values, 32);
    other::fill<<<1, 32>>>(device, 9);
    from_device(values, device, 32);
    EXPECT(values[31] == 9, "it is %d", values[31]);
    fill<<<1, 32>>>(device);
    from_device(values, device, 32);
    EXPECT(values[31] == 5, "it is %d", values[31]);
}

static void check_functions()
{
    float values[32];
    for (int i = 0; i < 32; i++)
        values[i] = (float)i;
    float *device = to_device(values, 32);
    const float offset = 4;
    map<<<1, 32>>>(device, polynomial(2, 1));
    map<<<1, 32>>>(device, [=] __device__(float x) { return x + offset; });
    from_device(values, device, 32);
    for (int i = 0; i < 32; i++)
        EXPECT(values[i] == polynomial(2, 1)((float)i) + 4, "%d is %g", i, values[i]);
}

int main()
{
    check_scale<int>();
    check_scale<float>();
    check_scale<double>();
    check_scale<long>();
    check_fills();
    check_functions();
    return passed();
}
