/* SPDX-License-Identifier: MIT */
/*
 * The thread blocks that checks have to do with: those of an interval, which begins when a block starts while no kernel runs.
 */
#ifndef HD_ACCESS_BLOCKS_H
#define HD_ACCESS_BLOCKS_H

#include "access_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_access_block {
    uint64_t key;
    hd_block_launch launch;
    uint32_t endpoint;
    uint32_t warp_lanes;
    uint32_t threads;
    uint32_t kernel;       /* index into kernels */
    uint64_t first_thread; /* number of its thread 0 in the interval */
    uint32_t is_over;
    uint32_t reserved;
} hd_access_block;

typedef struct hd_access_kernel {
    uint32_t launch;
    uint32_t reserved;
    uint64_t began;  /* number of the report */
    uint64_t ended;  /* likewise; UINT64_MAX: it runs */
    uint64_t blocks; /* that are not over, of the grid */
} hd_access_kernel;

struct hd_access_block_place;
typedef struct hd_access_blocks {
    hd_access_block *items;
    uint32_t count, capacity;
    hd_access_kernel *kernels;
    uint32_t kernel_count, kernel_capacity;
    uint32_t running;                     /* kernels */
    uint32_t latest;                      /* index of the block looked for last */
    uint64_t threads;                     /* numbered so far */
    struct hd_access_block_place *places; /* by key */
} hd_access_blocks;

#define HD_NO_ACCESS_BLOCK UINT32_MAX

/* Does this report begin an interval? Then all that is known of the last one is to be forgotten. */
uint32_t hd_access_blocks_begins(const hd_access_blocks *blocks, const hd_access_record *record);
void hd_access_blocks_forget(hd_access_blocks *blocks);
/* BEGIN and END. number: of the report. */
void hd_access_blocks_take(hd_access_blocks *blocks, const hd_access_record *record, uint64_t number);
/* Index of the block in which the report was made; HD_NO_ACCESS_BLOCK: its begin was not reported. */
uint32_t hd_access_blocks_find(hd_access_blocks *blocks, uint64_t key);
/* The block that this thread of the interval is in. */
const hd_access_block *hd_access_blocks_of(const hd_access_blocks *blocks, uint64_t thread);

/* Who knows names. */
typedef struct hd_access_places {
    void *context;
    /* "0x1000004c (bfs+0x4c, kernel.c:12)" */
    void (*place)(void *context, uint32_t module, uint32_t pc, char *text, size_t bytes);
    /* "core[0]" */
    const char *(*block)(void *context, uint32_t endpoint);
    /* 1: an access of this block to the address does not go to memory, but is an hd_access_word. NULL: all go there. */
    uint32_t (*word)(void *context, uint32_t endpoint, uint32_t address, uint32_t is_store, hd_access_word *word);
} hd_access_places;

static inline uint32_t hd_access_finds_word(const hd_access_places *places, uint32_t endpoint, uint32_t address,
                                            uint32_t is_store, hd_access_word *word)
{
    return places->word && places->word(places->context, endpoint, address, is_store, word);
}

#define HD_ACCESS_WHO_BYTES 384u
/* "pc 0x1000004c (bfs+0x4c, kernel.c:12), core[0], block (0,0,0), warp 1, lane 3, thread (35,0,0)" */
void hd_access_who(const hd_access_places *places, const hd_access_block *block, uint32_t thread, uint32_t pc,
                   char text[HD_ACCESS_WHO_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
