/* SPDX-License-Identifier: MIT */
/*
 * Two programs of OpenMP, by its locks, which are set in a loop and unset behind it: elements are counted under a lock, and their maximum
 * is found, for which a thread sets the lock only if its element is more than what it sees (TL and AM of ElTantawy 2018, Table 3.1).
 * Each way to wait for a lock is a kernel; the last has its section inside of the loop, where a SIMT stack wants it.
 */
#include "args.h"
#include "common/atomically.h"
#include "simt_locks.h"

SIMT_INLINE volatile guarded *guarded_for(const openmp_locks_args *args, uint32_t element)
{
    return &HD_POINTER(volatile guarded, args->guarded)[element % args->count];
}

SIMT_INLINE void raise_to(volatile uint32_t *maximum, uint32_t element)
{
    if (*maximum < element)
        *maximum = element;
}

#define FOR_EACH_ELEMENT(i) for (uint32_t i = simt_global_index(); i < args->elements; i += simt_global_size())

/* `locked` runs a section under a lock. */
#define KERNELS(form, locked)                                                                                          \
    SIMT_KERNEL(test_lock_##form, const openmp_locks_args *args)                                                       \
    {                                                                                                                  \
        FOR_EACH_ELEMENT(i)                                                                                            \
        {                                                                                                              \
            volatile guarded *its = guarded_for(args, i);                                                              \
            locked(&its->lock, its->value += 1);                                                                       \
        }                                                                                                              \
    }                                                                                                                  \
    SIMT_KERNEL(array_maximum_##form, const openmp_locks_args *args)                                                   \
    {                                                                                                                  \
        FOR_EACH_ELEMENT(i)                                                                                            \
        {                                                                                                              \
            const uint32_t element = HD_POINTER(const uint32_t, args->array)[i];                                       \
            volatile guarded *its = guarded_for(args, i);                                                              \
            if (simt_load_cg(&its->value) < element)                                                                   \
                locked(&its->lock, raise_to(&its->value, element));                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    SIMT_NO_ALIAS(test_lock_##form);                                                                                   \
    SIMT_NO_ALIAS(array_maximum_##form);

#define BETWEEN(set, unset, lock, section)                                                                             \
    do {                                                                                                               \
        set(lock);                                                                                                     \
        section;                                                                                                       \
        unset(lock);                                                                                                   \
    } while (0)

#define TEST(lock)                                                                                                     \
    while (!simt_test_lock(lock))                                                                                      \
    simt_spins()
#define BACK_OFF(lock) simt_set_lock_backing_off(lock, args->delay)
#define SET_NAMED(lock) simt_set_lock_named(lock, "guarded")
#define UNSET_NAMED(lock) simt_unlock_named(lock, "guarded")

#define SPIN(lock, section) BETWEEN(simt_set_lock, simt_unset_lock, lock, section)
#define LOOK(lock, section) BETWEEN(simt_set_lock_looking, simt_unset_lock, lock, section)
#define ASK(lock, section) BETWEEN(TEST, simt_unset_lock, lock, section)
#define WAIT(lock, section) BETWEEN(BACK_OFF, simt_unset_lock, lock, section)
#define NAME(lock, section) BETWEEN(SET_NAMED, UNSET_NAMED, lock, section)

KERNELS(spin, SPIN)
KERNELS(look, LOOK)
KERNELS(test, ASK)
KERNELS(back_off, WAIT)
KERNELS(named, NAME)
KERNELS(inside, ATOMICALLY_LOCKED)
