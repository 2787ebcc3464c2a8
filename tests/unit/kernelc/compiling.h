/* SPDX-License-Identifier: MIT */
/* One program after the other, as texts. */
#ifndef TESTS_KERNELC_COMPILING_H
#define TESTS_KERNELC_COMPILING_H

#include <criterion/criterion.h>
#include <string.h>

#include "kernelc.h"

/* To be freed. */
static inline kernelc_output compiled(const char *text, const char *options, kernelc_outcome expected)
{
    kernelc_output made;
    const kernelc_input input = {
        .name = "folder/my.cl", .data = text, .bytes = strlen(text), .options = options, .cache = ""};
    const kernelc_outcome outcome = heddle_kernelc_compile(&input, &made);
    cr_assert_eq(outcome, expected, "%u: %s", outcome, made.log ? made.log : "");
    cr_assert_eq(made.image != NULL, expected == KERNELC_DONE);
    return made;
}

#endif
