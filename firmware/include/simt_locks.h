/* SPDX-License-Identifier: MIT */
/*
 * Locks as OpenMP has them (omp_set_lock, omp_unset_lock, omp_test_lock), each a word of global memory: 0 free, 1 taken. Who sets one
 * waits in a loop of its own, and gives it back behind that loop. So lanes of a warp wait for each other for ever on a reconvergence
 * stack (docs/simt-deadlock.md); these are for machines and transformations on which lanes get on by themselves. What the
 * lock protects is reached by volatile pointers.
 */
#ifndef SIMT_LOCKS_H
#define SIMT_LOCKS_H

#include "simt_spin.h"
#include "simt_synchronization.h"

/* Without waiting: 1 if it has been free, and is now taken. What its last holder has written is seen from here on. */
SIMT_INLINE uint32_t simt_test_lock(volatile uint32_t *lock)
{
    const uint32_t is_taken = simt_try_lock(lock);
    if (is_taken)
        simt_fence();
    return is_taken;
}

/* Tries until it is free. */
SIMT_INLINE void simt_set_lock(volatile uint32_t *lock)
{
    while (!simt_try_lock(lock))
        simt_spins();
    simt_fence();
}

/* Test and test-and-set: looks, past the L1, until it seems to be free, and tries only then. */
SIMT_INLINE void simt_set_lock_looking(volatile uint32_t *lock)
{
    do {
        while (simt_load_cg(lock))
            simt_spins();
    } while (!simt_try_lock(lock));
    simt_fence();
}

/* With so many cycles between two tries, as runtimes of OpenMP have it (ElTantawy 2018, Fig. 3.10). */
SIMT_INLINE void simt_set_lock_backing_off(volatile uint32_t *lock, uint32_t cycles)
{
    while (!simt_try_lock(lock)) {
        const uint32_t since = simt_cycle();
        while (simt_cycle() - since < cycles)
            simt_spins();
    }
    simt_fence();
}

SIMT_INLINE void simt_unset_lock(volatile uint32_t *lock)
{
    simt_unlock(lock);
}

/* Of a lock that has a name (simt_synchronization.h); simt_unlock_named gives it back. */
#define simt_set_lock_named(lock, name)                                                                                \
    do {                                                                                                               \
        while (!simt_try_lock_named(lock, name))                                                                       \
            simt_spins();                                                                                              \
        simt_fence();                                                                                                  \
    } while (0)

#endif
