/* SPDX-License-Identifier: MIT */
/* tx_unit.transfer of ideal transactions. */
#include "tx/ideal/ideal.h"

void ideal_transfer(tx *unit, const hd_state_stream *stream)
{
    ideal *g = (ideal *)unit;
    ideal_registration_transfer(&g->registration, stream);
    for (uint32_t warp = 0; warp < g->t->core.warp_count; warp++) {
        HD_STATE_VALUE(stream, g->warps[warp].settled);
        HD_STATE_VALUE(stream, g->warps[warp].is_in_flight);
    }
    tx_queue_transfer(&g->committing, stream);
    HD_STATE_VALUE(stream, g->cursor);
}
