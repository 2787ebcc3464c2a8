/* SPDX-License-Identifier: MIT */
/*
 * Climbers that look for a short tour: a long search in which nobody meets, then one lock for all (ElTantawy 2018, Fig. 6.5b; O'Neil and
 * Burtscher 2015).
 */
#include "args.h"
#include "common/atomically.h"
#include "search.h"

#define LANES_MAX 64u

SIMT_INLINE uint32_t length_of(const tsp_args *args, uint32_t number)
{
    const climber c = {.distance = HD_POINTER(const uint32_t, args->distance),
                       .tour = HD_POINTER(uint32_t, args->tours) + number,
                       .cities = args->cities,
                       .climbers = args->climbers};
    return climb(&c, number);
}

SIMT_INLINE void keep_shorter(volatile uint32_t *best, uint32_t length)
{
    if (length < *best)
        *best = length;
}

SIMT_KERNEL(tsp_lanes, const tsp_args *args)
{
    volatile uint32_t *lock = HD_POINTER(volatile uint32_t, args->lock),
                      *best = HD_POINTER(volatile uint32_t, args->best);
    const uint32_t number = simt_global_index();
    if (number < args->climbers) {
        const uint32_t length = length_of(args, number);
        for (uint32_t turn = 0; turn < LANES_MAX; turn++) {
            if (simt_opaque(turn) == simt_lane())
                ATOMICALLY_LOCKED(lock, keep_shorter(best, length));
        }
    }
}

SIMT_KERNEL(tsp_locks, const tsp_args *args)
{
    volatile uint32_t *lock = HD_POINTER(volatile uint32_t, args->lock),
                      *best = HD_POINTER(volatile uint32_t, args->best);
    const uint32_t number = simt_global_index();
    if (number < args->climbers) {
        const uint32_t length = length_of(args, number);
        ATOMICALLY_LOCKED(lock, keep_shorter(best, length));
    }
}
