/* SPDX-License-Identifier: MIT */
/* tx_unit.transfer of GPU-LocalTM. */
#include "tx/local/local.h"

static void transfer_warp(local_warp *lw, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, lw->group);
    HD_STATE_VALUE(stream, lw->index);
    HD_STATE_VALUE(stream, lw->is_inside);
    HD_STATE_VALUE(stream, lw->is_running);
    HD_STATE_VALUE(stream, lw->gives_way);
    HD_STATE_VALUE(stream, lw->in_vain);
    HD_STATE_VALUE(stream, lw->ready);
    HD_STATE_VALUE(stream, lw->finishes);
    HD_STATE_VALUE(stream, lw->stands);
    HD_STATE_VALUE(stream, lw->turn.mode);
    HD_STATE_VALUE(stream, lw->turn.selected);
    HD_STATE_VALUE(stream, lw->turn.previous);
    HD_STATE_VALUE(stream, lw->turn.equal);
}

/* What is noted of words that nobody has is not read. */
static void transfer_words(ownership *o, const hd_state_stream *stream)
{
    const uint32_t count = shadow_words(&o->layout);
    HD_STATE_ARRAY(stream, o->words.states, count);
    HD_STATE_ARRAY(stream, o->words.next, count);
    HD_STATE_ARRAY(stream, o->words.previous, count);
    HD_STATE_ARRAY(stream, o->words.shared, count);
    HD_STATE_ARRAY(stream, o->words.place, count);
    if (o->words.readers)
        HD_STATE_ARRAY(stream, o->words.readers, count);
}

void ownership_transfer(ownership *o, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, o->first);
    HD_STATE_VALUE(stream, o->shared_count);
    HD_STATE_VALUE(stream, o->set_count);
    HD_STATE_VALUE(stream, o->inside);
    if (o->set_count)
        transfer_words(o, stream);
}

static void transfer_group(local *l, local_group *group, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, group->number);
    if (group->number == UINT64_MAX)
        return;
    HD_STATE_VALUE(stream, group->fits);
    HD_STATE_VALUE(stream, group->warps);
    HD_STATE_VALUE(stream, group->warp_count);
    HD_STATE_VALUE(stream, group->offset);
    HD_STATE_VALUE(stream, group->turn);
    HD_STATE_VALUE(stream, group->ownership.layout);
    if (stream->is_restored)
        local_open_ownership(l, group);
    ownership_transfer(&group->ownership, stream);
}

void local_transfer(tx *unit, const hd_state_stream *stream)
{
    local *l = (local *)unit;
    const tx_core *core = &l->t->core;
    HD_STATE_SHAPE(stream, "whether readers of words are known", l->words.readers != NULL);
    for (uint32_t warp = 0; warp < core->warp_count; warp++)
        transfer_warp(&l->warps[warp], stream);
    for (uint32_t warp = 0; warp < core->warp_count; warp++)
        local_records_transfer(&l->records[warp], stream);
    for (uint32_t slot = 0; slot < core->block_count; slot++)
        transfer_group(l, &l->groups[slot], stream);
    HD_STATE_VALUE(stream, l->next);
    HD_STATE_VALUE(stream, l->sequence);
    HD_STATE_ARRAY(stream, l->used, (size_t)core->warp_count * core->lane_count);
}
