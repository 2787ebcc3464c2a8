/* SPDX-License-Identifier: MIT */
/* A pass of a radix sort: keys by four of their bits. */
#define DIGITS 16
#define LARGEST_GROUP 64

uint digit_of(uint key, uint shift)
{
    return key >> shift & (DIGITS - 1);
}

/* How often each digit comes in each group: counts of a digit lie together, for a scan over all. */
kernel void count_digits(global const uint *keys, global uint *counts, uint count, uint shift)
{
    local uint own[DIGITS];
    const uint i = get_global_id(0), place = get_local_id(0);
    if (place < DIGITS)
        own[place] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < count)
        atomic_inc(&own[digit_of(keys[i], shift)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (place < DIGITS)
        counts[place * get_num_groups(0) + get_group_id(0)] = own[place];
}

/* To where the digit's place begins, behind equal digits of the group that came before: their order stays. */
kernel void move_by_digit(global const uint *keys, global const uint *values, global const uint *begins,
                          global uint *keys_out, global uint *values_out, uint count, uint shift)
{
    local uchar digits[LARGEST_GROUP];
    const uint i = get_global_id(0), place = get_local_id(0);
    const uint digit = i < count ? digit_of(keys[i], shift) : DIGITS;
    digits[place] = (uchar)digit;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint before = 0;
    for (uint k = 0; k < place; k++)
        before += digits[k] == digit;
    if (i < count) {
        const uint to = begins[digit * get_num_groups(0) + get_group_id(0)] + before;
        keys_out[to] = keys[i];
        values_out[to] = values[i];
    }
}
