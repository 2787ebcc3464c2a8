/* SPDX-License-Identifier: MIT */
#define CLUSTERS 8

int squared_distance(int4 a, int4 b)
{
    const int4 apart = a - b;
    return apart.x * apart.x + apart.y * apart.y + apart.z * apart.z;
}

uint nearest(int4 point, constant int4 *centres)
{
    uint best = 0;
    for (uint c = 1; c < CLUSTERS; c++)
        if (squared_distance(point, centres[c]) < squared_distance(point, centres[best]))
            best = c;
    return best;
}

/* Each point to its nearest centre. The sums of each cluster's points, w being their number, go through local memory. */
kernel void assign(global const int4 *points, constant int4 *centres, global uint *owners, global int *sums,
                   global uint *moved, uint count)
{
    local int own[CLUSTERS * 4];
    const uint i = get_global_id(0), place = get_local_id(0);
    if (place < CLUSTERS * 4)
        own[place] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < count) {
        const uint owner = nearest(points[i], centres);
        if (owner != owners[i])
            atomic_inc(moved);
        owners[i] = owner;
        atomic_add(&own[4 * owner], points[i].x);
        atomic_add(&own[4 * owner + 1], points[i].y);
        atomic_add(&own[4 * owner + 2], points[i].z);
        atomic_inc(&own[4 * owner + 3]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (place < CLUSTERS * 4)
        atomic_add(&sums[place], own[place]);
}
