/* SPDX-License-Identifier: MIT */
#include "cache.h"

#include "hd_message.h"
#include "rows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static_assert(HD_CLASS_COUNT <= CACHE_CLASS_MASK, "no class is that of an empty place");

int cache_create(cache *c, const cache_parameters *parameters)
{
    const cache_parameters *p = &c->parameters;
    *c = (cache){.parameters = *parameters};
    if (p->bytes == 0) {
        c->parameters = (cache_parameters){.bytes = 0};
        return 0;
    }
    c->line_shift = (uint32_t)__builtin_ctz(p->line_bytes);
    const replacement_parameters shape = {
        .sets = p->bytes / (p->line_bytes * p->ways), .ways = p->ways, .share = p->share};
    if (cache_tags_create(&c->tags, p->set_hash, p->replacement, &shape) != 0 ||
        cache_mshrs_create(&c->mshrs, p->mshrs, p->merges) != 0)
        return -1;
    c->lines = calloc(c->tags.places, sizeof *c->lines);
    c->data = p->tags_only ? NULL : rows_allocate(c->tags.places, p->line_bytes);
    c->misses = calloc(p->mshrs, sizeof *c->misses);
    c->waiters = calloc((size_t)p->mshrs * p->merges, sizeof *c->waiters);
    if (!c->lines || (!c->data && !p->tags_only) || !c->misses || !c->waiters)
        return -1;
    cache_reset(c, 0);
    return 0;
}

void cache_destroy(cache *c)
{
    cache_tags_destroy(&c->tags);
    cache_mshrs_destroy(&c->mshrs);
    free(c->lines);
    rows_free(c->data);
    free(c->misses);
    free(c->waiters);
}

void cache_reset(cache *c, uint64_t seed)
{
    if (c->parameters.bytes == 0)
        return;
    cache_tags_reset(&c->tags, seed);
    cache_mshrs_reset(&c->mshrs);
    memset(c->lines, 0, c->tags.places * sizeof *c->lines);
}

void cache_reserve(cache *c, cache_line *line, uint64_t address, uint32_t traffic_class)
{
    line->valid = line->dirty = 0;
    cache_tags_put(&c->tags, cache_place(c, line), cache_tag(address, traffic_class));
}

void cache_forget(cache *c, cache_line *line)
{
    if (line->state == LINE_PENDING)
        cache_mshrs_hide(&c->mshrs, line->mshr);
    cache_settle(c, line, LINE_CLEAN);
    cache_tags_clear(&c->tags, cache_place(c, line));
}

void cache_forget_all(cache *c)
{
    for (uint32_t place = 0; place < c->tags.places; place++)
        if (!cache_tags_is_empty(&c->tags, place))
            cache_forget(c, &c->lines[place]);
}

static uint32_t take_mshr(cache *c, uint64_t tag)
{
    const uint32_t index = cache_mshrs_take(&c->mshrs, tag);
    c->misses[index] = (cache_miss){.pending = 0};
    return index;
}

uint32_t cache_open(cache *c, cache_line *line)
{
    const uint32_t index = take_mshr(c, c->tags.tags[cache_place(c, line)]);
    cache_await(c, line, index);
    return index;
}

uint32_t cache_open_apart(cache *c, uint64_t address, uint32_t traffic_class)
{
    return take_mshr(c, cache_tag(address, traffic_class));
}

void cache_await(cache *c, cache_line *line, uint32_t index)
{
    line->state = LINE_PENDING;
    line->mshr = index;
    c->misses[index].line = cache_place(c, line);
    cache_tags_keep(&c->tags, cache_place(c, line));
}

void cache_settle(cache *c, cache_line *line, uint32_t state)
{
    line->state = state;
    cache_tags_let_go(&c->tags, cache_place(c, line));
}

void cache_wait(cache *c, uint32_t index, const mshr_waiter *waiter)
{
    c->waiters[cache_mshrs_push(&c->mshrs, index)] = *waiter;
}

cache_line *cache_release(cache *c, uint32_t index)
{
    cache_line *line = c->mshrs.of[index].is_listed ? &c->lines[c->misses[index].line] : NULL;
    if (line != NULL)
        cache_settle(c, line, LINE_CLEAN);
    cache_mshrs_release(&c->mshrs, index);
    return line;
}
