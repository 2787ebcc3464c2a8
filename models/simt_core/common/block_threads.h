/* SPDX-License-Identifier: MIT */
/* Threads of one resident block: how many it has, how many have not exited, how many stand at each barrier. */
#ifndef SIMT_CORE_BLOCK_THREADS_H
#define SIMT_CORE_BLOCK_THREADS_H

#include <stdint.h>

#include "mistakes.h"

typedef struct block_threads {
    uint32_t launched;
    uint32_t live;              /* have not exited */
    uint32_t arrived[BARRIERS]; /* live ones at each barrier */
} block_threads;

static inline void block_threads_launch(block_threads *threads, uint32_t count)
{
    *threads = (block_threads){.launched = count, .live = count};
}

/* Of live threads that stand at no barrier. The block has ended when none is left. */
static inline void block_threads_exit(block_threads *threads, uint32_t count)
{
    threads->live -= count;
}

/* The block is restored: its live threads come warp by warp, after block_threads_none. */
static inline void block_threads_none(block_threads *threads)
{
    threads->live = 0;
}

static inline void block_threads_return(block_threads *threads, uint32_t count)
{
    threads->live += count;
}

/* `number` is below BARRIERS. */
static inline void block_threads_arrive(block_threads *threads, uint32_t number, uint32_t count)
{
    threads->arrived[number] += count;
}

/* Every live thread is there, and there is one: threads that have exited do not count. */
static inline uint32_t block_threads_all_at(const block_threads *threads, uint32_t number)
{
    return threads->arrived[number] && threads->arrived[number] == threads->live;
}

/* The barrier is free for the next round. */
static inline void block_threads_open(block_threads *threads, uint32_t number)
{
    threads->arrived[number] = 0;
}

static inline uint32_t block_threads_some_exited(const block_threads *threads)
{
    return threads->live != threads->launched;
}

#endif
