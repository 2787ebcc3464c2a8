/* SPDX-License-Identifier: MIT */
/*
 * What the command prints. It arrives, or the exit code says that it did not; and on a terminal it is nothing but text.
 */
#ifndef HD_STANDARD_STREAMS_H
#define HD_STANDARD_STREAMS_H

#include <stdio.h>

/*
 * Before anything is opened or printed. A stream that was closed stays one that cannot be written to, and its number is not
 * given to a file. A pipe that nobody reads and a file that may grow no more become errors of writing. Where a stream is a
 * terminal, control characters other than newline and tab, and bytes that are no UTF-8, show as \xHH: they come from files,
 * names and programs.
 */
void standard_streams_open(void);

/* Ends the process as it would without standard_streams_open when nobody reads what it prints: for commands that write
 * nothing else. */
void standard_streams_end_with_reader(void);

/* For a line that is written over, on standard error; NULL: it is no terminal. */
FILE *standard_streams_progress(void);

/* What was printed so far is on its way. */
void standard_streams_flush(void);

/* Returns the exit code: `code`, or another one after it has said that something that was printed is lost. */
int standard_streams_close(int code);

#endif
