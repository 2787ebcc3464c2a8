/* SPDX-License-Identifier: MIT */
/* Caches keep nothing where a block touches memory directly: what is timed by them cannot be its neighbour. */
#include "loader.h"

#include <string.h>

static uint32_t is_direct(const draft *work, uint32_t block)
{
    return work->blocks[block].block_class->flags & HD_BLOCK_DIRECT;
}

/* A direct block of the same kind, or NETLIST_NONE. */
static uint32_t direct_relative(const draft *work, uint32_t block)
{
    for (uint32_t other = 0; other < work->machine->block_count; other++) {
        if (is_direct(work, other) &&
            !strcmp(work->blocks[other].block_class->kind, work->blocks[block].block_class->kind))
            return other;
    }
    return NETLIST_NONE;
}

void netlist_check_direct(loader *state, draft *work)
{
    for (uint32_t block = 0; block < work->machine->block_count; block++) {
        const uint32_t other = is_direct(work, block) ? NETLIST_NONE : direct_relative(work, block);
        if (other == NETLIST_NONE)
            continue;
        const netlist_block *links = &work->blocks[block], *direct = &work->blocks[other];
        report_error(&state->log, ERROR_MIXED, work->block_entries[block]->key->at,
                     "'%s' (%s/%s) accesses memory over links, but '%s' (%s/%s) directly: a machine cannot have both",
                     links->name, links->block_class->kind, links->block_class->type, direct->name,
                     direct->block_class->kind, direct->block_class->type);
        report_note_at(&state->log, work->block_entries[other]->key->at, "the other block is here");
    }
}
