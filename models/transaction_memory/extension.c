/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hd_link.h"
#include "state.h"

static uint32_t has_requests(const ideal_memory *self)
{
    for (uint32_t i = 0; i < self->request_count; i++)
        if (hd_link_arrival(self->request[i]) != HD_NEVER)
            return 1;
    return 0;
}

static uint32_t has_work(hd_block *block)
{
    const ideal_memory *self = (const ideal_memory *)block;
    return self->store_pool.taken || self->outgoing.count || has_requests(self);
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const ideal_memory *self = (const ideal_memory *)block;
    if (self->outgoing.count)
        sink->line(sink->context, "%u answers wait for room on the way to a core", self->outgoing.count);
    if (self->store_pool.taken)
        sink->line(sink->context, "%u stores wait, or are on their way", self->store_pool.taken);
    if (self->reader_pool.taken)
        sink->line(sink->context, "%u words are registered", self->reader_pool.taken);
}

static void align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    ideal_memory *self = (ideal_memory *)block;
    (void)sink;
    if (self->store_pool.taken || self->word_pool.taken)
        self->services->fault(self->services->context, t, "%s: no transaction runs, and %u words are not in memory",
                              self->services->name, self->word_pool.taken);
    ideal_clear(self);
}

static void mark(hd_block *block)
{
    ideal_memory *self = (ideal_memory *)block;
    self->counters.readers_maximum = self->reader_pool.taken;
    self->counters.words_maximum = self->word_pool.taken;
    self->counters.stores_maximum = self->store_pool.taken;
}

const void *ideal_extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    static const hd_align alignment = {align};
    static const hd_mark marking = {mark};
    (void)block;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &ideal_state;
    return hd_ability(id, &pending, &alignment, &marking);
}
