/* SPDX-License-Identifier: MIT */
/*
 * (os_model, threads): what an operating system does with threads on cores of different vector length (hd_thread.h): it loads a
 * program, starts a thread of it for each that is asked for, moves threads among cores, and switches cores off. Each thread has a
 * memory of its own, with a copy of the program.
 *
 * A thread that is pinned stays where its vector length is to be had (Beaumont 2019 §5.4): its core answers that it refuses, and it
 * goes on there. So a core is not switched off while a thread is on it that no other core that is on can take.
 */
#ifndef OS_MODEL_H
#define OS_MODEL_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const hd_block_class hd_os_model_threads;

#ifdef __cplusplus
}
#endif

#endif
