/* SPDX-License-Identifier: MIT */
#include "cache_tags.h"

#include <stdlib.h>
#include <string.h>

int cache_tags_create(cache_tags *t, uint32_t set_hash, const replacement_unit *policy,
                      const replacement_parameters *parameters)
{
    *t = (cache_tags){.ways = parameters->ways, .places = parameters->sets * parameters->ways, .policy = policy};
    cache_sets_init(&t->sets, set_hash, parameters->sets);
    t->tags = calloc(t->places, sizeof *t->tags);
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

uint32_t cache_tags_room(const cache_tags *t, uint32_t first)
{
    for (uint32_t place = first; place < first + t->ways; place++)
        if (t->tags[place] == CACHE_NO_TAG && !t->kept[place])
            return place;
    return t->policy->victim(t->order, first, &t->kept[first]);
}
