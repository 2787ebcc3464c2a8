/* SPDX-License-Identifier: MIT */
/*
 * Shapes in which compilers copy or merge what lanes execute together. convergence.c counts: each use in the source is one number, and
 * copies are such that lanes take turns at them. A line has one use. Nothing here is run.
 */
#include <heddle_opencl.h>

__kernel void vote_between_equal_conditions(__global const uint *in, __global uint *out, uint n)
{
    const uint i = get_global_id(0);
    uint value = in[i];
    if (value & 1)
        value += 3;
    const uint any = heddle_vote_any(value > 7);
    if (value & 1)
        out[i] = any;
    else
        out[i + n] = any + value;
}

__kernel void votes_of_two_arms(__global uint *data)
{
    const uint i = get_global_id(0), value = data[i];
    uint seen;
    if (value & 1)
        seen = heddle_vote_all(value > 4);
    else
        seen = heddle_vote_all(value > 4);
    data[i] = seen;
}

__kernel void barriers_of_two_arms(__global uint *data, __local uint *pad, uint n)
{
    const uint i = get_local_id(0);
    pad[i] = data[i];
    if (n & 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        data[i] = pad[i ^ 1];
    } else {
        barrier(CLK_LOCAL_MEM_FENCE);
        data[i] = pad[i ^ 2];
    }
}

__kernel void vote_used_in_one_arm(__global uint *data)
{
    const uint i = get_global_id(0), value = data[i];
    const uint mask = heddle_ballot_low(value == 3);
    if (value > 20)
        data[i] = mask;
}

__kernel void shuffle_in_short_loop(__global uint *data)
{
    const uint i = get_global_id(0);
    uint value = data[i];
    for (uint distance = 4; distance > 0; distance >>= 1)
        value += heddle_shuffle_xor(value, distance);
    data[i] = value;
}

__kernel void barrier_with_invariant_test(__global uint *data, __local uint *pad, uint n)
{
    const uint i = get_local_id(0);
    for (uint step = 0; step < n; step++) {
        if (n > 64)
            pad[i] += step;
        else
            pad[i] ^= data[step];
        barrier(CLK_LOCAL_MEM_FENCE);
        data[i] = pad[i ^ step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel void sync_at_loop_exit(__global uint *data, uint n)
{
    const uint i = get_global_id(0);
    uint done = 0, value = data[i];
    for (uint k = 0; k < n && !done; k++) {
        if (value == k) {
            done = 1;
            value = data[k + 7];
        }
        heddle_warp_sync();
        if (done)
            data[i] = value;
    }
}

__kernel void while_of_a_vote(__global uint *data)
{
    const uint i = get_global_id(0);
    uint value = data[i];
    while (heddle_vote_any(value > 1))
        value = value > 1 ? value / 2 : value;
    data[i] = value;
}

__kernel void barrier_in_a_first_round_apart(__global uint *data, __local uint *pad, uint carried, uint n)
{
    const uint i = get_local_id(0);
    for (uint step = 0; step < n; step++) {
        data[i + step] += carried;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == 0)
            pad[0] = data[i + step];
        barrier(CLK_LOCAL_MEM_FENCE);
        carried = pad[0];
    }
}

__kernel void commits_of_two_arms(__global uint *data)
{
    const uint i = get_global_id(0);
    if (data[i] & 1) {
        tm_begin();
        data[i + 1]++;
        data[64]++;
        tm_commit();
    } else {
        tm_begin();
        data[i + 2]++;
        data[64]++;
        tm_commit();
    }
}
