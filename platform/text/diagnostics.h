/* SPDX-License-Identifier: MIT */
/*
 * Errors as the user reads them: place, number, sentence, source line, caret, notes.
 */
#ifndef TEXT_DIAGNOSTICS_H
#define TEXT_DIAGNOSTICS_H

#include <stdint.h>
#include <stdio.h>

#include "source.h"

#define REPORTED_ERRORS_MAX 20u

typedef struct diagnostics {
    FILE *out;       /* collects the text */
    uint32_t errors; /* reported so far, those past the maximum included */
} diagnostics;

#define REPORTED_SWEEP_ERROR 100u /* numbers from here on are those of sweeps: 101 is S01 */

/* One error: an enum netlist_error (netlist_errors.h), or that of a sweep. at.line 0: the file as a whole. Errors past the maximum are only
 * counted. */
void report_error(diagnostics *log, uint32_t number, span at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A word of the file within a line: what cannot be shown is a blank. */
void report_word(FILE *out, const char *word);

/* A line "note: ..." that belongs to the error just reported. */
void report_note(diagnostics *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The second place of the error just reported. */
void report_note_at(diagnostics *log, span at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* How many errors were not shown, if any. */
void report_rest(diagnostics *log);

/* Names that could have been meant. */
typedef struct candidates {
    const char **names;
    uint32_t count;
    uint32_t capacity;
} candidates;

void candidates_add(arena *memory, candidates *list, const char *name);

/* note: the nearest names, at most three; if none is near, all of them, if they are few. Returns whether it named all. */
int candidates_suggest(diagnostics *log, const char *word, const candidates *list);

#endif
