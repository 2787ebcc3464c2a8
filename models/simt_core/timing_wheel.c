/* SPDX-License-Identifier: MIT */
#include "timing_wheel.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

int wheel_create(timing_wheel *wheel, uint32_t capacity)
{
    wheel->capacity = capacity;
    wheel->events = calloc(capacity, sizeof *wheel->events);
    if (!wheel->events)
        return -1;
    wheel_reset(wheel);
    return 0;
}

void wheel_destroy(timing_wheel *wheel)
{
    free(wheel->events);
}

void wheel_reset(timing_wheel *wheel)
{
    for (uint32_t i = 0; i < wheel->capacity; i++)
        wheel->events[i].next = i + 1 < wheel->capacity ? i + 1 : NONE;
    wheel->free = 0;
    memset(wheel->head, 0xFF, sizeof wheel->head);
    memset(wheel->occupied, 0, sizeof wheel->occupied);
}

void wheel_add(timing_wheel *wheel, uint64_t cycle, const wheel_event *event)
{
    uint32_t slot = cycle % WHEEL_CYCLES;
    uint32_t index = wheel->free;
    wheel->free = wheel->events[index].next;
    wheel->events[index] = *event;
    wheel->events[index].next = NONE;
    if (wheel->head[slot] == NONE)
        wheel->head[slot] = index;
    else
        wheel->events[wheel->tail[slot]].next = index;
    wheel->tail[slot] = index;
    wheel->occupied[slot / 64] |= UINT64_C(1) << slot % 64;
}

int wheel_take(timing_wheel *wheel, uint64_t cycle, wheel_event *event)
{
    uint32_t slot = cycle % WHEEL_CYCLES;
    uint32_t index = wheel->head[slot];
    if (index == NONE)
        return 0;
    *event = wheel->events[index];
    wheel->head[slot] = event->next;
    if (event->next == NONE)
        wheel->occupied[slot / 64] &= ~(UINT64_C(1) << slot % 64);
    wheel->events[index].next = wheel->free;
    wheel->free = index;
    return 1;
}

uint64_t wheel_next(const timing_wheel *wheel, uint64_t now)
{
    uint32_t start = (now + 1) % WHEEL_CYCLES;
    uint64_t word = wheel->occupied[start / 64] >> start % 64;
    if (word)
        return now + 1 + (uint64_t)__builtin_ctzll(word);
    for (uint32_t i = 1; i <= WHEEL_CYCLES / 64; i++) {
        uint32_t index = (start / 64 + i) % (WHEEL_CYCLES / 64);
        if (wheel->occupied[index])
            return now + 1 + i * 64 - start % 64 + (uint64_t)__builtin_ctzll(wheel->occupied[index]);
    }
    return UINT64_MAX;
}
