/* SPDX-License-Identifier: MIT */
/* What OpenCL C has, kernel by kernel; kernels.c has what each of them is to compute. */

__kernel void vecadd(__global const float *a, __global const float *b, __global float *c, uint n)
{
    const uint i = get_global_id(0);
    if (i < n)
        c[i] = a[i] + b[i];
}

/* A sum of all values; pad has a word for each thread of the group. */
__kernel void reduce(__global const uint *values, uint n, __global uint *sum, __local uint *pad)
{
    const uint thread = get_local_id(0);
    uint own = 0;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        own += values[i];
    pad[thread] = own;
    for (uint width = get_local_size(0) / 2; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (thread < width)
            pad[thread] += pad[thread + width];
    }
    if (thread == 0)
        atomic_add(sum, pad[0]);
}

#define TILE 16

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void matmul(__global const float *a,
                                                                         __global const float *b, __global float *c,
                                                                         uint n)
{
    __local float tile_a[TILE][TILE], tile_b[TILE][TILE];
    const uint x = get_local_id(0), y = get_local_id(1);
    const uint row = get_global_id(1), column = get_global_id(0);
    float sum = 0;
    for (uint first = 0; first < n; first += TILE) {
        tile_a[y][x] = a[row * n + first + x];
        tile_b[y][x] = b[(first + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++)
            sum = fma(tile_a[y][k], tile_b[k][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}

__kernel void histogram(__global const uchar *values, uint n, __global uint *counts, uint bins, __local uint *pad)
{
    const uint thread = get_local_id(0), size = get_local_size(0);
    for (uint bin = thread; bin < bins; bin += size)
        pad[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&pad[values[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = thread; bin < bins; bin += size)
        atomic_add(&counts[bin], pad[bin]);
}

typedef struct scaling {
    float4 scale;
    int first;
    char tag;
    short pad[3];
} scaling;

__constant float weights[4] = {0.5f, 0.25f, 2.0f, -1.0f};

__kernel void vectors(__global const float4 *in, __global float4 *out, scaling s, __constant float *offsets, float3 q,
                      __global int4 *integers, char step)
{
    const size_t i = get_global_id(0);
    const float4 v = in[i] * s.scale + (float4)(offsets[i & 3], q.x, q.y, q.z);
    out[i + s.first] = v.wzyx + (float4)(dot(v, v), convert_float(s.tag), (float)s.pad[2], weights[i & 3]);
    int4 k = integers[i];
    k = (k.yxwz << 1) + (int4)(i, step, -step, 1);
    integers[i] = select(k, -k, k > (int4)(100));
}

__kernel void functions(__global const float *in, __global float *out, uint n)
{
    const uint i = get_global_id(0);
    const float x = in[i];
    if (i >= n)
        return;
    out[i] = sqrt(x);
    out[n + i] = exp(-x);
    out[2 * n + i] = log(x);
    out[3 * n + i] = sin(x);
    out[4 * n + i] = pow(x, 1.5f);
    out[5 * n + i] = atan2(x, 2.0f);
    out[6 * n + i] = fmod(x, 0.7f);
    out[7 * n + i] = tanh(x);
    out[8 * n + i] = native_cos(x);
    out[9 * n + i] = native_rsqrt(x);
}

__kernel void wide(__global long *integers, __global double *reals, long factor, double scale)
{
    const size_t i = get_global_id(0);
    integers[i] = integers[i] * factor / 7 + (integers[i] >> 3) + (long)reals[i];
    reals[i] = sqrt(reals[i]) * scale + (double)integers[i];
}

/* Where each thread is, with offsets. */
__kernel void places(__global uint *out)
{
    const uint x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
    const uint i = y * get_global_size(0) + x;
    out[4 * i] = get_global_id(0) + 1000 * get_global_id(1);
    out[4 * i + 1] = get_local_id(0) + 1000 * get_local_id(1);
    out[4 * i + 2] = get_group_id(0) + 1000 * get_group_id(1);
    out[4 * i + 3] = get_work_dim() + 10 * get_num_groups(0) + 1000 * get_num_groups(1);
}

/* The atomics, all by all threads: of integers the result does not depend on the order. */
__kernel void atomics(volatile __global int *words, volatile __global uint *more)
{
    const int i = (int)get_global_id(0);
    atomic_add(&words[0], i);
    atomic_sub(&words[1], i);
    atomic_inc(&words[2]);
    atomic_dec(&words[3]);
    atomic_min(&words[4], -i);
    atomic_max(&words[5], i);
    atomic_and(&words[6], ~(1 << (i & 7)));
    atomic_or(&words[7], 1 << (i & 31));
    atomic_xor(&words[8], i);
    atomic_max(&more[0], (uint)-i - 1);
    int old = more[1];
    for (int seen = old - 1; seen != old;) {
        seen = old;
        old = (int)atomic_cmpxchg(&more[1], (uint)seen, (uint)(seen + 3));
    }
    atomic_xchg(&words[9], 7);
}

/* Barriers in a helper that is called from several places: they must not become copies. */
__attribute__((always_inline)) uint rotated(__local uint *pad, uint thread, uint distance)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint value = pad[(thread + distance) % get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    return value;
}

__kernel void helpers(__global uint *out, uint turns, __local uint *pad)
{
    const uint thread = get_local_id(0);
    uint value = thread;
    pad[thread] = value;
    if (turns > 2)
        value = rotated(pad, thread, 1);
    else
        value = rotated(pad, thread, 2);
    for (int i = 0; i < 3; i++) { /* is unrolled */
        pad[thread] = value;
        value = rotated(pad, thread, i);
    }
    out[get_global_id(0)] = value;
}

/* Numbers of 16 bits, in memory alone. */
__kernel void halves(__global const half *in, __global float *out, __global half *back)
{
    const uint i = get_global_id(0);
    const float value = vload_half(i, in);
    out[i] = value;
    vstore_half(value * 1.0009765f, i, back);
}

/* Built-in functions that no other kernel here calls; what they need is there. */
__kernel void library(__global float *a, __global double *d, __local float *pad)
{
    event_t copied = async_work_group_copy(pad, a, 64, 0);
    wait_group_events(1, &copied);
    a[0] = lgamma(a[3]) + erf(a[2]) + cbrt(a[1]) + hypot(a[3], a[4]) + ldexp(a[1], 3) + sincos(a[2], &a[5]) + pad[3];
    a[1] = nextafter(a[1], 2.0f) + remainder(a[3], a[4]) + half_exp(a[1]) + native_powr(a[3], 2.0f) + native_tan(a[7]);
    a[2] = mad_hi(3, 4, (int)a[3]) + mul24(3, (int)a[2]) + upsample((ushort)3, (ushort)get_work_dim()) + clz((int)a[1]);
    a[3] = mix(a[1], a[2], 0.5f) + smoothstep(0.0f, 1.0f, a[3]) + fast_length((float4)(a[0])) + sign(a[3]) + ceil(a[4]);
    const uchar4 bytes = convert_uchar4_sat_rte(vload4(1, a));
    a[4] = shuffle(bytes, (uchar4)(1, 2, 3, 0)).x + any((int4)(bytes.x)) + isnan(a[3]);
    d[0] = pow(d[1], 2.5) + sin(d[2]) + exp(d[3]) + log(d[4]) + fma(d[1], d[2], d[3]) + floor(d[5]);
    prefetch(a, 3);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atom_add((volatile __global int *)a, 3);
}

/* Arms, then a loop with barriers whose first test is the same for all: lanes have to meet in front of it. */
__kernel void arms_before_a_loop(__global const uint *in, __global uint *out, uint columns, uint steps, __local uint *pad)
{
    const uint thread = get_local_id(0), threads = get_local_size(0), column = get_global_id(0) - steps;
    const uint is_in = column < columns;
    uint way = is_in ? in[column] : 0x7FFFFFFF;
    for (uint step = 0; step < steps; step++) {
        pad[thread] = way;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (is_in) {
            const uint left = thread > 0 ? pad[thread - 1] : 0x7FFFFFFF;
            const uint right = thread + 1 < threads ? pad[thread + 1] : 0x7FFFFFFF;
            way = min(min(left, right), way) + in[(step + 1) * columns + column];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (is_in)
        out[column] = way;
}
