/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "state.h"

static uint32_t has_work(hd_block *block)
{
    const host_bus *self = (const host_bus *)block;
    return self->used > 0 || self->complaint != NULL || self->waits;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const host_bus *self = (const host_bus *)block;
    for (uint32_t i = 0; i < self->slot_count; i++)
        if (self->slots[i].initiator != NOBODY)
            sink->line(sink->context, "an access at 0x%llx waits for the answer of target[%u]",
                       (unsigned long long)self->slots[i].address, self->slots[i].target);
}

static void mark(hd_block *block)
{
    host_bus *self = (host_bus *)block;
    self->counters[STATISTIC_MAX_REQUESTS] = self->used;
}

const void *host_bus_extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    static const hd_mark marking = {mark};
    (void)block;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &host_bus_state;
    return hd_ability(id, &pending, NULL, &marking);
}
