/* SPDX-License-Identifier: MIT */
/* The stored series of speeds: a row per version, each figure as a ratio to the floor of the same run. */
#ifndef BENCH_SERIES_H
#define BENCH_SERIES_H

#include "report.h"

/* Appends a row to the file, which is made if there is none. A row of the same revision is replaced. Ends the program with a
 * message if the file cannot be read or written. */
void bench_series_append(const bench_report *report, const char *path);

#endif
