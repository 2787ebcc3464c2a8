/* SPDX-License-Identifier: MIT */
/*
 * The caches of a core: two first ones, of code and of data, and a second one, which has all lines of the first and their bytes.
 * Stores go through to memory. What it does not have is fetched; a line on its way has its place already.
 */
#ifndef VEC_CORE_VEC_CACHES_H
#define VEC_CORE_VEC_CACHES_H

#include "cache_tags.h"
#include "vec_hart.h"

enum vec_found { VEC_FOUND_FIRST, VEC_FOUND_SECOND, VEC_COMING, VEC_MISSED };

typedef struct vec_cache_sizes {
    uint32_t code_bytes, code_ways, data_bytes, data_ways, second_bytes, second_ways;
} vec_cache_sizes;

typedef struct vec_caches {
    cache_tags code, data, second;
    uint8_t (*bytes)[VEC_LINE_BYTES]; /* [place of second] */
    uint8_t *coming;                  /* [place of second] */
    uint64_t *late;                   /* [place of second]: bytes that were stored while it was coming */
    uint32_t takes_late;              /* that can happen */
} vec_caches;

/* NULL: these sizes will do. Else why not. */
const char *vec_caches_refuse(const vec_cache_sizes *sizes);
/* 0: out of memory, and vec_caches_destroy is still to be called. */
int vec_caches_create(vec_caches *c, const vec_cache_sizes *sizes);
void vec_caches_destroy(vec_caches *c);
/* Nothing is in them. */
void vec_caches_reset(vec_caches *c);

/* Looks the line up. Found in the second, it comes to the first too; missed, it gets a place and is coming; *place says where its
 * bytes are. first: &code or &data. VEC_MISSED with CACHE_NO_PLACE: no room until another line has come. */
enum vec_found vec_caches_look(vec_caches *c, cache_tags *first, uint32_t line, uint32_t *place);
/* Is it there, or coming? It is not used by that. */
uint32_t vec_caches_has(const vec_caches *c, uint32_t line);
/* Is it there? */
uint32_t vec_caches_is_here(const vec_caches *c, uint32_t line);
/* Bytes of a line on its way that were stored since; its others are those that come. */
uint64_t vec_caches_late(const vec_caches *c, uint32_t line);
/* It has come; returns its place. */
uint32_t vec_caches_fill(vec_caches *c, uint32_t line, const uint8_t *bytes);
/* 0: the line is coming, and has to come first, unless takes_late. */
uint32_t vec_caches_store(vec_caches *c, uint32_t line, const uint8_t *bytes, uint64_t enabled);

#endif
