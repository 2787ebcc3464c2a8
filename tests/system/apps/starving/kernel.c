/* SPDX-License-Identifier: MIT */
/* Blocks that wait for each other, and have become heavy just before: whoever takes the one that others wait for off its core, and does not
 * bring it back, has stopped them all. */
#include "args.h"
#include "simt.h"
#include "simt_synchronization.h"

static uint32_t become_heavy(const starving_args *args, uint32_t round)
{
    const uint32_t *words = HD_POINTER(const uint32_t, args->words);
    uint32_t sum = 0;
    for (uint32_t load = 0; load < args->loads; load++)
        sum += simt_load_cg(&words[starving_place(simt_global_index(), round, load, args->word_count)]);
    return sum;
}

/* A barrier of the whole grid in software: all of its blocks have to be on cores, or to come there. */
SIMT_KERNEL(grid_barrier, const starving_args *args)
{
    uint32_t *arrived = HD_POINTER(uint32_t, args->shared);
    uint32_t sum = 0;
    for (uint32_t round = 0; round < args->rounds; round++) {
        sum += become_heavy(args, round);
        simt_barrier_number(0);
        if (simt_thread_x() == 0) {
            simt_atomic_add(arrived, 1);
            while (simt_load_cg(arrived) < (round + 1) * simt_grid_size_x())
                ;
        }
        simt_barrier_number(1);
    }
    HD_POINTER(uint32_t, args->results)[simt_global_index()] = sum;
}

/* A block is heavy while it holds the lock. */
SIMT_KERNEL(holders, const starving_args *args)
{
    uint32_t *lock = HD_POINTER(uint32_t, args->shared) + 1;
    volatile uint32_t *taken = HD_POINTER(uint32_t, args->shared) + 2;
    uint32_t sum = 0;
    for (uint32_t round = 0; round < args->rounds; round++) {
        if (simt_thread_x() == 0)
            while (simt_atomic_swap(lock, 1))
                ;
        simt_barrier_number(0);
        sum += become_heavy(args, round);
        simt_barrier_number(1);
        if (simt_thread_x() == 0) {
            simt_atomic_add(taken, 1);
            simt_fence();
            simt_atomic_swap(lock, 0);
        }
    }
    HD_POINTER(uint32_t, args->results)[simt_global_index()] = sum;
}

/* One thread of a block waits for others, and no lane waits for it to do what they wait for. */
SIMT_NO_TRANSFORM(grid_barrier);
SIMT_NO_TRANSFORM(holders);
