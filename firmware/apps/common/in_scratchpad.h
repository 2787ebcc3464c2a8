/* SPDX-License-Identifier: MIT */
/*
 * A section that takes effect on the block's scratchpad as a whole, by one form of synchronisation, as atomically.h has them for global
 * memory. Locks are words of the scratchpad, where atomics order by themselves: no fences.
 */
#ifndef IN_SCRATCHPAD_H
#define IN_SCRATCHPAD_H

#include "simt_spin.h"
#include "tm.h"

/* A transaction of its own. */
#define IN_SCRATCHPAD_TM(section)                                                                                      \
    do {                                                                                                               \
        tm_begin_scratchpad();                                                                                         \
        section;                                                                                                       \
        tm_commit();                                                                                                   \
    } while (0)

SIMT_INLINE void in_scratchpad_unlock(volatile uint32_t *lock)
{
    simt_lock_swap(lock, 0);
}

/* While a lock is held. */
#define IN_SCRATCHPAD_LOCKED(lock, section)                                                                            \
    do {                                                                                                               \
        uint32_t is_done = 0;                                                                                          \
        while (!simt_opaque_spins(is_done)) {                                                                          \
            if (simt_try_lock(lock)) {                                                                                 \
                section;                                                                                               \
                in_scratchpad_unlock(lock);                                                                            \
                is_done = 1;                                                                                           \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

/*
 * While `count` locks are held, where `lock` is number `index` of them: all different, and in an order in which all threads take them, so
 * that somebody gets all of his. Who does not gives back what he has. Loops stay loops, whose registers suffice.
 */
#define IN_SCRATCHPAD_LOCKED_ALL(index, count, lock, section)                                                          \
    do {                                                                                                               \
        uint32_t is_done = 0, wanted = (count);                                                                        \
        while (!simt_opaque_spins(is_done)) {                                                                          \
            uint32_t held = 0, is_free = 1;                                                                            \
            for (uint32_t index = 0; is_free && index < simt_opaque(wanted); index++) {                                \
                is_free = simt_try_lock(lock);                                                                         \
                held += is_free;                                                                                       \
            }                                                                                                          \
            if (is_free) {                                                                                             \
                section;                                                                                               \
                is_done = 1;                                                                                           \
            }                                                                                                          \
            for (uint32_t index = 0; index < simt_opaque(held); index++)                                               \
                in_scratchpad_unlock(lock);                                                                            \
        }                                                                                                              \
    } while (0)

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

/* Of an array [word][block][item]: lanes find what they need side by side. Places are worked out anew each time, and take no registers. */
SIMT_INLINE uint32_t in_scratchpad_item_word(hd_device_ptr array, uint32_t word, uint32_t items, uint32_t item)
{
    return HD_POINTER(const uint32_t, array)[(simt_opaque(word) * simt_grid_size_x() + simt_block_x()) * items + item];
}

/* A global array to the start of each block's words, before anybody needs them. */
SIMT_INLINE void in_scratchpad_copy_in(hd_device_ptr array, uint32_t words)
{
    for (uint32_t i = simt_thread_x(); i < words; i += simt_block_size_x())
        simt_scratchpad[i] = HD_POINTER(const uint32_t, array)[i];
    simt_barrier();
}

/* The block's words to its part of a global array; behind a barrier. */
SIMT_INLINE void in_scratchpad_copy_out(hd_device_ptr array, uint32_t words)
{
    for (uint32_t i = simt_thread_x(); i < words; i += simt_block_size_x())
        HD_POINTER(uint32_t, array)[simt_block_x() * words + i] = simt_scratchpad[i];
}

#endif
