/* SPDX-License-Identifier: MIT */
/*
 * A text that nodes point into: a file, or the overrides of the command line.
 */
#ifndef TEXT_SOURCE_H
#define TEXT_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "arena.h"

#define SOURCE_COMMAND_LINE "<command line>"
#define SOURCE_BYTES_MAX (4u * 1024u * 1024u)

struct source;

/* A piece of one line. Columns count characters from 1; width 0: no caret is drawn. */
typedef struct span {
    const struct source *source;
    uint32_t line;
    uint32_t column;
    uint32_t width;
} span;

typedef struct source {
    const char *name; /* as shown to the user */
    const char *text; /* length bytes and a terminating zero */
    size_t length;
    uint32_t line_count;
    const uint32_t *line_starts; /* byte offset of each line */
    span extended_from;          /* the value of extends, or of another key, that led here; source NULL: nothing did */
    const char *named_by;        /* the key that led here, such as "parameters_from"; NULL: extends */
} source;

/* A source over a text that lives as long as the arena. */
source *source_of_text(arena *memory, const char *name, const char *text, size_t length);

/* The place of a byte, one column wide. */
span span_at(const source *text, size_t offset);

/* Reads a whole file into text. NULL on success, else the reason. *too_large: the file passes the bound. */
const char *source_read_file(arena *memory, const char *path, const char **text, size_t *length, int *too_large);

/* The same of a file that is no input: it is only looked at. */
const char *source_look_into_file(arena *memory, const char *path, const char **text, size_t *length, int *too_large);

#endif
