/* SPDX-License-Identifier: MIT */
#include "timing_wheel.h"

#include <stdlib.h>
#include <string.h>

#include "rows.h"

int wheel_create(timing_wheel *wheel, uint32_t capacity)
{
    wheel->events = rows_allocate(capacity, sizeof *wheel->events);
    if (!wheel->events)
        return -1;
    wheel_reset(wheel);
    return 0;
}

void wheel_destroy(timing_wheel *wheel)
{
    rows_free(wheel->events);
}

void wheel_reset(timing_wheel *wheel)
{
    wheel->free = WHEEL_NONE;
    wheel->used = 0;
    wheel->next = UINT64_MAX;
    memset(wheel->occupied, 0, sizeof wheel->occupied);
}

/* First cycle after this one with an event. */
static uint64_t next_after(const timing_wheel *wheel, uint64_t cycle)
{
    uint32_t start = (cycle + 1) % WHEEL_CYCLES;
    uint64_t word = wheel->occupied[start / 64] >> start % 64;
    if (word)
        return cycle + 1 + (uint64_t)__builtin_ctzll(word);
    for (uint32_t i = 1; i <= WHEEL_CYCLES / 64; i++) {
        uint32_t index = (start / 64 + i) % (WHEEL_CYCLES / 64);
        if (wheel->occupied[index])
            return cycle + 1 + i * 64 - start % 64 + (uint64_t)__builtin_ctzll(wheel->occupied[index]);
    }
    return UINT64_MAX;
}

const wheel_event *wheel_take(timing_wheel *wheel)
{
    uint32_t slot = wheel->next % WHEEL_CYCLES;
    uint32_t index = wheel->head[slot];
    wheel_event *event = &wheel->events[index];
    if (event->next == WHEEL_NONE) {
        wheel->occupied[slot / 64] &= ~(UINT64_C(1) << slot % 64);
        wheel->next = next_after(wheel, wheel->next);
    } else {
        wheel->head[slot] = event->next;
    }
    event->next = wheel->free;
    wheel->free = index;
    return event;
}
