/* SPDX-License-Identifier: MIT */
/* For kernels of apps that are to go wrong: locks that lock nothing, transactions that isolate nothing. */
#ifndef SYSTEM_UNSAFE_H
#define SYSTEM_UNSAFE_H

#include "simt.h"
#include "tm.h"

#undef tm_begin
#undef tm_commit
#define tm_begin() ((void)0)
#define tm_commit() ((void)0)
#define simt_try_lock(lock) ((void)(lock), 1u)
#define simt_atomic_cas(word, expected, desired) ((void)(word), (void)(desired), (expected))

#define simt_lock_cas simt_atomic_cas

#endif
