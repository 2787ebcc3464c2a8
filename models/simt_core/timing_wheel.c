/* SPDX-License-Identifier: MIT */
#include "timing_wheel.h"

#include <assert.h>
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
    wheel->words = 0;
}

_Static_assert(WHEEL_WORDS * 64 == WHEEL_CYCLES && WHEEL_WORDS == 32, "words is one word");

/* First cycle after this one with an event. */
static uint64_t next_after(const timing_wheel *wheel, uint64_t cycle)
{
    const uint32_t start = (cycle + 1) % WHEEL_CYCLES, first = start / 64;
    const uint64_t word = wheel->occupied[first] >> start % 64;
    if (word)
        return cycle + 1 + (uint64_t)__builtin_ctzll(word);
    if (!wheel->words)
        return UINT64_MAX;
    const uint32_t turn = (first + 1) % WHEEL_WORDS; /* the first word comes last: what it has lies before start */
    const uint32_t words = wheel->words >> turn | wheel->words << (WHEEL_WORDS - turn) % WHEEL_WORDS;
    const uint32_t ahead = 1 + (uint32_t)__builtin_ctz(words);
    const uint64_t later = wheel->occupied[(first + ahead) % WHEEL_WORDS];
    return cycle + 1 + ahead * 64 - start % 64 + (uint64_t)__builtin_ctzll(later);
}

const wheel_event *wheel_take(timing_wheel *wheel)
{
    uint32_t slot = wheel->next % WHEEL_CYCLES;
    uint32_t index = wheel->head[slot];
    assert(wheel->occupied[slot / 64] && wheel->words >> slot / 64 & 1);
    wheel_event *event = &wheel->events[index];
    if (event->next == WHEEL_NONE) {
        wheel->occupied[slot / 64] &= ~(UINT64_C(1) << slot % 64);
        wheel->words &= ~((uint32_t)(wheel->occupied[slot / 64] == 0) << slot / 64);
        wheel->next = next_after(wheel, wheel->next);
    } else {
        wheel->head[slot] = event->next;
    }
    event->next = wheel->free;
    wheel->free = index;
    return event;
}

static void event_transfer(wheel_event *event, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, event->mask);
    HD_STATE_VALUE(stream, event->path);
    HD_STATE_VALUE(stream, event->owner);
    HD_STATE_VALUE(stream, event->next);
    HD_STATE_VALUE(stream, event->kind);
    HD_STATE_VALUE(stream, event->number);
}

void wheel_transfer(timing_wheel *wheel, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, wheel->free);
    HD_STATE_VALUE(stream, wheel->used);
    for (uint32_t i = 0; i < wheel->used; i++)
        event_transfer(&wheel->events[i], stream);
    HD_STATE_VALUE(stream, wheel->next);
    HD_STATE_VALUE(stream, wheel->occupied);
    HD_STATE_VALUE(stream, wheel->words);
    for (uint32_t slot = 0; slot < WHEEL_CYCLES; slot++) {
        if (!(wheel->occupied[slot / 64] >> slot % 64 & 1))
            continue;
        HD_STATE_VALUE(stream, wheel->head[slot]);
        HD_STATE_VALUE(stream, wheel->tail[slot]);
    }
}
