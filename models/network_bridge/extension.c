/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hd_link.h"
#include "state.h"

static uint32_t has_work(hd_block *block)
{
    const bridge *self = (const bridge *)block;
    return self->under_way.count > 0 || hd_link_arrival(self->memory_in) != HD_NEVER;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const bridge *self = (const bridge *)block;
    for (uint32_t i = 0; i < self->under_way.count; i++) {
        const access *from = &self->accesses[hd_ring_place(&self->under_way, i)];
        const char *what = from->request->message == self->messages[MESSAGE_READ] ? "read" : "write";
        sink->line(sink->context, "a %s of %u bytes at 0x%llx waits for %s", what, from->request->argument,
                   (unsigned long long)from->request->address,
                   from->outstanding                         ? "replies of the L2"
                   : from->offset == from->request->argument ? "room for its answer"
                                                             : "room on the network");
    }
}

/* What has left is in the network. */
static void each_under_way(hd_block *block, const hd_under_way_sink *sink)
{
    const bridge *self = (const bridge *)block;
    for (uint32_t i = 0; i < self->under_way.count; i++) {
        const access *from = &self->accesses[hd_ring_place(&self->under_way, i)];
        sink->write(sink->context, from->request, from->offset);
    }
}

static void mark(hd_block *block)
{
    bridge *self = (bridge *)block;
    self->counters[STATISTIC_REQUESTS_MAXIMUM] = self->under_way.count;
}

const void *bridge_extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    static const hd_mark marking = {mark};
    static const hd_under_way under_way = {each_under_way};
    (void)block;
    if (strcmp(id, HD_EXTENSION_UNDER_WAY) == 0)
        return &under_way;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &bridge_state;
    return hd_ability(id, &pending, NULL, &marking);
}
