/* SPDX-License-Identifier: MIT */
/*
 * A section that takes effect on the block's scratchpad as a whole, by one form of synchronisation, as atomically.h has them for global
 * memory. Locks are words of the scratchpad, where atomics order by themselves: no fences.
 */
#ifndef IN_SCRATCHPAD_H
#define IN_SCRATCHPAD_H

#include "simt.h"
#include "tm.h"

/* A transaction of its own. */
#define IN_SCRATCHPAD_TM(section)                                                                                      \
    do {                                                                                                               \
        tm_begin_scratchpad();                                                                                         \
        section;                                                                                                       \
        tm_commit();                                                                                                   \
    } while (0)

/* While `take` holds what it takes: it is 1 if it does, and else has let go of all of it. */
#define IN_SCRATCHPAD_HELD(take, section, give)                                                                        \
    do {                                                                                                               \
        uint32_t is_done = 0;                                                                                          \
        while (!simt_opaque(is_done)) {                                                                                \
            if (take) {                                                                                                \
                section;                                                                                               \
                give;                                                                                                  \
                is_done = 1;                                                                                           \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

SIMT_INLINE void in_scratchpad_unlock(volatile uint32_t *lock)
{
    simt_atomic_swap(lock, 0);
}

/* While a lock is held. */
#define IN_SCRATCHPAD_LOCKED(lock, section) IN_SCRATCHPAD_HELD(simt_try_lock(lock), section, in_scratchpad_unlock(lock))

/* Locks numbered by ascending, different words of an array, so that no two lanes hold what the other wants. */
SIMT_INLINE void in_scratchpad_unlock_all(volatile uint32_t *locks, const uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        in_scratchpad_unlock(&locks[numbers[i]]);
}

SIMT_INLINE uint32_t in_scratchpad_try_lock_all(volatile uint32_t *locks, const uint32_t *numbers, uint32_t count)
{
    uint32_t held = 0, is_free = 1;
    while (is_free && held < count) {
        is_free = simt_try_lock(&locks[numbers[held]]);
        held += is_free;
    }
    if (!is_free)
        in_scratchpad_unlock_all(locks, numbers, held);
    return is_free;
}

/* One after the other, by one thread of the block; the others wait. */
#define IN_SCRATCHPAD_SERIAL(index, count, section)                                                                    \
    do {                                                                                                               \
        if (simt_thread_x() == 0)                                                                                      \
            for (uint32_t index = 0; index < (count); index++) {                                                       \
                section;                                                                                               \
            }                                                                                                          \
        simt_barrier();                                                                                                \
    } while (0)

/* All of them, dealt to the threads of the block. */
#define IN_SCRATCHPAD_PARALLEL(index, count, section)                                                                  \
    do {                                                                                                               \
        for (uint32_t index = simt_thread_x(); index < (count); index += simt_block_size_x()) {                        \
            section;                                                                                                   \
        }                                                                                                              \
        simt_barrier();                                                                                                \
    } while (0)

/* The block's words to its part of a global array; behind a barrier. */
SIMT_INLINE void in_scratchpad_copy_out(hd_device_ptr array, uint32_t words)
{
    for (uint32_t i = simt_thread_x(); i < words; i += simt_block_size_x())
        HD_POINTER(uint32_t, array)[simt_block_x() * words + i] = simt_scratchpad[i];
}

#endif
