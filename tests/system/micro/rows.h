/* SPDX-License-Identifier: MIT */
/* Where a channel's address lies in its devices, read from the text of the machine's mapping word by word. */
#ifndef MICRO_ROWS_H
#define MICRO_ROWS_H

#include <stdint.h>

typedef struct place_in_rows {
    uint64_t row;
    uint32_t bank; /* group first: groups * bank + group */
} place_in_rows;

typedef struct row_shape {
    uint32_t banks, groups, row_bytes;
} row_shape;

/* Without exclusive ors, of which no machine has any. */
place_in_rows rows_place(const char *mapping, const row_shape *shape, uint64_t offset);

#endif
