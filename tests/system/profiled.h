/* SPDX-License-Identifier: MIT */
/* What has to hold of the profile in a results file. */
#ifndef SYSTEM_PROFILED_H
#define SYSTEM_PROFILED_H

#include <jansson.h>

/* The test fails unless each column with the name of a statistic adds up to it, over all blocks that have it. */
void expect_profile_adds_up(const json_t *stats);

#endif
