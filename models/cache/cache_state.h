/* SPDX-License-Identifier: MIT */
/* Tags and MSHRs as parts of a block's state (hd_state.h). What lies at their places is the cache's own. */
#ifndef CACHE_STATE_H
#define CACHE_STATE_H

#include "cache_mshrs.h"
#include "cache_tags.h"
#include "hd_state.h"

void cache_mshrs_transfer(cache_mshrs *m, const hd_state_stream *stream);
/* Of a policy that has a state to give. */
void cache_tags_transfer(cache_tags *t, const hd_state_stream *stream);
/* 1: the replacement policy has none, and text is a line that says so. */
uint32_t cache_tags_refuse_state(const cache_tags *t, char *text, size_t bytes);

#endif
