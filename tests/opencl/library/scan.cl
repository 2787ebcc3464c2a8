/* SPDX-License-Identifier: MIT */

/* Each value becomes the sum of those before it in its group; the sum of all of the group goes to `sums`. */
kernel void scan_groups(global uint *data, global uint *sums, uint count, local uint *scratch)
{
    const uint i = get_global_id(0), place = get_local_id(0);
    const uint own = i < count ? data[i] : 0;
    scratch[place] = own;
    for (uint distance = 1; distance < get_local_size(0); distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint before = place >= distance ? scratch[place - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        scratch[place] += before;
    }
    if (i < count)
        data[i] = scratch[place] - own;
    if (place == get_local_size(0) - 1)
        sums[get_group_id(0)] = scratch[place];
}

kernel void add_sums(global uint *data, global const uint *sums, uint count)
{
    const uint i = get_global_id(0);
    if (i < count)
        data[i] += sums[get_group_id(0)];
}
