/* SPDX-License-Identifier: MIT */
/* tx_unit.transfer of WarpTM-EL. */
#include <stdlib.h>

#include "tx/warptm_el/warptm_el.h"

static void transfer_changed(warptm_el_warp *ew, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, ew->changed_count);
    if (ew->changed_count > ew->changed_capacity) {
        ew->changed = realloc(ew->changed, ew->changed_count * sizeof *ew->changed);
        if (!ew->changed)
            abort();
        ew->changed_capacity = ew->changed_count;
    }
    HD_STATE_ARRAY(stream, ew->changed, ew->changed_count);
    HD_STATE_VALUE(stream, ew->changes);
    HD_STATE_VALUE(stream, ew->compared);
}

static void transfer_warp(const warptm_el *u, warptm_el_warp *ew, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, ew->phase);
    HD_STATE_VALUE(stream, ew->since);
    HD_STATE_VALUE(stream, ew->lanes);
    HD_STATE_VALUE(stream, ew->group);
    kilo_log_walk_transfer(&ew->walk, stream);
    HD_STATE_VALUE(stream, ew->closing);
    HD_STATE_ARRAY(stream, ew->places, u->partitions);
    transfer_changed(ew, stream);
}

void warptm_el_transfer(tx *unit, const hd_state_stream *stream)
{
    warptm_el *u = (warptm_el *)unit;
    ideal_registration_transfer(&u->registration, stream);
    for (uint32_t warp = 0; warp < u->t->core.warp_count; warp++)
        transfer_warp(u, &u->warps[warp], stream);
    tx_queue_transfer(&u->telling, stream);
    HD_STATE_VALUE(stream, u->cursor);
    tx_queue_transfer(&u->sending, stream);
}
