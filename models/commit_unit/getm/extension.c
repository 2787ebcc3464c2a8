/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include <string.h>

#include "hd_link.h"
#include "state.h"

static uint32_t has_work(hd_block *block)
{
    const commit *self = (const commit *)block;
    return self->logs_pending.count || hd_link_arrival(self->logs) != HD_NEVER;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const commit *self = (const commit *)block;
    if (self->next < self->end)
        sink->line(sink->context, "%" PRIu64 " regions %s", self->end - self->next,
                   self->store_waits || self->release_waits ? "wait for a credit" : "about to be applied");
    if (self->first < self->next)
        sink->line(sink->context, "%" PRIu64 " regions on their way", self->next - self->first);
    if (self->logs_pending.count)
        sink->line(sink->context, "%" PRIu32 " logs not acknowledged", self->logs_pending.count);
}

static void align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    const commit *self = (const commit *)block;
    (void)sink;
    if (self->logs_pending.count)
        self->services->fault(self->services->context, t,
                              "%s: I10: no transaction runs, and %" PRIu32 " logs are not applied",
                              self->services->name, self->logs_pending.count);
}

static void mark(hd_block *block)
{
    commit *self = (commit *)block;
    self->counters.regions_maximum = self->end - self->first;
}

const void *commit_extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    static const hd_align alignment = {align};
    static const hd_mark marking = {mark};
    (void)block;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &commit_state;
    return hd_ability(id, &pending, &alignment, &marking);
}
