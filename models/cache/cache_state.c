/* SPDX-License-Identifier: MIT */
#include "cache_state.h"

#include <stdio.h>

void cache_mshrs_transfer(cache_mshrs *m, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "MSHRs", m->count);
    HD_STATE_SHAPE(stream, "targets of an MSHR", m->targets);
    HD_STATE_VALUE(stream, m->in_use);
    HD_STATE_VALUE(stream, m->free);
    HD_STATE_ARRAY(stream, m->chains, (size_t)m->chain_mask + 1);
    HD_STATE_ARRAY(stream, m->of, m->count);
}

void cache_tags_transfer(cache_tags *t, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "sets", t->sets.count);
    HD_STATE_SHAPE(stream, "ways", t->ways);
    HD_STATE_SHAPE(stream, "number of the hash of the sets", t->sets.hash);
    HD_STATE_ARRAY(stream, t->tags, t->places);
    HD_STATE_ARRAY(stream, t->kept, t->places);
    t->policy->transfer(t->order, stream);
}

uint32_t cache_tags_refuse_state(const cache_tags *t, char *text, size_t bytes)
{
    if (!t->policy->transfer)
        snprintf(text, bytes, "its replacement policy has no function for " HD_EXTENSION_STATE);
    return !t->policy->transfer;
}
