/* SPDX-License-Identifier: MIT */
#define TILE 16
#define HALO (TILE + 2)

/* The image of a strip has a border of one pixel. A group has a tile and its border in local memory. */
kernel void blur(global const uint *in, global uint *out, uint width)
{
    local uint tile[HALO * HALO];
    const uint x = get_local_id(0), y = get_local_id(1), pitch = width + 2;
    const uint left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
    for (uint i = y * TILE + x; i < HALO * HALO; i += TILE * TILE)
        tile[i] = in[(top + i / HALO) * pitch + left + i % HALO];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint dy = 0; dy < 3; dy++)
        for (uint dx = 0; dx < 3; dx++)
            sum += tile[(y + dy) * HALO + x + dx] * (dx == 1 ? 2 : 1) * (dy == 1 ? 2 : 1);
    out[(top + y) * width + left + x] = sum / 16;
}
