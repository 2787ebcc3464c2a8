/* SPDX-License-Identifier: MIT */
/* tx_unit.transfer of GETM. */
#include "tx/getm/getm.h"

static void transfer_warp(getm_warp *gw, uint32_t lanes, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, gw->clock);
    HD_STATE_VALUE(stream, gw->timestamp);
    HD_STATE_VALUE(stream, gw->cause);
    HD_STATE_VALUE(stream, gw->settled);
    HD_STATE_VALUE(stream, gw->logs);
    HD_STATE_VALUE(stream, gw->gate);
    HD_STATE_VALUE(stream, gw->no_logs);
    HD_STATE_VALUE(stream, gw->escalated);
    HD_STATE_VALUE(stream, gw->touched);
    HD_STATE_ARRAY(stream, gw->approved, (size_t)gw->touched * lanes);
}

void getm_transfer(tx *unit, const hd_state_stream *stream)
{
    getm *g = (getm *)unit;
    for (uint32_t warp = 0; warp < g->t->core.warp_count; warp++)
        transfer_warp(&g->warps[warp], g->t->core.lane_count, stream);
    HD_STATE_VALUE(stream, g->latest);
    HD_STATE_VALUE(stream, g->era);
    tx_queue_transfer(&g->committing, stream);
    HD_STATE_VALUE(stream, g->region_count);
    HD_STATE_ARRAY(stream, g->regions, g->region_count);
    HD_STATE_ARRAY(stream, g->partitions, g->region_count);
    HD_STATE_ARRAY(stream, g->order, g->region_count);
    HD_STATE_VALUE(stream, g->sent);
    HD_STATE_VALUE(stream, g->rolls);
    HD_STATE_VALUE(stream, g->rollover_unit);
}
