/* SPDX-License-Identifier: MIT */
/* Results files. */
#ifndef SYSTEM_STATS_H
#define SYSTEM_STATS_H

#include <jansson.h>

/* The file as JSON without its section `host`; a new reference. The test fails if it is not there or not JSON, or if
 * the statistics of a run that came to its end do not fit together (identities.h). */
json_t *stats_read(const char *path);
/* Text of the value at "a/b/c"; an index for an array. Fails if there is none. */
const json_t *stats_at(const json_t *stats, const char *path);
/* The test fails unless both are the same, saying where they differ first. */
void expect_same_stats(const json_t *a, const json_t *b);

#endif
