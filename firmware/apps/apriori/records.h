/* SPDX-License-Identifier: MIT */
/*
 * Market baskets: records of items. Drawn from a seed, or read in the format of the published ones; and the frequent pairs, with
 * which the search for longer sets begins.
 */
#ifndef APRIORI_RECORDS_H
#define APRIORI_RECORDS_H

#include "args.h"
#include "common/transactional.h"

#define RECORDS_MAX (1u << 20)
#define ITEMS_MAX 4096u

typedef struct records {
    uint32_t count;
    uint32_t items;  /* item i is one of 0 .. items - 1 */
    uint32_t *begin; /* [count + 1] */
    uint32_t *item;  /* [begin[count]], ascending in each record */
} records;

/* Sets of one length, in ascending order. */
typedef struct itemsets {
    uint32_t length;
    uint32_t count;
    uint32_t *item;    /* [count][length] */
    uint32_t *support; /* [count], records that hold the set */
} itemsets;

static inline itemsets itemsets_new(uint32_t length, uint32_t count)
{
    return (itemsets){.length = length,
                      .count = count,
                      .item = hd_host_alloc(((size_t)count * length + 1) * sizeof(uint32_t)),
                      .support = hd_host_alloc((count + 1) * sizeof(uint32_t))};
}

static inline void itemsets_free(itemsets *s)
{
    hd_host_free(s->item);
    hd_host_free(s->support);
    *s = (itemsets){0};
}

/* Numbers the items that are in enough records: frequent[i], or ITEMS_MAX. Returns how many there are. */
static inline uint32_t records_number_items(const records *r, uint32_t support, uint32_t *number)
{
    uint32_t frequent = 0;
    uint32_t *found = hd_host_alloc(r->items * sizeof(uint32_t));
    for (uint32_t i = 0; i < r->begin[r->count]; i++)
        found[r->item[i]]++;
    for (uint32_t i = 0; i < r->items; i++)
        number[i] = found[i] >= support ? frequent++ : ITEMS_MAX;
    hd_host_free(found);
    return frequent;
}

static inline void records_count_pairs(const records *r, const uint32_t *number, uint32_t frequent, uint32_t *found)
{
    for (uint32_t record = 0; record < r->count; record++)
        for (uint32_t i = r->begin[record]; i < r->begin[record + 1]; i++)
            for (uint32_t j = i + 1; j < r->begin[record + 1]; j++) {
                uint32_t first = number[r->item[i]], second = number[r->item[j]];
                if (first != ITEMS_MAX && second != ITEMS_MAX)
                    found[first * frequent + second]++;
            }
}

static inline itemsets records_frequent_pairs(const records *r, uint32_t support)
{
    uint32_t *number = hd_host_alloc(r->items * sizeof(uint32_t));
    const uint32_t frequent = records_number_items(r, support, number);
    uint32_t *found = hd_host_alloc(((size_t)frequent * frequent + 1) * sizeof(uint32_t));
    records_count_pairs(r, number, frequent, found);
    uint32_t count = 0;
    for (uint32_t i = 0; i < frequent * frequent; i++)
        count += found[i] >= support;

    itemsets pairs = itemsets_new(2, count);
    uint32_t pair = 0;
    for (uint32_t first = 0; first < r->items; first++)
        for (uint32_t second = first + 1; second < r->items && number[first] != ITEMS_MAX; second++) {
            if (number[second] == ITEMS_MAX)
                continue;
            uint32_t held = found[number[first] * frequent + number[second]];
            if (held < support)
                continue;
            pairs.item[2 * pair] = first;
            pairs.item[2 * pair + 1] = second;
            pairs.support[pair++] = held;
        }
    hd_host_free(found);
    hd_host_free(number);
    return pairs;
}

#endif
