/* SPDX-License-Identifier: MIT */
/* Points that published numbers are about, and those that these are relative to. */
#define _GNU_SOURCE /* qsort_r */
#include <stdlib.h>
#include <string.h>

#include "sweep_reader.h"

static const uint32_t *picks_of(const sweep *read, uint32_t point)
{
    return read->picks + (size_t)point * read->axis_count;
}

static int order(const sweep *read, const uint32_t *a, const uint32_t *b)
{
    return memcmp(a, b, read->axis_count * sizeof *a);
}

static int order_of_points(const void *a, const void *b, void *read)
{
    return order(read, picks_of(read, *(const uint32_t *)a), picks_of(read, *(const uint32_t *)b));
}

void sweep_sort_points(sweep *read)
{
    uint32_t *sorted = arena_alloc(&read->memory, read->point_count * sizeof *sorted + 1);
    for (uint32_t p = 0; p < read->point_count; p++)
        sorted[p] = p;
    qsort_r(sorted, read->point_count, sizeof *sorted, order_of_points, read);
    read->sorted = sorted;
}

static uint32_t find_point(const sweep *read, const uint32_t *picks)
{
    uint32_t first = 0, end = read->point_count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        const int side = order(read, picks_of(read, read->sorted[middle]), picks);
        if (!side)
            return read->sorted[middle];
        if (side < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return NETLIST_NONE;
}

int sweep_published_is_of(const sweep *read, const sweep_published *number, uint32_t point)
{
    const uint32_t *picks = picks_of(read, point);
    for (uint32_t a = 0; a < read->axis_count; a++)
        if (number->at[a] != NETLIST_NONE && number->at[a] != picks[a])
            return 0;
    return 1;
}

uint32_t sweep_published_base(const sweep *read, const sweep_published *number, uint32_t point)
{
    const uint32_t *picks = picks_of(read, point);
    uint32_t other[SWEEP_AXES_MAX];
    for (uint32_t a = 0; a < read->axis_count; a++)
        other[a] = number->relative_to[a] == NETLIST_NONE ? picks[a] : number->relative_to[a];
    return find_point(read, other);
}
