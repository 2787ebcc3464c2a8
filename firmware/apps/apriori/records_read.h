/* SPDX-License-Identifier: MIT */
/*
 * Records from a file of 32-bit little-endian integers: how many records at most, how many items, how many in a record on average;
 * then for each record its number, from 1, how many items it has, and these in ascending order. The published file has fewer records than
 * it says.
 */
#ifndef APRIORI_RECORDS_READ_H
#define APRIORI_RECORDS_READ_H

#include "common/host_input.h"
#include "records.h"

#ifndef __riscv
static inline uint32_t *records_grow(uint32_t *items, uint32_t used, uint32_t *room)
{
    uint32_t *grown = hd_host_alloc(2 * (size_t)*room * sizeof(uint32_t));
    memcpy(grown, items, used * sizeof(uint32_t));
    hd_host_free(items);
    *room *= 2;
    return grown;
}

static inline records records_read(const char *path)
{
    host_input f = host_input_open(path, HOST_INPUT_INTEGERS);
    uint32_t most = host_input_number(&f, "the number of records", 1, RECORDS_MAX);
    records r = {.items = host_input_number(&f, "the number of items", 1, ITEMS_MAX)};
    host_input_number(&f, "the mean length", 0, r.items);
    r.begin = hd_host_alloc((most + 1) * sizeof(uint32_t));
    uint32_t room = 2 * r.items;
    uint64_t number;
    r.item = hd_host_alloc(room * sizeof(uint32_t));
    while (host_input_next(&f, &number)) {
        hd_check(r.count < most, "%s: there is a record %u, the file says that there are %u", path, r.count + 1, most);
        host_input_check(&f, number, "the number of a record", r.count + 1, r.count + 1);
        uint32_t length = host_input_number(&f, "the length of a record", 0, r.items), end = r.begin[r.count] + length;
        if (end > room)
            r.item = records_grow(r.item, r.begin[r.count], &room);
        for (uint32_t i = r.begin[r.count], least = 0; i < end; i++) {
            r.item[i] = host_input_number(&f, "an item, above the one before", least, r.items - 1);
            least = r.item[i] + 1;
        }
        r.begin[++r.count] = end;
    }
    host_input_close(&f);
    hd_check(r.count, "%s has no records", path);
    return r;
}
#else
static inline records records_read(const char *path)
{
    hd_fail("%s: firmware has no files", path);
}
#endif

#endif
