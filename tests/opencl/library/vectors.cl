/* SPDX-License-Identifier: MIT */

kernel void axpy(global float *y, global const float *x, float factor, uint count)
{
    const uint i = get_global_id(0);
    if (i < count)
        y[i] += factor * x[i];
}

kernel void scale_add(global float *y, global const float *x, float factor, uint count)
{
    const uint i = get_global_id(0);
    if (i < count)
        y[i] = x[i] + factor * y[i];
}

/* The sum of a group's scratch values is in the first of them. */
void sum_scratch(local float *scratch)
{
    const uint place = get_local_id(0);
    for (uint rest = get_local_size(0) / 2; rest > 0; rest /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (place < rest)
            scratch[place] += scratch[place + rest];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void dot_parts(global const float *x, global const float *y, global float *parts, uint count, local float *scratch)
{
    float own = 0;
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        own += x[i] * y[i];
    scratch[get_local_id(0)] = own;
    sum_scratch(scratch);
    if (get_local_id(0) == 0)
        parts[get_group_id(0)] = scratch[0];
}

kernel void sum_parts(global float *parts, uint count, local float *scratch)
{
    float own = 0;
    for (uint i = get_local_id(0); i < count; i += get_local_size(0))
        own += parts[i];
    scratch[get_local_id(0)] = own;
    sum_scratch(scratch);
    if (get_local_id(0) == 0)
        parts[0] = scratch[0];
}
