/* SPDX-License-Identifier: MIT */
/*
 * Included before the kernels of an app, it has their locks in MIMD style, as one writes them for a CPU. A lock is set in a loop of
 * its own and unset behind that, which hangs where lanes wait for each other (docs/simt-deadlock.md).
 */
#ifndef MIMD_STYLE_H
#define MIMD_STYLE_H

#include "atomically.h"
#include "simt_locks.h"

#undef ATOMICALLY_LOCKED
#undef ATOMICALLY_LOCKED_BOTH
#undef ATOMICALLY_LOCKED_EACH

#define ATOMICALLY_LOCKED(lock, section)                                                                               \
    do {                                                                                                               \
        simt_set_lock(lock);                                                                                           \
        section;                                                                                                       \
        simt_unset_lock(lock);                                                                                         \
    } while (0)

#define ATOMICALLY_LOCKED_BOTH(outer, inner, section)                                                                  \
    do {                                                                                                               \
        simt_set_lock(outer);                                                                                          \
        simt_set_lock(inner);                                                                                          \
        section;                                                                                                       \
        simt_unset_lock(inner);                                                                                        \
        simt_unset_lock(outer);                                                                                        \
    } while (0)

#endif
