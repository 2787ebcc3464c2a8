/* SPDX-License-Identifier: MIT */
/*
 * Records from a seed: each is a mixture of patterns, sets that are often bought together, some more often than others, and of most
 * of which something is missing (Agrawal and Srikant 1994). How many patterns there are, and how much is missing, is such that the published
 * records are about as hard.
 */
#ifndef APRIORI_RECORDS_DRAW_H
#define APRIORI_RECORDS_DRAW_H

#include "records.h"

#define PATTERN_LENGTH 4u /* on average */

typedef struct pattern {
    uint32_t length;
    uint32_t end_weight;   /* sum of the weights up to this one */
    uint32_t lost_percent; /* of the items, in a record */
    uint32_t *item;
} pattern;

/* On average `mean`: of four times as many trials each succeeds with 1/4. */
static inline uint32_t draw_length(uint32_t mean, uint64_t *random)
{
    uint32_t length = 0;
    for (uint32_t i = 0; i < 4 * mean; i++)
        length += host_random_below(random, 4) == 0;
    return length ? length : 1;
}

static inline uint32_t is_among(uint32_t item, const uint32_t *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (items[i] == item)
            return 1;
    return 0;
}

/* Half of a pattern comes from the one before, as far as that has so many. */
static inline pattern *draw_patterns(uint32_t count, uint32_t items, uint64_t *random)
{
    pattern *patterns = hd_host_alloc(count * sizeof *patterns);
    uint32_t weight = 0;
    for (uint32_t n = 0; n < count; n++) {
        pattern *p = &patterns[n];
        uint32_t wanted = draw_length(PATTERN_LENGTH, random);
        wanted = wanted < items ? wanted : items;
        p->item = hd_host_alloc(wanted * sizeof(uint32_t));
        for (uint32_t i = 0; n && i < p[-1].length && p->length < wanted; i++)
            if (host_random_below(random, 2))
                p->item[p->length++] = p[-1].item[i];
        while (p->length < wanted) {
            uint32_t item = host_random_below(random, items);
            if (!is_among(item, p->item, p->length))
                p->item[p->length++] = item;
        }
        uint32_t u = host_random_below(random, 256);
        weight += u * u * u / 65536 + 1;
        p->end_weight = weight;
        p->lost_percent = 35 + host_random_below(random, 60);
    }
    return patterns;
}

static inline const pattern *draw_pattern(const pattern *patterns, uint32_t count, uint64_t *random)
{
    uint32_t place = host_random_below(random, patterns[count - 1].end_weight), low = 0, high = count - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (patterns[middle].end_weight > place)
            high = middle;
        else
            low = middle + 1;
    }
    return &patterns[low];
}

static inline uint32_t draw_rest(const pattern *p, uint32_t *record, uint32_t length, uint64_t *random)
{
    for (uint32_t i = 0; i < p->length; i++)
        if (host_random_below(random, 100) >= p->lost_percent && !is_among(p->item[i], record, length))
            record[length++] = p->item[i];
    return length;
}

/* A pattern that would make it too long is left out of every other record. */
static inline uint32_t draw_record(const pattern *patterns, uint32_t count, uint32_t wanted, uint32_t *record,
                                   uint64_t *random)
{
    uint32_t length = 0;
    while (length < wanted) {
        uint32_t longer = draw_rest(draw_pattern(patterns, count, random), record, length, random);
        if (length && longer > wanted && host_random_below(random, 2))
            break;
        length = longer;
    }
    return length;
}

static inline void sort_items(uint32_t *items, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t item = items[i], place = i;
        for (; place && items[place - 1] > item; place--)
            items[place] = items[place - 1];
        items[place] = item;
    }
}

static inline records records_draw(uint32_t count, uint32_t items, uint32_t mean, uint64_t *random)
{
    const uint32_t pattern_count = items * 60 / 100 + 1;
    const pattern *patterns = draw_patterns(pattern_count, items, random);
    const uint32_t longest = 4 * mean + 4 * PATTERN_LENGTH; /* more than the last pattern adds to what is wanted */
    records r = {.count = count,
                 .items = items,
                 .begin = hd_host_alloc((count + 1) * sizeof(uint32_t)),
                 .item = hd_host_alloc((size_t)count * longest * sizeof(uint32_t))};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *record = r.item + r.begin[i], wanted = draw_length(mean, random);
        wanted = wanted < items / 2 ? wanted : (items + 1) / 2;
        uint32_t length = draw_record(patterns, pattern_count, wanted, record, random);
        sort_items(record, length);
        r.begin[i + 1] = r.begin[i] + length;
    }
    return r;
}

#endif
