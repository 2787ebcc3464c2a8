/* SPDX-License-Identifier: MIT */
#include "temporal/write_times.h"

#include <assert.h>

uint32_t write_times_create(write_times *times, uint32_t entries, uint32_t subarrays, uint32_t granularity,
                            uint64_t seed)
{
    times->granularity = granularity;
    return recency_create(&times->filter, entries, subarrays, &seed);
}

void write_times_destroy(write_times *times)
{
    recency_destroy(&times->filter);
    exact_reset(&times->exact);
}

void write_times_reset(write_times *times)
{
    recency_reset(&times->filter);
    exact_reset(&times->exact);
}

hd_time write_times_of(const write_times *times, write_range range)
{
    hd_time latest = 0;
    for (uint64_t piece = range.first / times->granularity; piece * times->granularity < range.end; piece++) {
        const hd_time t = recency_of(&times->filter, piece);
        assert(t >= exact_of(&times->exact, piece) && "I-20: never too early");
        latest = t > latest ? t : latest;
    }
    return latest;
}

void write_times_note(write_times *times, write_range range, hd_time t)
{
    for (uint64_t piece = range.first / times->granularity; piece * times->granularity < range.end; piece++) {
        recency_note(&times->filter, piece, t);
#ifndef NDEBUG
        if (t)
            exact_note(&times->exact, piece, t);
#endif
    }
}
