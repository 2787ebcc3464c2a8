/* SPDX-License-Identifier: MIT */
/*
 * (vec_core, rvv): an out-of-order core with vector registers of `vlen` bits, for one thread at a time (vec_hart.h), with its
 * caches and a window as a scoreboard (vec_window.h). Threads come from an os_model and may leave for cores of another vector
 * length (hd_thread.h).
 *
 * A load waits for all lines that it misses, which are fetched together, and nothing enters the window meanwhile; hits of either
 * cache overlap with what else is there. Stores go through to memory. Threads that run at the same time share no data: a core
 * drops its caches when a thread comes, and has written all when it leaves.
 */
#ifndef VEC_CORE_H
#define VEC_CORE_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const hd_block_class hd_vec_core_rvv;

#ifdef __cplusplus
}
#endif

#endif
