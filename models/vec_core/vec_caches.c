/* SPDX-License-Identifier: MIT */
#include "vec_caches.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_RECENTLY_USED (&replacement_lru)

static uint32_t is_power(uint64_t value)
{
    return value && (value & (value - 1)) == 0;
}

static uint32_t is_shape(uint32_t bytes, uint32_t ways)
{
    return ways && bytes % (ways * VEC_LINE_BYTES) == 0 && is_power(bytes / (ways * VEC_LINE_BYTES));
}

const char *vec_caches_refuse(const vec_cache_sizes *s)
{
    if (!is_shape(s->code_bytes, s->code_ways))
        return "l1i: its sets must be a power of two";
    if (!is_shape(s->data_bytes, s->data_ways))
        return "l1d: its sets must be a power of two";
    if (!is_shape(s->second_bytes, s->second_ways))
        return "l2: its sets must be a power of two";
    return NULL;
}

static int create(cache_tags *tags, uint32_t bytes, uint32_t ways)
{
    const replacement_parameters shape = {.sets = bytes / (ways * VEC_LINE_BYTES), .ways = ways};
    return cache_tags_create(tags, CACHE_LINEAR, LEAST_RECENTLY_USED, &shape) == 0;
}

int vec_caches_create(vec_caches *c, const vec_cache_sizes *s)
{
    const size_t lines = s->second_bytes / VEC_LINE_BYTES;
    c->bytes = calloc(lines, sizeof *c->bytes);
    c->coming = calloc(lines, sizeof *c->coming);
    c->late = calloc(lines, sizeof *c->late);
    const int has_tags = create(&c->code, s->code_bytes, s->code_ways) & create(&c->data, s->data_bytes, s->data_ways) &
                         create(&c->second, s->second_bytes, s->second_ways);
    return has_tags && c->bytes && c->coming && c->late;
}

void vec_caches_destroy(vec_caches *c)
{
    cache_tags_destroy(&c->code);
    cache_tags_destroy(&c->data);
    cache_tags_destroy(&c->second);
    free(c->bytes);
    free(c->coming);
    free(c->late);
}

void vec_caches_reset(vec_caches *c)
{
    cache_tags_reset(&c->code, 0);
    cache_tags_reset(&c->data, 0);
    cache_tags_reset(&c->second, 0);
    memset(c->coming, 0, c->second.places);
}

static uint32_t find(const cache_tags *tags, uint32_t line)
{
    return cache_tags_find(tags, cache_tags_set(tags, line / VEC_LINE_BYTES), line);
}

static void drop(cache_tags *tags, uint64_t line)
{
    const uint32_t place = line == CACHE_NO_TAG ? CACHE_NO_PLACE : find(tags, (uint32_t)line);
    if (place != CACHE_NO_PLACE)
        cache_tags_clear(tags, place);
}

static void put(cache_tags *tags, uint32_t line)
{
    const uint32_t place = cache_tags_room(tags, cache_tags_set(tags, line / VEC_LINE_BYTES));
    cache_tags_put(tags, place, line);
}

/* A place for a line that is to come; those of other coming lines are not given up. */
static uint32_t make_room(vec_caches *c, uint32_t line)
{
    const uint32_t place = cache_tags_room(&c->second, cache_tags_set(&c->second, line / VEC_LINE_BYTES));
    if (place == CACHE_NO_PLACE)
        return place;
    drop(&c->code, c->second.tags[place]);
    drop(&c->data, c->second.tags[place]);
    cache_tags_put(&c->second, place, line);
    cache_tags_keep(&c->second, place);
    c->coming[place] = 1;
    c->late[place] = 0;
    return place;
}

enum vec_found vec_caches_look(vec_caches *c, cache_tags *first, uint32_t line, uint32_t *place)
{
    *place = find(&c->second, line);
    if (*place == CACHE_NO_PLACE) {
        *place = make_room(c, line);
        return VEC_MISSED;
    }
    if (c->coming[*place])
        return VEC_COMING;
    cache_tags_use(&c->second, *place);
    const uint32_t in_first = find(first, line);
    if (in_first != CACHE_NO_PLACE) {
        cache_tags_use(first, in_first);
        return VEC_FOUND_FIRST;
    }
    put(first, line);
    return VEC_FOUND_SECOND;
}

uint32_t vec_caches_has(const vec_caches *c, uint32_t line)
{
    return find(&c->second, line) != CACHE_NO_PLACE;
}

uint32_t vec_caches_is_here(const vec_caches *c, uint32_t line)
{
    const uint32_t place = find(&c->second, line);
    return place != CACHE_NO_PLACE && !c->coming[place];
}

uint64_t vec_caches_late(const vec_caches *c, uint32_t line)
{
    return c->late[find(&c->second, line)];
}

static void copy_bytes(uint8_t *to, const uint8_t *from, uint64_t which)
{
    for (uint32_t i = 0; i < VEC_LINE_BYTES; i++)
        if (which >> i & 1)
            to[i] = from[i];
}

uint32_t vec_caches_fill(vec_caches *c, uint32_t line, const uint8_t *bytes)
{
    const uint32_t place = find(&c->second, line);
    copy_bytes(c->bytes[place], bytes, ~c->late[place]);
    c->coming[place] = 0;
    cache_tags_let_go(&c->second, place);
    return place;
}

uint32_t vec_caches_store(vec_caches *c, uint32_t line, const uint8_t *bytes, uint64_t enabled)
{
    const uint32_t place = find(&c->second, line);
    if (place == CACHE_NO_PLACE)
        return 1;
    if (c->coming[place] && !c->takes_late)
        return 0;
    if (c->coming[place])
        c->late[place] |= enabled;
    copy_bytes(c->bytes[place], bytes, enabled);
    return 1;
}
