/* SPDX-License-Identifier: MIT */

kernel void add(global const int *a, global const int *b, global int *sum, int n)
{
    const size_t i = get_global_id(0);
    if (i < n)
        sum[i] = a[i] + b[i];
}

/* A sum per group; the scratch memory is the caller's. */
kernel void reduce(global const int *values, global int *sums, local int *scratch)
{
    const size_t i = get_local_id(0);
    scratch[i] = values[get_global_id(0)];
    for (size_t rest = get_local_size(0) / 2; rest > 0; rest /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < rest)
            scratch[i] += scratch[i + rest];
    }
    if (i == 0)
        sums[get_group_id(0)] = scratch[0];
}

/* Counts of the low four bits, first of each group in memory of its own. */
kernel void histogram(global const int *values, global int *counts)
{
    local int own[16];
    const size_t i = get_local_id(0);
    if (i < 16)
        own[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&own[values[get_global_id(0)] & 15]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 16)
        atomic_add(&counts[i], own[i]);
}

/* A group goes over all values in rounds, and adds to those of a round the last sum of the round before. What the group carries from
 * round to round is one variable of all its work-items: LLVM is tempted to keep it in a register of each, since all of them clear it, and
 * to peel off the first round, in which the sum comes from elsewhere. */
kernel void carry(global const int *values, global int *sums, int count, global const int *start)
{
    local int last;
    last = 0;
    int carried = *start;
    for (int first = 0; first < count; first += get_local_size(0)) {
        const int i = first + get_local_id(0), sum = carried + (i < count ? values[i] : 0);
        if (i < count)
            sums[i] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == get_local_size(0) - 1)
            last = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        carried = last;
    }
}

kernel void multiply(global int *data, int factor)
{
    data[get_global_id(0)] *= factor;
}

/* What every work-item is told of its place. */
kernel void places(global int *out)
{
    const size_t width = get_global_size(0), height = get_global_size(1);
    const size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1),
                 z = get_global_id(2) - get_global_offset(2);
    global int *at = out + 4 * ((z * height + y) * width + x);
    at[0] = (int)(get_global_id(0) + 1000 * get_global_id(1) + 1000000 * get_global_id(2));
    at[1] = (int)(get_local_id(0) + get_local_size(0) * get_group_id(0));
    at[2] = (int)(get_local_id(1) + get_local_size(1) * get_group_id(1));
    at[3] = (int)(get_work_dim() + 10 * get_num_groups(0) * get_local_size(0));
}

typedef struct record {
    int number;
    short small;
    char letter;
} record;

/* Arguments of many kinds. */
kernel void kinds(global int *out, constant int *table, char c, short s, long l, int4 v, record r, uchar3 t)
{
    out[0] = table[1] + c + s + (int)(l >> 32) + (int)l;
    out[1] = v.x + 10 * v.y + 100 * v.z + 1000 * v.w;
    out[2] = r.number + r.small + r.letter;
    out[3] = t.x + t.y + t.z;
}

/* Writes where nobody has memory. */
kernel void stray(global int *out, int distance)
{
    out[distance] = 1;
}

/* Waits for what nobody does. */
kernel void endless(global int *out)
{
    while (atomic_add(out, 0) == 0)
        ;
}

/* ---- More than there is ---- */

kernel void local_own(global int *out, int last)
{
    local int many[20000];
    for (int i = 0; i <= last; i++)
        many[i * 7 % 20000] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[0] = many[last];
}

kernel void local_argument(global int *out, local int *many)
{
    many[0] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[0] = many[0];
}

/* ---- printf ---- */

kernel void print_values(global const long *wide, float quarter)
{
    const float4 numbers = (float4)(1.5f, -2, quarter, 3);
    const char4 small = (char4)(-1, 2, 3, 4);
    printf("%ld %lu %lx\n", wide[0], wide[1], wide[1]);
    printf("%5ld|value\n", 7L);
    printf("%v4hlf %d\n", numbers, 5);
    printf("%6.2v3hlf\n", numbers.xyz);
    printf("%v4hhd %%\n", small);
    printf("%#v4hhx\n", as_uchar4(small));
    printf("%v2ld\n", (long2)(wide[0], 9));
    printf("%v2lf\n", (double2)(3, -4.25));
}
