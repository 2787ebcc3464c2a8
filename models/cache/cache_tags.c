/* SPDX-License-Identifier: MIT */
#include "cache_tags.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HOST_LINE_BYTES 64u

/* Eight ways are one line of the host's caches. */
static uint64_t *make_tags(uint32_t places)
{
    const size_t bytes = places * sizeof(uint64_t);
    return aligned_alloc(HOST_LINE_BYTES, (bytes + HOST_LINE_BYTES - 1) / HOST_LINE_BYTES * HOST_LINE_BYTES);
}

int cache_tags_create(cache_tags *t, uint32_t set_hash, const replacement_unit *policy,
                      const replacement_parameters *parameters)
{
    *t = (cache_tags){.ways = parameters->ways,
                      .places = parameters->sets * parameters->ways,
                      .policy = policy,
                      .share = parameters->share};
    cache_sets_init(&t->sets, set_hash, parameters->sets);
    t->tags = make_tags(t->places);
    t->kept = calloc(t->places, sizeof *t->kept);
    t->order = policy->create(parameters);
    if (!t->tags || !t->kept || !t->order)
        return -1;
    cache_tags_reset(t, 0);
    return 0;
}

void cache_tags_destroy(cache_tags *t)
{
    if (t->order)
        t->policy->destroy(t->order);
    free(t->kept);
    free(t->tags);
}

void cache_tags_reset(cache_tags *t, uint64_t seed)
{
    memset(t->tags, 0xFF, t->places * sizeof *t->tags);
    memset(t->kept, 0, t->places * sizeof *t->kept);
    t->policy->reset(t->order, seed);
}

static uint32_t may_go(const cache_tags *t, uint32_t first, uint32_t place)
{
    return place - first < t->ways && !t->kept[place];
}

static uint32_t first_that_may_go(const cache_tags *t, uint32_t first)
{
    for (uint32_t place = first; place < first + t->ways; place++)
        if (may_go(t, first, place))
            return place;
    return CACHE_NO_PLACE;
}

/* What follows from such an answer is wrong too: of all faults of the run this one is the first. */
static __attribute__((cold, noinline)) uint32_t refuse_victim(const cache_tags *t, uint32_t first, uint32_t victim)
{
    const uint32_t other = first_that_may_go(t, first);
    const hd_services *services = t->share.services;
    if (victim != other && services)
        services->fault(services->context, 0,
                        "%s: the replacement policy answers %" PRIu32 ", which is no line of the set from %" PRIu32
                        " to %" PRIu32 " that may go",
                        services->name, victim, first, first + t->ways - 1);
    return other;
}

uint32_t cache_tags_room(const cache_tags *t, uint32_t first)
{
    for (uint32_t place = first; place < first + t->ways; place++)
        if (t->tags[place] == CACHE_NO_TAG && !t->kept[place])
            return place;
    const uint32_t victim = t->policy->victim(t->order, first, &t->kept[first]);
    return __builtin_expect(may_go(t, first, victim), 1) ? victim : refuse_victim(t, first, victim);
}
