/* SPDX-License-Identifier: MIT */
#include "state.h"

#include <stdio.h>
#include <string.h>

/* Harts that execute always have work; whether they come to an end is for the limits of the run to say. */
static uint32_t has_work(hd_block *block)
{
    const host_cpu *self = (const host_cpu *)block;
    return self->activity != ACTIVITY_FAULTED;
}

static void describe_hart(const host_cpu *self, const host_hart *one, const hd_text_sink *sink)
{
    const hart_access *access = &one->hart.access;
    char place[192], who[32] = "the firmware";
    host_cpu_place(self, one, place, sizeof place);
    if (self->hart_count > 1)
        snprintf(who, sizeof who, "hart %u", one->hart.number);
    switch (one->doing) {
    case DOING_ON_BUS:
        sink->line(sink->context, "%s waits for the answer to a %s of %u bytes at 0x%llx, at pc %s", who,
                   access->is_store ? "store" : "load", access->bytes, (unsigned long long)access->address, place);
        break;
    case DOING_SLEEPS: sink->line(sink->context, "%s sleeps until an interrupt (wfi), at pc %s", who, place); break;
    default: sink->line(sink->context, "%s is at pc %s", who, place); break;
    }
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const host_cpu *self = (const host_cpu *)block;
    for (uint32_t i = 0; i < self->hart_count; i++)
        describe_hart(self, &self->harts[i], sink);
}

const void *host_cpu_extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    (void)block;
    if (strcmp(id, HD_EXTENSION_DEBUG) == 0)
        return &host_cpu_debug;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &host_cpu_state;
    return hd_ability(id, &pending, NULL, NULL);
}
