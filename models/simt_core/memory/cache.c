/* SPDX-License-Identifier: MIT */
#include "cache.h"

#include <stdlib.h>
#include <string.h>

int cache_create(cache *c, const cache_parameters *parameters)
{
    const cache_parameters *p = &c->parameters;
    c->parameters = *parameters;
    if (p->bytes == 0) {
        c->parameters = (cache_parameters){.bytes = 0};
        return 0;
    }
    c->sets = p->bytes / (p->line_bytes * p->ways);
    const uint32_t is_hashed = p->set_hash != CACHE_LINEAR && (c->sets & (c->sets - 1)) == 0;
    c->set_bits = is_hashed ? (uint32_t)__builtin_ctz(c->sets) : 0;
    const size_t lines = (size_t)c->sets * p->ways;
    c->lines = calloc(lines, sizeof *c->lines);
    c->data = p->tags_only ? NULL : calloc(lines, p->line_bytes);
    c->order = p->replacement->create(&(replacement_parameters){.sets = c->sets, .ways = p->ways});
    c->mshrs = calloc(p->mshrs, sizeof *c->mshrs);
    c->waiters = calloc((size_t)p->mshrs * p->merges, sizeof *c->waiters);
    c->free_mshrs = calloc(p->mshrs, sizeof *c->free_mshrs);
    if (!c->lines || (!c->data && !p->tags_only) || !c->order || !c->mshrs || !c->waiters || !c->free_mshrs)
        return -1;
    cache_reset(c, 0);
    return 0;
}

void cache_destroy(cache *c)
{
    free(c->lines);
    free(c->data);
    if (c->order != NULL)
        c->parameters.replacement->destroy(c->order);
    free(c->mshrs);
    free(c->waiters);
    free(c->free_mshrs);
}

void cache_reset(cache *c, uint64_t seed)
{
    if (c->parameters.bytes == 0)
        return;
    memset(c->lines, 0, (size_t)c->sets * c->parameters.ways * sizeof *c->lines);
    c->parameters.replacement->reset(c->order, seed);
    c->free_mshr_count = c->parameters.mshrs;
    for (uint32_t i = 0; i < c->parameters.mshrs; ++i)
        c->free_mshrs[i] = c->parameters.mshrs - 1 - i;
}

/* Numbers count lines of 128 B: bit 0 is address bit 7. */
static uint32_t fermi_set(const cache *c, uint64_t number)
{
    static const uint8_t partners[] = {6, 7, 8, 10, 12};
    uint32_t set = (uint32_t)number & (c->sets - 1);
    for (uint32_t i = 0; i < sizeof partners; ++i)
        set ^= (uint32_t)(number >> partners[i] & 1) << i;
    return set;
}

uint32_t cache_hashed_set(const cache *c, uint64_t number)
{
    if (c->parameters.set_hash == CACHE_FERMI)
        return fermi_set(c, number);
    return (uint32_t)(number ^ number >> c->set_bits) & (c->sets - 1);
}

cache_line *cache_victim(cache *c, uint64_t address)
{
    cache_line *set = &c->lines[cache_set_of(c, address)];
    uint8_t stays[CACHE_WAYS_MAX];
    for (uint32_t way = 0; way < c->parameters.ways; ++way) {
        if (set[way].state == LINE_INVALID)
            return &set[way];
        stays[way] = set[way].state == LINE_PENDING;
    }
    const uint32_t victim = c->parameters.replacement->victim(c->order, (uint32_t)(set - c->lines), stays);
    return victim == NO_VICTIM ? NULL : &c->lines[victim];
}

void cache_reserve(cache *c, cache_line *line, uint64_t address, uint32_t traffic_class)
{
    line->address = address;
    line->traffic_class = traffic_class;
    line->valid = line->dirty = 0;
    c->parameters.replacement->installed(c->order, (uint32_t)(line - c->lines));
}

void cache_forget(cache *c, cache_line *line)
{
    if (line->state == LINE_PENDING)
        c->mshrs[line->mshr].install = 0;
    line->state = LINE_INVALID;
}

void cache_forget_all(cache *c)
{
    cache_line *line = c->lines;
    for (size_t left = (size_t)c->sets * c->parameters.ways; left != 0; --left, ++line)
        if (line->state != LINE_INVALID)
            cache_forget(c, line);
}

uint32_t cache_open(cache *c, cache_line *line)
{
    const uint32_t index = c->free_mshrs[--c->free_mshr_count];
    c->mshrs[index] = (mshr){.address = line->address,
                             .traffic_class = line->traffic_class,
                             .line = (uint32_t)(line - c->lines),
                             .install = 1};
    line->state = LINE_PENDING;
    line->mshr = index;
    return index;
}

uint32_t cache_open_apart(cache *c, uint64_t address, uint32_t traffic_class)
{
    const uint32_t index = c->free_mshrs[--c->free_mshr_count];
    c->mshrs[index] = (mshr){.address = address, .traffic_class = traffic_class, .install = 1};
    return index;
}

void cache_give_back(cache *c, uint32_t index)
{
    c->free_mshrs[c->free_mshr_count++] = index;
}

mshr_waiter *cache_waiters(cache *c, uint32_t index)
{
    return &c->waiters[(size_t)index * c->parameters.merges];
}

uint32_t cache_can_wait(const cache *c, uint32_t index)
{
    return c->mshrs[index].waiting < c->parameters.merges;
}

void cache_wait(cache *c, uint32_t index, const mshr_waiter *waiter)
{
    c->waiters[(size_t)index * c->parameters.merges + c->mshrs[index].waiting++] = *waiter;
}

const mshr_waiter *cache_waiter(const cache *c, uint32_t index, uint32_t position)
{
    return &c->waiters[(size_t)index * c->parameters.merges + position];
}

mshr cache_release(cache *c, uint32_t index)
{
    const mshr miss = c->mshrs[index];
    if (miss.install)
        c->lines[miss.line].state = LINE_CLEAN;
    c->free_mshrs[c->free_mshr_count++] = index;
    return miss;
}
