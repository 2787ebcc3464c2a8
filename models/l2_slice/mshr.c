/* SPDX-License-Identifier: MIT */
#include "state.h"

static uint32_t *bucket_of(const struct slice *slice, uint64_t address)
{
    const uint64_t hash = (address / HD_LINE_BYTES) * UINT64_C(0x9E3779B97F4A7C15);
    return &slice->buckets[(uint32_t)(hash >> 40) & slice->bucket_mask];
}

void slice_reset_mshrs(struct slice *slice)
{
    for (uint32_t i = 0; i <= slice->bucket_mask; i++)
        slice->buckets[i] = NO_INDEX;
    for (uint32_t i = 0; i < slice->mshr_count; i++) {
        slice->mshrs[i].waiting = (hd_ring){.capacity = slice->target_count};
        slice->mshrs[i].targets = &slice->targets[i * slice->target_count];
        slice->mshrs[i].next = i + 1 < slice->mshr_count ? i + 1 : NO_INDEX;
    }
    slice->free_mshr = 0;
    slice->mshrs_used = 0;
}

struct mshr *slice_find_mshr(const struct slice *slice, uint64_t address)
{
    for (uint32_t i = *bucket_of(slice, address); i != NO_INDEX; i = slice->mshrs[i].next) {
        if (slice->mshrs[i].line.address == address)
            return &slice->mshrs[i];
    }
    return NULL;
}

struct mshr *slice_take_mshr(struct slice *slice, uint64_t address)
{
    const uint32_t index = slice->free_mshr;
    struct mshr *mshr = &slice->mshrs[index];
    uint32_t *bucket = bucket_of(slice, address);
    slice->free_mshr = mshr->next;
    mshr->line.address = address;
    mshr->line.valid = mshr->line.dirty = 0;
    mshr->pending = mshr->promised = 0;
    hd_ring_clear(&mshr->waiting);
    mshr->next = *bucket;
    *bucket = index;
    hd_trace_begin(slice->trace, slice->mshr_tracks + index, EVENT_MISS, slice->cursor.t, address);
    hd_trace_counter(slice->trace, HD_TRACE_BLOCK, EVENT_MISSES, slice->cursor.t, slice->mshrs_used + 1u);
    if (++slice->mshrs_used > slice->statistics[STATISTIC_MSHR_MAXIMUM])
        slice->statistics[STATISTIC_MSHR_MAXIMUM] = slice->mshrs_used;
    return mshr;
}

void slice_release_mshr(struct slice *slice, struct mshr *mshr)
{
    const uint32_t index = (uint32_t)(mshr - slice->mshrs);
    uint32_t *link = bucket_of(slice, mshr->line.address);
    while (*link != index)
        link = &slice->mshrs[*link].next;
    *link = mshr->next;
    mshr->next = slice->free_mshr;
    slice->free_mshr = index;
    slice->mshrs_used--;
    hd_trace_end(slice->trace, slice->mshr_tracks + index, EVENT_MISS, slice->cursor.t);
    hd_trace_counter(slice->trace, HD_TRACE_BLOCK, EVENT_MISSES, slice->cursor.t, slice->mshrs_used);
}

static struct tapped_access *tapped_of(const struct slice *slice, const struct mshr *mshr, uint32_t slot)
{
    return slice->tapped ? &slice->tapped[(mshr->targets - slice->targets) + slot] : NULL;
}

void slice_add_target(struct slice *slice, struct mshr *mshr, const struct access *access,
                      const struct tapped_access *tapped)
{
    const uint32_t slot = hd_ring_push(&mshr->waiting);
    mshr->targets[slot] = *access;
    if (tapped)
        *tapped_of(slice, mshr, slot) = *tapped;
    mshr->promised |= access->touches & (uint8_t)~access->needs;
}

void slice_serve_targets(struct slice *slice, struct mshr *mshr, struct line *line, uint64_t n, hd_time t)
{
    while (mshr->waiting.count) {
        const uint32_t slot = mshr->waiting.first;
        const struct access *target = &mshr->targets[slot];
        if (target->needs & (uint8_t)~line->valid)
            return;
        slice_carry_out(slice, line, target, tapped_of(slice, mshr, slot), n, t);
        hd_ring_pop(&mshr->waiting);
    }
}
