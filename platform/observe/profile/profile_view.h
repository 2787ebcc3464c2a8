/* SPDX-License-Identifier: MIT */
/*
 * The profile of a run, read back from its results file, for a person: rows by source line, function or instruction, a
 * table of the hottest, the annotated source.
 */
#ifndef HD_PROFILE_VIEW_H
#define HD_PROFILE_VIEW_H

#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum profile_grouping { PROFILE_BY_LINE, PROFILE_BY_FUNCTION, PROFILE_BY_INSTRUCTION };

/* Texts are the view's. */
typedef struct profile_row {
    const char *function; /* NULL: not known */
    const char *file;     /* likewise */
    const char *text;     /* of the instruction; of several, of the first */
    uint32_t line;
    uint32_t pc; /* lowest */
    uint64_t *counts;
} profile_row;

typedef struct profile_column {
    const char *name; /* "slots_network" */
    const char *unit;
    const char *doc;
    uint64_t total;
} profile_column;

/* Lanes whose access here was refused because of what another attempt had done there. */
typedef struct profile_conflict {
    uint64_t lanes;
    const profile_row *row, *winner; /* NULL: no row of the profile */
} profile_conflict;

typedef struct profile_view {
    struct json_t *results;
    const char *path, *machine, *app, *status;
    profile_column *columns;
    uint32_t column_count;
    uint32_t has_slots;  /* 0: of cores without issue slots; shares are of warp instructions instead */
    uint64_t whole;      /* what shares are of, in all rows and elsewhere */
    uint64_t *elsewhere; /* what has no place in the program */
    profile_row *rows;   /* by pc, or as grouped and sorted */
    uint32_t row_count;
    profile_conflict *conflicts;
    uint32_t conflict_count;
    profile_row *places; /* what conflicts point to: rows by pc, before they were grouped */
    uint64_t *cells;     /* of rows and elsewhere */
} profile_view;

/* ---- profile_read.c ----------------------------------------------------------------------------------------------- */

/* The results file, or the folder that `run --out` has filled. 0 and *error, the whole text for the user, to be freed by the
 * caller: it is no such file, is of a newer version, has no profile, or not one that can be read. path is borrowed. */
uint32_t profile_view_open(profile_view *view, const char *path, char **error);
void profile_view_close(profile_view *view);

/* ---- profile_rows.c ----------------------------------------------------------------------------------------------- */

/* Rows of one line (with function: what has no line), or one function, together. Once. */
void profile_view_group(profile_view *view, enum profile_grouping by);
/* The largest first; equal ones by pc. */
#define PROFILE_BY_SHARE UINT32_MAX
void profile_view_sort(profile_view *view, uint32_t column);
/* UINT32_MAX: there is none. */
uint32_t profile_view_column(const profile_view *view, const char *name);
uint32_t profile_view_is_slots(const profile_column *column);
/* Of these counts, what `whole` is the sum of. */
uint64_t profile_view_part(const profile_view *view, const uint64_t *counts);
double profile_view_share(const profile_view *view, const uint64_t *counts); /* in percent */
/* One of these columns, 0 where the file has none. */
uint64_t profile_view_count(const profile_view *view, const uint64_t *counts, const char *name);

/* ---- profile_print.c ---------------------------------------------------------------------------------------------- */

typedef struct profile_layout {
    enum profile_grouping by;
    uint32_t top;        /* rows at most */
    const char *sources; /* folder that file names are relative to */
} profile_layout;

void profile_view_print(const profile_view *view, const profile_layout *look, FILE *out);
/* All rows and columns, comma-separated. */
void profile_view_print_csv(const profile_view *view, FILE *out);
/* File, line, function and pc of a row, four fields; nothing in them for NULL: not known. */
void profile_put_csv_place(const profile_row *row, FILE *out);
/* "network 61%, memory data 20%": what the lost slots were lost to, the largest first, into `bytes` of text. */
void profile_view_causes(const profile_view *view, const uint64_t *counts, char *text, size_t bytes);
double profile_view_percent(uint64_t part, uint64_t whole);

/* Where rows are: "kernel.c:26", "simt_lock", "0x80000010 kernel.c:26". */
void profile_view_name(const profile_row *row, enum profile_grouping by, char *text, size_t bytes);

/* ---- profile_conflicts.c ------------------------------------------------------------------------------------------ */

/* 0: the file's are damaged. `rows` are those of the file, not yet grouped. */
uint32_t profile_conflicts_read(profile_view *view, const struct json_t *conflicts);
/* Pairs of places, as `look` groups them, the most frequent first; csv: all of them, comma-separated. */
void profile_conflicts_print(profile_view *view, const profile_layout *look, uint32_t csv, FILE *out);

/* ---- profile_branches.c ------------------------------------------------------------------------------------------- */

/* Rows as they are in the file, not yet grouped. 0: it is of a version that did not count which lanes took branches. */
uint32_t profile_branches_print(const profile_view *view, FILE *out);

/* ---- profile_source.c --------------------------------------------------------------------------------------------- */

/* A source file by its lines. */
typedef struct source_lines {
    char *text;
    char **lines; /* without newlines */
    uint32_t count;
} source_lines;

/* 0: it is not there. */
uint32_t profile_source_read(source_lines *source, const char *folder, const char *file);
void profile_source_free(source_lines *source);
/* Line from 1, NULL beyond the end, or of a file that is not there. */
const char *profile_source_line(const source_lines *source, uint32_t line);

/* The files of rows by line, each line with its counts; what is far from any is left out. Files that are not there are
 * named. */
void profile_view_annotate(const profile_view *view, const profile_layout *look, FILE *out);

/* ---- profile_levels.c --------------------------------------------------------------------------------------------- */

/* Writes what blocks of each kernel have used, as static_oracle reads it. Returns how many kernels there are. */
uint32_t profile_levels_print(const profile_view *view, FILE *out);

#ifdef __cplusplus
}
#endif

#endif
