/* SPDX-License-Identifier: MIT */
/* What has been learnt of blocks and kernels (hd_state.h). */
#include <stdlib.h>

#include "usage.h"

static void transfer_kernels(usage *u, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, u->kernel_count);
    if (u->kernel_count > u->kernel_capacity) {
        u->kernel_capacity = u->kernel_count;
        u->kernels = realloc(u->kernels, u->kernel_capacity * sizeof *u->kernels);
        if (!u->kernels)
            abort();
    }
    HD_STATE_ARRAY(stream, u->kernels, u->kernel_count);
}

void usage_transfer(thread_block_policy *unit, const hd_state_stream *stream)
{
    usage *u = (usage *)unit;
    HD_STATE_SHAPE(stream, "blocks with levels", u->slots);
    HD_STATE_SHAPE(stream, "entries of the table of levels", u->settings.entries);
    HD_STATE_VALUE(stream, u->next_core);
    HD_STATE_VALUE(stream, u->to_stop);
    HD_STATE_VALUE(stream, u->reserved_victims);
    HD_STATE_VALUE(stream, u->order);
    HD_STATE_ARRAY(stream, u->blocks, u->slots);
    HD_STATE_VALUE(stream, u->saved_count);
    HD_STATE_ARRAY(stream, u->saved, u->saved_count);
    HD_STATE_ARRAY(stream, u->core, u->cores);
    HD_STATE_ARRAY(stream, u->table, u->settings.entries);
    HD_STATE_ARRAY(stream, u->owners, u->settings.entries);
    HD_STATE_ARRAY(stream, u->former, u->settings.entries);
    transfer_kernels(u, stream);
}
