/* SPDX-License-Identifier: MIT */
#include "debugger_internal.h"

#include <stdio.h>
#include <string.h>

#include "text.h"

const debugged *debugger_first(const debugger *self, uint32_t door)
{
    for (uint32_t i = 0; i < self->block_count; i++)
        if (self->blocks[i].door == door)
            return &self->blocks[i];
    return NULL;
}

/* Side by side in the block, or in memory. */
static uint32_t access_place(const debugger *self, place_of_thread thread, uint64_t address, void *data, uint32_t bytes,
                             uint32_t is_write)
{
    hd_debug_place place;
    if (!thread.at->ability->place(thread.at->block, thread.group, thread.lane, address, &place))
        return 0;
    const uint32_t count = bytes < place.count ? bytes : place.count;
    if (!place.bytes)
        return hd_engine_debug_access(self->engine, thread.at->endpoint, UINT32_MAX, place.address, data, count,
                                      is_write);
    memcpy(is_write ? place.bytes : data, is_write ? data : place.bytes, count);
    return count;
}

uint32_t debugger_memory(const debugger *self, place_of_thread thread, uint64_t address, void *data, uint32_t bytes,
                         uint32_t is_write)
{
    uint32_t done = 0, count = 1;
    while (thread.at && count && done < bytes) {
        count = access_place(self, thread, address + done, (char *)data + done, bytes - done, is_write);
        done += count;
    }
    return done;
}

void debugger_command(const debugger *self, const char *words, char *answer, size_t bytes)
{
    char time[HD_TEXT_TIME_BYTES];
    if (strcmp(words, "time") == 0)
        snprintf(answer, bytes, "%s\n", hd_text_time(time, hd_engine_now(self->engine)));
    else
        snprintf(answer, bytes, "monitor time: the simulated time\n");
}
