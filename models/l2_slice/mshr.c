/* SPDX-License-Identifier: MIT */
#include "parts.h"

struct miss *slice_find_miss(const struct slice *slice, uint64_t address)
{
    const uint32_t mshr = cache_mshrs_find(&slice->mshrs, address);
    return mshr == CACHE_NO_MSHR ? NULL : &slice->misses[mshr];
}

struct miss *slice_take_mshr(struct slice *slice, uint64_t address)
{
    const uint32_t mshr = cache_mshrs_take(&slice->mshrs, address);
    const uint32_t in_use = slice->mshrs.in_use;
    struct miss *miss = &slice->misses[mshr];
    miss->line.address = address;
    miss->line.valid = miss->line.dirty = miss->line.partial = 0;
    miss->pending = miss->promised = 0;
    miss->has_newer = 0;
    hd_trace_begin(slice->trace, slice->mshr_tracks + mshr, EVENT_MISS, slice->cursor.t, address);
    hd_trace_counter(slice->trace, HD_TRACE_BLOCK, EVENT_MISSES, slice->cursor.t, in_use);
    if (in_use > slice->statistics[STATISTIC_MSHR_MAXIMUM])
        slice->statistics[STATISTIC_MSHR_MAXIMUM] = in_use;
    return miss;
}

void slice_release_mshr(struct slice *slice, struct miss *miss)
{
    const uint32_t mshr = slice_mshr_of(slice, miss);
    cache_mshrs_release(&slice->mshrs, mshr);
    hd_trace_end(slice->trace, slice->mshr_tracks + mshr, EVENT_MISS, slice->cursor.t);
    hd_trace_counter(slice->trace, HD_TRACE_BLOCK, EVENT_MISSES, slice->cursor.t, slice->mshrs.in_use);
}

void slice_add_target(struct slice *slice, struct miss *miss, const struct access *access,
                      const struct tapped_access *tapped)
{
    const uint32_t target = cache_mshrs_push(&slice->mshrs, slice_mshr_of(slice, miss));
    slice->targets[target] = *access;
    if (tapped)
        slice->tapped[target] = *tapped;
    miss->promised |= access->touches & (uint8_t) ~(access->needs | access->partly);
}

void slice_serve_targets(struct slice *slice, struct miss *miss, struct line *line, uint64_t n, hd_time t)
{
    const uint32_t mshr = slice_mshr_of(slice, miss);
    while (cache_mshrs_waiting(&slice->mshrs, mshr)) {
        const uint32_t first = cache_mshrs_target(&slice->mshrs, mshr, 0);
        const struct access *target = &slice->targets[first];
        if (target->needs & (uint8_t)~line->valid)
            return;
        slice_carry_out(slice, line, target, slice->tapped ? &slice->tapped[first] : NULL, n, t);
        cache_mshrs_pop(&slice->mshrs, mshr);
    }
}
