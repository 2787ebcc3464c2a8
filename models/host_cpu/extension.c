/* SPDX-License-Identifier: MIT */
#include "state.h"

#include <string.h>

/* A hart that executes always has work; whether it comes to an end is for the limits of the run to say. */
static uint32_t has_work(hd_block *block)
{
    const host_cpu *self = (const host_cpu *)block;
    return self->activity != ACTIVITY_FAULTED;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const host_cpu *self = (const host_cpu *)block;
    char place[192];
    host_cpu_place(self, place, sizeof place);
    switch (self->activity) {
    case ACTIVITY_ON_BUS:
        sink->line(sink->context, "the firmware waits for the answer to a %s of %u bytes at 0x%llx, at pc %s",
                   self->hart.access.is_store ? "store" : "load", self->hart.access.bytes,
                   (unsigned long long)self->hart.access.address, place);
        break;
    case ACTIVITY_ASLEEP:
        sink->line(sink->context, "the firmware sleeps until an interrupt (wfi), at pc %s", place);
        break;
    default: sink->line(sink->context, "the firmware is at pc %s", place); break;
    }
}

const void *host_cpu_extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    (void)block;
    if (strcmp(id, HD_EXTENSION_DEBUG) == 0)
        return &host_cpu_debug;
    return hd_ability(id, &pending, NULL, NULL);
}
