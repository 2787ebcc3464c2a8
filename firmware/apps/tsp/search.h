/* SPDX-License-Identifier: MIT */
/* What a climber does, on the device and on the host: from a tour of its own it exchanges two edges as long as that makes it shorter. */
#ifndef TSP_SEARCH_H
#define TSP_SEARCH_H

#include <stdint.h>

#define TSP_INLINE __attribute__((always_inline)) static inline

typedef struct climber {
    const uint32_t *distance;
    uint32_t *tour;            /* its first position */
    uint32_t cities, climbers; /* climbers: words from one position to the next */
} climber;

TSP_INLINE uint32_t city_at(const climber *c, uint32_t position)
{
    return c->tour[position * c->climbers];
}

TSP_INLINE void swap_cities(const climber *c, uint32_t i, uint32_t j)
{
    const uint32_t city = city_at(c, i);
    c->tour[i * c->climbers] = city_at(c, j);
    c->tour[j * c->climbers] = city;
}

/* Any order, another one for each number. */
TSP_INLINE void shuffle(const climber *c, uint32_t number)
{
    for (uint32_t i = 0; i < c->cities; i++)
        c->tour[i * c->climbers] = i;
    for (uint32_t i = c->cities - 1; i > 0; i--) {
        number = number * 1664525u + 1013904223u;
        swap_cities(c, i, (number >> 8) % (i + 1));
    }
}

TSP_INLINE uint32_t distance_of(const climber *c, uint32_t from, uint32_t to)
{
    return c->distance[city_at(c, from) * c->cities + city_at(c, to)];
}

/* Edges behind the positions i < j. */
TSP_INLINE uint32_t exchange_edges(const climber *c, uint32_t i, uint32_t j)
{
    const uint32_t behind = j + 1 < c->cities ? j + 1 : 0;
    if (distance_of(c, i, j) + distance_of(c, i + 1, behind) >= distance_of(c, i, i + 1) + distance_of(c, j, behind))
        return 0;
    for (i++; i < j; i++, j--)
        swap_cities(c, i, j);
    return 1;
}

TSP_INLINE uint32_t climb(const climber *c, uint32_t number)
{
    shuffle(c, number);
    for (uint32_t is_shorter = 1; is_shorter;) {
        is_shorter = 0;
        for (uint32_t i = 0; i + 1 < c->cities; i++)
            for (uint32_t j = i + 1; j < c->cities; j++)
                is_shorter |= exchange_edges(c, i, j);
    }
    uint32_t length = distance_of(c, c->cities - 1, 0);
    for (uint32_t i = 0; i + 1 < c->cities; i++)
        length += distance_of(c, i, i + 1);
    return length;
}

#endif
