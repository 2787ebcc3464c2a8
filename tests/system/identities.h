/* SPDX-License-Identifier: MIT */
/*
 * Conservation: the identities that docs/statistics.md states, read from there. In its blocks marked `identities`, a line
 * is SCOPE: SUM = SUM, or <= instead of =. A sum is names and numbers with + - and *. SCOPE is a kind of block, and the
 * line holds for each of its instances; or `machine`, and names are KIND.NAME, summed over all blocks of the kind.
 * MESSAGE in a line stands for every message type in turn. A line holds where every name in it exists (measures.h).
 */
#ifndef SYSTEM_IDENTITIES_H
#define SYSTEM_IDENTITIES_H

#include <jansson.h>

#define IDENTITY_ALWAYS 0u  /* block marked `identities always` */
#define IDENTITY_AT_REST 1u /* block marked `identities at rest` */

/* The test fails for each identity that does not hold. Those at rest include those that always hold. */
void expect_identities(const json_t *measures, unsigned when);
/* Those that always hold: over the run, and over each kernel by itself. */
void expect_results_identities(const json_t *stats);

/* Text of identity `index` and how often it was asserted in this process with something else than 0 on both sides. NULL:
 * there are no more. */
const char *identity_use(size_t index, unsigned *count);

#endif
