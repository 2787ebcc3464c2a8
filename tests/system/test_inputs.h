/* SPDX-License-Identifier: MIT */
/* The tiny inputs that apps name in their app.yaml, section test. */
#ifndef SYSTEM_TEST_INPUTS_H
#define SYSTEM_TEST_INPUTS_H

#include <stddef.h>

#define INPUT_OPTIONS_MAX 12

typedef struct test_input {
    char app[256];
    int needs_independent_lanes;
    size_t option_count;
    char options[INPUT_OPTIONS_MAX][64]; /* "app.n=1" */
} test_input;

/* Of every app of the build, by name, those that any machine can run; to be freed. */
test_input *test_inputs_read(size_t *count);
/* Likewise, those that need transactions on global memory; or on the scratchpad. */
test_input *test_inputs_read_transactional(size_t *count);
test_input *test_inputs_read_on_scratchpads(size_t *count);
test_input *test_inputs_read_on_both(size_t *count);

#endif
