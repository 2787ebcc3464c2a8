/* SPDX-License-Identifier: MIT */
/* heddle_opencl.h, call by call, printf, and fma. */
#include <heddle_opencl.h>

/* 12 words for each thread. */
__kernel void lanes(__global uint *out)
{
    const uint i = get_global_id(0), value = 3 * i;
    __global uint *own = out + 12 * i;
    own[0] = heddle_lane();
    own[1] = heddle_warp();
    own[2] = heddle_vote_any(heddle_lane() == 2);
    own[3] = heddle_vote_all(heddle_lane() == 2);
    own[4] = heddle_ballot_low(heddle_lane() & 1);
    own[5] = heddle_ballot_high(heddle_lane() == 40);
    own[6] = heddle_shuffle(value, 1);
    own[7] = heddle_shuffle_up(value, 1);
    own[8] = heddle_shuffle_down(value, 1);
    own[9] = heddle_shuffle_xor(value, 1);
    heddle_warp_sync();
    own[10] = as_uint(as_float(heddle_shuffle_xor(as_uint(0.5f * i), 2)) + 1.0f);
    own[11] = heddle_vote_any(0);
}

/* Transfers among accounts, from a list of two for each thread: the sum stays. */
__kernel void transfers(__global int *accounts, __global const uint2 *pairs)
{
    const uint2 pair = pairs[get_global_id(0)];
    tm_begin();
    accounts[pair.x] -= 1;
    accounts[pair.y] += 1;
    tm_commit();
}

/* A line for each of these threads. */
__kernel void prints(__global const float *values)
{
    const uint i = get_global_id(0);
    if (i < 2)
        printf("%u: %g %s\n", i, values[i], "here");
}

/* What needs a product that is not rounded: an fma's rest, and remainders and angles of large numbers. */
__kernel void rounded_once(__global const double *values, __global double *out)
{
    const double x = values[0], y = values[1];
    out[0] = fma(x, y, -(x * y));
    out[1] = fmod(values[2], 3.0);
    out[2] = remainder(values[2], 7.0);
    out[3] = sin(values[3]);
    out[4] = cos(values[3]);
    out[5] = tan(values[3]);
}
