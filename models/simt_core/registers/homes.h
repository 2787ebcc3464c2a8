/* SPDX-License-Identifier: MIT */
/*
 * Whose the lanes of what is in flight are: it keeps the rows that they had, since their path may have other lanes by its end. A path keeps
 * those that it has now.
 */
#ifndef SIMT_CORE_HOMES_H
#define SIMT_CORE_HOMES_H

#include "hd_state.h"
#include "lane_homes.h"

#define NO_HOMES UINT32_MAX

/* Homes of the lanes of what is in flight, by number: below `rows` all lanes are of that row. */
typedef struct kept_entry {
    uint64_t lanes;
    uint32_t path; /* by which it was issued */
    uint32_t uses;
    uint32_t row;  /* of all lanes; HOMES_DIFFER: as in the table */
    uint32_t next; /* free one */
} kept_entry;

typedef struct kept_homes {
    uint32_t rows, lanes; /* of the machine */
    kept_entry *entries;
    uint32_t *table;  /* [entry][lane] */
    home_part *parts; /* [entry][], of the same */
    uint32_t capacity, free;
} kept_homes;

void homes_create(kept_homes *kept, uint32_t rows, uint32_t lanes);
void homes_destroy(kept_homes *kept);
void homes_reset(kept_homes *kept); /* nothing is in flight */
void homes_transfer(kept_homes *kept, const hd_state_stream *stream);
/* A number, with one use, for these lanes of the path. Never one below `rows`. */
uint32_t homes_keep(kept_homes *kept, lane_homes homes, uint64_t lanes, uint32_t path);
void homes_use_entry(kept_homes *kept, uint32_t number);
void homes_drop_entry(kept_homes *kept, uint32_t number);

static inline const kept_entry *homes_entry(const kept_homes *kept, uint32_t number)
{
    return &kept->entries[number - kept->rows];
}

/* Valid until the next homes_keep. */
static inline lane_homes homes_at(const kept_homes *kept, uint32_t number)
{
    if (__builtin_expect(number < kept->rows, 1))
        return homes_of_row(number);
    const uint64_t entry = number - kept->rows;
    if (kept->entries[entry].row != HOMES_DIFFER)
        return homes_of_row(kept->entries[entry].row);
    return (lane_homes){.rows = kept->table + entry * kept->lanes, .parts = kept->parts + entry * (kept->lanes + 1)};
}

/* One use more, and one less. */
static inline void homes_use(kept_homes *kept, uint32_t number)
{
    if (__builtin_expect(number >= kept->rows, 0))
        homes_use_entry(kept, number);
}
static inline void homes_drop(kept_homes *kept, uint32_t number)
{
    if (__builtin_expect(number >= kept->rows, 0))
        homes_drop_entry(kept, number);
}

#endif
