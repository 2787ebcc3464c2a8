/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_INLINE uint32_t difference_of(const uint8_t *template, const uint8_t *surroundings, uint32_t columns,
                                   uint32_t size)
{
    uint32_t sum = 0;
#pragma GCC unroll 1
    for (uint32_t y = 0; y < size; y++) {
#pragma GCC unroll 1
        for (uint32_t x = 0; x < size; x++) {
            uint32_t a = template[x], b = surroundings[x];
            sum += simt_max(a, b) - simt_min(a, b);
        }
        template += columns;
        surroundings += columns;
    }
    return sum;
}

SIMT_INLINE uint32_t is_better(template_tracking_match a, template_tracking_match b)
{
    return a.difference < b.difference || (a.difference == b.difference && a.place < b.place);
}

/* A point per block; its threads share the places, and a tree finds the best. */
SIMT_KERNEL(template_tracking, const template_tracking_args *args)
{
    volatile template_tracking_match *matches = (volatile template_tracking_match *)simt_scratchpad;
    uint32_t thread = simt_thread_x(), columns = args->columns, across = 2 * args->reach + 1;
    template_tracking_point point = HD_POINTER(const template_tracking_point, args->points)[simt_block_x()];
    const uint8_t *template = HD_POINTER(const uint8_t, args->last) + point.y * columns + point.x;
    const uint8_t *first =
        HD_POINTER(const uint8_t, args->picture) + (point.y - args->reach) * columns + point.x - args->reach;

    template_tracking_match best = {0xFFFFFFFF, 0xFFFFFFFF};
#pragma GCC unroll 1
    for (uint32_t place = thread; place < across * across; place += simt_block_size_x()) {
        const uint8_t *surroundings = first + place / across * columns + place % across;
        template_tracking_match match = {difference_of(template, surroundings, columns, args->size), place};
        if (is_better(match, best))
            best = match;
    }
    matches[thread].difference = best.difference;
    matches[thread].place = best.place;
    simt_barrier();
#pragma GCC unroll 1
    for (uint32_t half = simt_block_size_x() / 2; half > 0; half /= 2) {
        if (thread < half) {
            template_tracking_match other = {matches[thread + half].difference, matches[thread + half].place};
            if (is_better(other, best)) {
                best = other;
                matches[thread].difference = best.difference;
                matches[thread].place = best.place;
            }
        }
        simt_barrier();
    }
    if (thread == 0)
        HD_POINTER(template_tracking_match, args->matches)[simt_block_x()] = best;
}
