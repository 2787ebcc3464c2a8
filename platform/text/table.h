/* SPDX-License-Identifier: MIT */
/* Tables for people: aligned columns, or Markdown. */
#ifndef TEXT_TABLE_H
#define TEXT_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include "arena.h"
#include "text_format.h"

#define TABLE_COLUMNS_MAX 6u

typedef struct table {
    arena *memory;
    const char *const *titles; /* of Markdown; borrowed */
    uint32_t columns;          /* 1 .. TABLE_COLUMNS_MAX */
    uint32_t rows;
    uint32_t capacity;
    const char *(*cells)[TABLE_COLUMNS_MAX];
} table;

/* A row of `columns` texts, which are borrowed; NULL is an empty cell. */
void table_row(table *target, const char *const *cells);
#define TABLE_ROW(target, ...) table_row(target, (const char *const[]){__VA_ARGS__})

/*
 * Text: a line per row behind `indent`, the last column as long as it likes, `title` in a line of its own in front.
 * Markdown: a paragraph of the title in bold, then the table; the first column is code. Nothing if there are no rows.
 */
void table_write(const table *source, const char *title, const char *indent, enum text_format format, FILE *out);

/* "## name", and the text as a sentence below it. */
void table_write_heading(const char *name, const char *text, FILE *out);

/* Text as it stands in a Markdown cell or paragraph. */
void table_write_markdown(const char *text, FILE *out);

#endif
