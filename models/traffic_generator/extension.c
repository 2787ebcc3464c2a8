/* SPDX-License-Identifier: MIT */
#include "state.h"

static uint32_t has_work(hd_block *block)
{
    const generator *self = (const generator *)block;
    const uint32_t is_due = self->next.generated == NOT_YET || self->next.generated <= self->cursor.n;
    return self->outstanding || (self->has_next && is_due);
}

static uint32_t oldest(const generator *self)
{
    uint32_t found = 0;
    for (uint32_t i = 1; i < parameter_of(self, PARAMETER_OUTSTANDING); i++)
        if (self->requests[i].bytes &&
            (!self->requests[found].bytes || self->requests[i].sent < self->requests[found].sent))
            found = i;
    return found;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    static const char *const names[] = {"load", "store", "atomic"};
    const generator *self = (const generator *)block;
    if (self->outstanding) {
        const request *first = &self->requests[oldest(self)];
        sink->line(sink->context, "%u requests wait for replies, the first is a %s of %u bytes at 0x%llx of cycle %llu",
                   self->outstanding, names[first->operation], first->bytes, (unsigned long long)first->address,
                   (unsigned long long)first->sent);
    }
    if (self->has_next && self->waits_for_credit)
        sink->line(sink->context, "a %s of %u bytes at 0x%llx waits for room on the network",
                   names[self->next.operation], self->next.bytes, (unsigned long long)self->next.address);
}

static void mark(hd_block *block)
{
    generator *self = (generator *)block;
    self->counters[STATISTIC_LATENCY_MAXIMUM] = 0;
    self->counters[STATISTIC_OUTSTANDING_MAXIMUM] = self->outstanding;
}

const void *generator_extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    static const hd_mark marking = {mark};
    (void)block;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &generator_state;
    return hd_ability(id, &pending, NULL, &marking);
}
