/* SPDX-License-Identifier: MIT */
/*
 * A section of a kernel that takes effect as a whole, by one form of synchronisation: those that app.sync names
 * (transactional.h, for host programs). The section is one statement or
 * several, not left by return, break or goto; what it shares with other threads it reaches by volatile pointers.
 */
#ifndef ATOMICALLY_H
#define ATOMICALLY_H

#include "simt_spin.h"
#include "tm.h"

/* A transaction of its own. */
#define ATOMICALLY_TM(section)                                                                                         \
    do {                                                                                                               \
        tm_begin();                                                                                                    \
        section;                                                                                                       \
        tm_commit();                                                                                                   \
    } while (0)

/* While a lock is held (docs/writing-apps.md, "Rules for kernels"). */
#define ATOMICALLY_LOCKED(lock, section)                                                                               \
    do {                                                                                                               \
        uint32_t atomically_done = 0;                                                                                  \
        while (!simt_opaque_spins(atomically_done)) {                                                                  \
            if (simt_try_lock(lock)) {                                                                                 \
                simt_fence();                                                                                          \
                section;                                                                                               \
                simt_unlock(lock);                                                                                     \
                atomically_done = 1;                                                                                   \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

/* While two locks are held. In one global order: two lanes in lockstep that each hold what the other wants would back
 * out and try again for ever. */
#define ATOMICALLY_LOCKED_BOTH(outer, inner, section) ATOMICALLY_LOCKED_INNER_IF(1, outer, inner, section)

/* The same of two that may be one. */
#define ATOMICALLY_LOCKED_EACH(outer, inner, section)                                                                  \
    ATOMICALLY_LOCKED_INNER_IF((inner) != (outer), outer, inner, section)

#define ATOMICALLY_LOCKED_INNER_IF(are_two, outer, inner, section)                                                     \
    do {                                                                                                               \
        uint32_t atomically_done = 0;                                                                                  \
        while (!simt_opaque_spins(atomically_done)) {                                                                  \
            if (simt_try_lock(outer)) {                                                                                \
                if (!(are_two) || simt_try_lock(inner)) {                                                              \
                    simt_fence();                                                                                      \
                    section;                                                                                           \
                    if (are_two)                                                                                       \
                        simt_unlock(inner);                                                                            \
                    atomically_done = 1;                                                                               \
                }                                                                                                      \
                simt_unlock(outer);                                                                                    \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

/* By the only thread that there is. */
#define ATOMICALLY_ALONE(section)                                                                                      \
    do {                                                                                                               \
        section;                                                                                                       \
    } while (0)

#endif
