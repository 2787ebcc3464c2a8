/* SPDX-License-Identifier: MIT */
/* tx_unit.transfer of EAPG. */
#include "tx/eapg/eapg.h"

void eapg_transfer(tx *unit, const hd_state_stream *stream)
{
    eapg *e = (eapg *)unit;
    kilo_transfer(unit, stream);
    HD_STATE_SHAPE(stream, "signatures of partitions", e->signatures != NULL);
    HD_STATE_SHAPE(stream, "messages that are taken in late", e->late != NULL);
    HD_STATE_ARRAY(stream, e->warps, e->kilo.t->core.warp_count);
    if (e->signatures)
        HD_STATE_ARRAY(stream, e->signatures, e->kilo.partitions);
    else
        hd_state_word_map(stream, &e->table);
    if (e->late)
        HD_STATE_VALUE(stream, *e->late);
    HD_STATE_VALUE(stream, e->has_withheld);
}
