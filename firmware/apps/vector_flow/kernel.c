/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* How much a neighbour pulls: fully if the motion, down and to the right, leads to it uphill, half if it is level. */
SIMT_INLINE int32_t pull(int32_t difference, int32_t direction)
{
    int32_t uphill = difference * direction;
    if (uphill > VECTOR_FLOW_ONE / 64)
        return difference;
    if (uphill < -VECTOR_FLOW_ONE / 64)
        return 0;
    return difference / 2;
}

/* A pixel after a turn. Beyond the border it is as at the border. */
SIMT_INLINE int32_t turned(const int32_t *field, int32_t edge, uint32_t size, uint32_t x, uint32_t y)
{
    const int32_t *pixel = field + y * size + x;
    uint32_t left = x > 0, right = x + 1 < size, up = y > 0 ? size : 0, down = y + 1 < size ? size : 0;
    int32_t own = *pixel, sum = 0;
    sum += pull(*(pixel - left) - own, -1);
    sum += pull(pixel[right] - own, 1);
    sum += pull(*(pixel - up) - own, -1);
    sum += pull(pixel[down] - own, 1);
    int32_t flown = own + sum / 8;
    return flown - (flown - edge) * edge / (4 * VECTOR_FLOW_ONE);
}

SIMT_INLINE uint32_t magnitude(int32_t value)
{
    return (uint32_t)(value < 0 ? -value : value);
}

/* Of the picture, which is a texture. */
SIMT_INLINE int32_t edge_at(const vector_flow_args *args, uint32_t i)
{
    return (int32_t)simt_load_texture(HD_POINTER(const uint32_t, args->edges) + i);
}

/* A thread has every so manieth pixel of its cell. The scratchpad has two fields, and the change of each turn. */
SIMT_KERNEL(vector_flow, const vector_flow_args *args)
{
    uint32_t size = args->size, pixels = size * size, first = simt_block_x() * pixels, block = simt_block_size_x();
    int32_t *from = (int32_t *)simt_scratchpad, *to = from + pixels;
    uint32_t *changes = simt_scratchpad + 2 * pixels;
    for (uint32_t i = simt_thread_x(); i < pixels; i += block)
        from[i] = edge_at(args, first + i);
    simt_barrier();

    uint32_t change, turns;
    do {
        uint32_t own_change = 0;
#pragma GCC unroll 1
        for (uint32_t i = simt_thread_x(); i < pixels; i += block) {
            to[i] = turned(from, edge_at(args, first + i), size, i % size, i / size);
            own_change += magnitude(to[i] - from[i]);
        }
        simt_atomic_add(changes, own_change);
        simt_barrier();
        change = *changes++;
        int32_t *last = from;
        from = to;
        to = last;
        turns = (uint32_t)(changes - (simt_scratchpad + 2 * pixels));
    } while (turns < args->most_turns && change >= args->still);

    for (uint32_t i = simt_thread_x(); i < pixels; i += block)
        HD_POINTER(int32_t, args->fields)[first + i] = from[i];
    if (simt_thread_x() == 0)
        HD_POINTER(uint32_t, args->turns)[first / pixels] = turns;
}
