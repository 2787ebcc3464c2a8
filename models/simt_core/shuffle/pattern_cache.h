/* SPDX-License-Identifier: MIT */
/*
 * Registers that are known to have a pattern, as many as there is room for (Beaumont 2019 §4.4.1, compressed-register cache). Their values
 * are in the register file too: an entry that makes room for another is nothing that anybody waits for. The one that was written longest
 * ago goes.
 */
#ifndef SIMT_CORE_PATTERN_CACHE_H
#define SIMT_CORE_PATTERN_CACHE_H

#include "hd_state.h"
#include "register_patterns.h"

#define PATTERN_ENTRY_BITS (8 * PATTERN_BYTES + PATTERN_BITS)

typedef struct pattern_entry {
    compressed_register value;
    uint32_t of;           /* row * 64 + register */
    uint32_t newer, older; /* entries, by when they were written */
} pattern_entry;

typedef struct pattern_cache {
    pattern_entry *entries; /* [capacity + 1]: the last is the end of both chains */
    uint32_t *entry_of;     /* [row * 64 + register]: entry + 1; 0: it has none */
    uint32_t capacity, used;
    uint64_t writes; /* of patterns */
    uint64_t evictions;
} pattern_cache;

/* Entries in so many bytes. */
uint32_t pattern_cache_capacity(uint64_t bytes);
/* 0 on success; pattern_cache_destroy in either case. `cache` is zeroed. */
int pattern_cache_create(pattern_cache *cache, uint64_t bytes, uint32_t rows);
void pattern_cache_destroy(pattern_cache *cache);
void pattern_cache_reset(pattern_cache *cache);
void pattern_cache_transfer(pattern_cache *cache, uint32_t rows, const hd_state_stream *stream);
/* The register has been written, and has this pattern, or none. */
void pattern_cache_write(pattern_cache *cache, uint32_t row, uint32_t number, const compressed_register *value);
/* NULL: it is not known to have one. */
const compressed_register *pattern_cache_find(const pattern_cache *cache, uint32_t row, uint32_t number);

#endif
