/* SPDX-License-Identifier: MIT */
/* tx_unit.transfer of Kilo TM, and of whoever is built upon it. */
#include <stdlib.h>

#include "tx/kilo/kilo.h"

static void transfer_attempt(const kilo *k, kilo_warp *kw, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, kw->cut_short);
    HD_STATE_VALUE(stream, kw->suspects);
    HD_STATE_VALUE(stream, kw->has_loaded);
    HD_STATE_VALUE(stream, kw->conflicts);
    HD_STATE_ARRAY(stream, kw->first, k->t->core.lane_count);
}

static void transfer_warp(const kilo *k, kilo_warp *kw, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, kw->phase);
    HD_STATE_VALUE(stream, kw->is_listed);
    HD_STATE_VALUE(stream, kw->since);
    HD_STATE_VALUE(stream, kw->group);
    HD_STATE_VALUE(stream, kw->open);
    HD_STATE_VALUE(stream, kw->failed);
    HD_STATE_VALUE(stream, kw->walk.is_write_set);
    kilo_log_walk_transfer(&kw->walk.log, stream);
    HD_STATE_VALUE(stream, kw->closing);
    HD_STATE_ARRAY(stream, kw->places, k->partitions);
    transfer_attempt(k, kw, stream);
}

static void transfer_mishaps(kilo *k, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, k->mishap_count);
    if (k->mishap_count > k->mishap_capacity) {
        k->mishaps = realloc(k->mishaps, k->mishap_count * sizeof *k->mishaps);
        if (!k->mishaps)
            abort();
        k->mishap_capacity = k->mishap_count;
    }
    HD_STATE_ARRAY(stream, k->mishaps, k->mishap_count);
}

static void transfer_resends(kilo *k, const hd_state_stream *stream)
{
    const uint32_t count = (uint32_t)hd_state_number(stream, k->resend_ring.count);
    while (k->resend_ring.capacity < count)
        kilo_double_resends(k);
    k->resend_ring.count = count;
    for (uint32_t i = 0; i < count; i++)
        HD_STATE_VALUE(stream, k->resends[hd_ring_place(&k->resend_ring, i)]);
}

void kilo_transfer(tx *unit, const hd_state_stream *stream)
{
    kilo *k = (kilo *)unit;
    for (uint32_t warp = 0; warp < k->t->core.warp_count; warp++)
        transfer_warp(k, &k->warps[warp], stream);
    tx_queue_transfer(&k->asking, stream);
    tx_queue_transfer(&k->sending, stream);
    transfer_resends(k, stream);
    transfer_mishaps(k, stream);
}
