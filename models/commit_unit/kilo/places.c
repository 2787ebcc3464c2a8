/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "state.h"

#define CAPACITY_MIN 64u

static uint32_t *next_of(const places *places, uint32_t place)
{
    return (uint32_t *)(void *)((char *)places->items + place * places->item_bytes + places->next_at);
}

uint32_t places_take(places *places)
{
    if (places->free != NONE) {
        const uint32_t place = places->free;
        places->free = *next_of(places, place);
        return place;
    }
    if (places->used == places->capacity) {
        places->capacity = places->capacity ? 2 * places->capacity : CAPACITY_MIN;
        places->items = realloc(places->items, places->capacity * places->item_bytes);
        if (!places->items)
            abort();
    }
    return places->used++;
}

void places_give(places *places, uint32_t place)
{
    *next_of(places, place) = places->free;
    places->free = place;
}

void places_clear(places *places)
{
    places->free = NONE;
    places->used = 0;
}
