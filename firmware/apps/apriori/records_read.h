/* SPDX-License-Identifier: MIT */
/*
 * Records from a file of 32-bit little-endian integers: how many records at most, how many items, how many in a record on average;
 * then for each record its number, from 1, how many items it has, and these in ascending order. The published file has fewer records than
 * it says.
 */
#ifndef APRIORI_RECORDS_READ_H
#define APRIORI_RECORDS_READ_H

#include "records.h"
#ifndef __riscv
#include <stdio.h>

typedef struct record_file {
    const char *path;
    FILE *file;
    uint32_t read; /* integers */
} record_file;

/* 0 at the end of the file. */
static inline int records_read_word(record_file *f, uint32_t *word)
{
    uint8_t bytes[4];
    size_t length = fread(bytes, 1, sizeof bytes, f->file);
    hd_check(length == 0 || length == sizeof bytes, "%s ends within an integer, after %u of them", f->path, f->read);
    if (length == 0)
        return 0;
    f->read++;
    *word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    return 1;
}

static inline uint32_t records_read_number(record_file *f, const char *what, uint32_t least, uint32_t most)
{
    uint32_t number;
    hd_check(records_read_word(f, &number), "%s ends after %u integers, where %s should be", f->path, f->read, what);
    hd_check(number >= least && number <= most, "%s: integer %u, %s, is %u; it must be %u to %u", f->path, f->read,
             what, number, least, most);
    return number;
}

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
    record_file f = {.path = path, .file = fopen(path, "rb")};
    hd_check(f.file, "%s cannot be read", path);
    uint32_t most = records_read_number(&f, "the number of records", 1, RECORDS_MAX);
    records r = {.items = records_read_number(&f, "the number of items", 1, ITEMS_MAX)};
    records_read_number(&f, "the mean length", 0, r.items);
    r.begin = hd_host_alloc((most + 1) * sizeof(uint32_t));
    uint32_t room = 2 * r.items, number;
    r.item = hd_host_alloc(room * sizeof(uint32_t));
    while (records_read_word(&f, &number)) {
        hd_check(r.count < most, "%s: there is a record %u, the file says that there are %u", path, r.count + 1, most);
        hd_check(number == r.count + 1, "%s: integer %u, the number of a record, is %u; it must be %u", path, f.read,
                 number, r.count + 1);
        uint32_t length = records_read_number(&f, "the length of a record", 0, r.items),
                 end = r.begin[r.count] + length;
        if (end > room)
            r.item = records_grow(r.item, r.begin[r.count], &room);
        for (uint32_t i = r.begin[r.count], least = 0; i < end; i++) {
            r.item[i] = records_read_number(&f, "an item, above the one before", least, r.items - 1);
            least = r.item[i] + 1;
        }
        r.begin[++r.count] = end;
    }
    fclose(f.file);
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
