/* SPDX-License-Identifier: MIT */
/* Comma-separated values as in RFC 4180, but lines end in \n. */
#ifndef HD_CSV_H
#define HD_CSV_H

#include <stdio.h>

/* A field, in quotes where it needs them; the second with a comma in front. A text that a spreadsheet would take for a formula,
 * because it begins with = + - @, a tab or a carriage return and is no number, gets an apostrophe in front. */
void csv_put_field(FILE *out, const char *text);
void csv_put_next(FILE *out, const char *text);

#endif
