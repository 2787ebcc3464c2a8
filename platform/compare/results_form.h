/* SPDX-License-Identifier: MIT */
/* What a comparison reads of a file of results, and what has to be there. */
#ifndef COMPARE_RESULTS_FORM_H
#define COMPARE_RESULTS_FORM_H

#include <jansson.h>

/* NULL, or the first thing that is not as `heddle run` writes it: "'kernels[0].cycles' must be a count, not a text". To be
 * freed. */
char *results_form_fault(const json_t *results);

#endif
