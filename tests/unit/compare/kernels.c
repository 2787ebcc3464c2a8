/* SPDX-License-Identifier: MIT */
/* Kernels side by side. */
#include <criterion/criterion.h>

#include "results.h"

TestSuite(compare_kernels, .fini = results_done);

Test(compare_kernels, launches_of_a_function_are_one_row)
{
    json_t *b = results_new();
    results_set(b, "kernels",
                "[{'kernel': 'second', 'cycles': 5}, {'kernel': 'first', 'cycles': 100},"
                " {'kernel': 'third'}, {'kernel': 'first', 'cycles': 11}]");
    const comparison *made = results_compare(results_new(), b);
    cr_assert_eq(made->kernel_count, 3);
    cr_expect_str_eq(made->kernels[0].name, "first");
    cr_expect_eq(made->kernels[0].launches[0], 1);
    cr_expect_eq(made->kernels[0].launches[1], 2);
    cr_expect_eq(made->kernels[0].cycles[0], 600);
    cr_expect_eq(made->kernels[0].cycles[1], 111);
    cr_expect_str_eq(made->kernels[2].name, "third");
    cr_expect_eq(made->kernels[2].launches[0], 0);
    cr_expect_eq(comparison_kernel_cycles(made, 0), 1000);
    cr_expect_eq(comparison_kernel_cycles(made, 1), 116);
}
