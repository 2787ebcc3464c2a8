/* SPDX-License-Identifier: MIT */
/* Functions of both precisions and of integers, as the host has them. */
#include <cmath>

#include "check.cuh"

#define FUNCTIONS(X) X(sin) X(cos) X(tan) X(exp) X(log) X(sqrt) X(fabs) X(floor) X(ceil) X(atan) X(tanh) X(erf) X(cbrt) X(log2) X(log1p) X(trunc)

template <class T> __global__ void compute(const T *in, T *out, int n)
{
    int k = 0;
    const T x = in[threadIdx.x];
#define X(function) out[n * k++ + threadIdx.x] = std::function(x);
    FUNCTIONS(X)
#undef X
    out[n * k++ + threadIdx.x] = std::pow(x, T(1.5));
    out[n * k++ + threadIdx.x] = std::fmod(x, T(0.3));
    out[n * k++ + threadIdx.x] = fma(x, x, T(1));
    out[n * k++ + threadIdx.x] = rsqrt(x);
}

template <class T> static void check(double bound)
{
    const int n = 32, count = 20;
    T in[n], out[count][n], expected[count][n], *device_out;
    for (int i = 0; i < n; i++) {
        const T x = in[i] = T(0.17) * T(i + 1);
        int k = 0;
#define X(function) expected[k++][i] = std::function(x);
        FUNCTIONS(X)
#undef X
        expected[k++][i] = std::pow(x, T(1.5));
        expected[k++][i] = std::fmod(x, T(0.3));
        expected[k++][i] = std::fma(x, x, T(1));
        expected[k++][i] = 1 / std::sqrt(x);
    }
    T *device_in = to_device(in, n);
    CUDA(cudaMalloc(&device_out, sizeof out));
    compute<T><<<1, n>>>(device_in, device_out, n);
    from_device(&out[0][0], device_out, count * n);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < n; i++)
            EXPECT(std::fabs(out[k][i] - expected[k][i]) <= bound * (1 + std::fabs(expected[k][i])),
                   "function %d of %g is %.17g, expected %.17g", k, (double)in[i], (double)out[k][i],
                   (double)expected[k][i]);
}

/* What needs a product that is not rounded: an fma's rest, and remainders and angles of large numbers. */
__global__ void round_once(double x, double y, double large, double *out)
{
    out[0] = fma(x, y, -(x * y));
    out[1] = __fma_rn(x, y, -(x * y));
    out[2] = fmod(100 * large, 3.0);
    out[3] = remainder(100 * large, 7.0);
    out[4] = sin(large);
    out[5] = tan(large);
    int quotient;
    out[6] = remquo(-29.0, 3.0, &quotient);
    out[7] = quotient;
    out[8] = remquo(29.0f, 3.0f, &quotient);
    out[9] = quotient;
    out[10] = __dsqrt_rn(2);
    out[11] = __fmaf_rn(1.1f, 1.3f, -(1.1f * 1.3f));
}

static void check_rounding()
{
    const int count = 12, inexact[] = {4, 5};
    const double x = 1.1, y = 1.3, large = 1e15, rest = std::fma(x, y, -(x * y));
    const double expected[count] = {rest,
                                    rest,
                                    std::fmod(100 * large, 3.0),
                                    std::remainder(100 * large, 7.0),
                                    std::sin(large),
                                    std::tan(large),
                                    1,
                                    -10,
                                    -1,
                                    10,
                                    std::sqrt(2.0),
                                    (double)std::fma(1.1f, 1.3f, -(1.1f * 1.3f))};
    double out[count], *device;
    CUDA(cudaMalloc(&device, sizeof out));
    round_once<<<1, 1>>>(x, y, large, device);
    from_device(out, device, count);
    for (int i = 0; i < count; i++)
        EXPECT(std::fabs(out[i] - expected[i]) <=
                   (i != inexact[0] && i != inexact[1] ? 0 : 1e-15 * std::fabs(expected[i])),
               "%d is %.17g, expected %.17g", i, out[i], expected[i]);
}

__global__ void integers(int *out)
{
    out[0] = __popc(0xF0F0) + __clz(1) + __ffs(8) + (int)(__brev(1u) >> 31);
    out[1] = __mulhi(1 << 30, 8) + (int)__umulhi(1u << 31, 4u);
    out[2] = (int)__byte_perm(0x33221100, 0x77665544, 0x7531);
    out[3] = __float2int_rn(2.5f) + __float2int_ru(2.1f) + __float2int_rd(-2.1f) + __double2int_rz(3.9);
    out[4] = __float_as_int(1.0f);
    out[5] = (int)(__umul64hi(1ull << 63, 6) + (unsigned long long)__popcll(-1ll));
    out[6] = min(3, 4) + max(3u, 4u) + (int)max(1.5f, 2.5f) + abs(-3);
    out[7] = (int)__saturatef(7.0f) + (int)(__fdividef(6.0f, 2.0f) + 0.1f) + (int)(__expf(0.0f) + 0.1f);
    out[8] = (int)(__funnelshift_l(0x89ABCDEF, 0x01234567, 36) ^ __funnelshift_lc(0x89ABCDEF, 0, 36));
    out[9] = (int)(__funnelshift_r(0x89ABCDEF, 0x01234567, 36) ^ __funnelshift_rc(0, 0x01234567, 36));
}

static void check_integers()
{
    const int count = 10;
    const int expected[count] = {8 + 31 + 4 + 1,         2 + 2,      0x77553311,
                                 2 + 3 - 3 + 3,          0x3f800000, 3 + 64,
                                 3 + 4 + 2 + 3,          1 + 3 + 1,  0x12345678 ^ (int)0x89ABCDEF,
                                 0x789ABCDE ^ 0x01234567};
    int out[count], *device;
    CUDA(cudaMalloc(&device, sizeof out));
    integers<<<1, 1>>>(device);
    from_device(out, device, count);
    for (int i = 0; i < count; i++)
        EXPECT(out[i] == expected[i], "%d is %d, expected %d", i, out[i], expected[i]);
}

int main()
{
    check<float>(4e-6);
    check<double>(1e-14);
    check_rounding();
    check_integers();
    return passed();
}
