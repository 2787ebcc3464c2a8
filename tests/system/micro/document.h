/* SPDX-License-Identifier: MIT */
/* Tables of docs/machines.md. */
#ifndef MICRO_DOCUMENT_H
#define MICRO_DOCUMENT_H

#include "figures.h"

#define DOCUMENT_CELLS 16u

typedef struct document_row {
    char text[512];
    const char *cells[DOCUMENT_CELLS]; /* without the blanks around them */
    uint32_t count;
} document_row;

/* Row `index` of the table under a heading "## ..."; 0 if there are fewer. */
int document_read(const char *heading, uint32_t index, document_row *row);
/* The row whose first cell is `name` in backquotes; 0 if there is none. */
int document_find(const char *heading, const char *name, document_row *row);

#endif
