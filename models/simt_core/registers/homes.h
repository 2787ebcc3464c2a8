/* SPDX-License-Identifier: MIT */
/*
 * Whose lanes they are. A thread keeps its lane, and the row that its warp was given: its registers, its private memory and its
 * reservations are there. The lanes of a path are usually all of one warp. A reconvergence unit that regroups lanes names the
 * row of each; then what is in flight keeps the rows that its lanes had, since their path may have other lanes by its end.
 */
#ifndef SIMT_CORE_HOMES_H
#define SIMT_CORE_HOMES_H

#include <stddef.h>
#include <stdint.h>

typedef struct lane_homes {
    const uint32_t *rows; /* [lane]; NULL: all in `row` */
    uint32_t row;
} lane_homes;

static inline lane_homes homes_of_row(uint32_t row)
{
    return (lane_homes){.row = row};
}

/* Lanes of one row. */
typedef struct home_part {
    uint64_t lanes;
    uint32_t row;
} home_part;

home_part homes_take_apart(const uint32_t *rows, uint64_t *left);
/* Takes from *left, which is not 0, its lowest lane and all others of the same row. */
static inline home_part homes_take(lane_homes homes, uint64_t *left)
{
    if (__builtin_expect(homes.rows != NULL, 0))
        return homes_take_apart(homes.rows, left);
    const home_part all = {.lanes = *left, .row = homes.row};
    *left = 0;
    return all;
}

/* Those of the lanes that are of this row. */
static inline uint64_t homes_lanes_of(lane_homes homes, uint64_t lanes, uint32_t row)
{
    uint64_t found = 0;
    for (uint64_t left = lanes; left;) {
        const home_part part = homes_take(homes, &left);
        found |= part.row == row ? part.lanes : 0;
    }
    return found;
}

/* Homes of the lanes of what is in flight, by number: below `rows` all lanes are of that row. */
typedef struct kept_entry {
    uint64_t lanes;
    uint32_t path; /* by which it was issued */
    uint32_t uses;
    uint32_t next; /* free one */
} kept_entry;

typedef struct kept_homes {
    uint32_t rows, lanes; /* of the machine */
    kept_entry *entries;
    uint32_t *table; /* [entry][lane] */
    uint32_t capacity, free;
} kept_homes;

void homes_create(kept_homes *kept, uint32_t rows, uint32_t lanes);
void homes_destroy(kept_homes *kept);
void homes_reset(kept_homes *kept); /* nothing is in flight */
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
    return (lane_homes){.rows = kept->table + (uint64_t)(number - kept->rows) * kept->lanes};
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
