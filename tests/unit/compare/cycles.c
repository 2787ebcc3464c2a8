/* SPDX-License-Identifier: MIT */
/* Rows of cycles add up to the time compared. */
#include <criterion/criterion.h>

#include "results.h"

TestSuite(compare_cycles, .fini = results_done);

static double sum(const comparison *made, int side)
{
    double all = 0;
    for (uint32_t i = 0; i < made->cycle_count; i++)
        all += made->cycles[i].cycles[side];
    return all;
}

/* Two cores with two ports each, 1,000 cycles. */
Test(compare_cycles, they_are_those_of_an_average_port)
{
    json_t *b = results_new();
    results_set(b, "busy_ps", "1500000");
    results_set(b, "busy/core/slots_idle", "4600");
    results_set(b, "busy/core/slots_memory_pipe", "200");
    results_set(b, "busy/core/empty_cycles", "100");
    const comparison *made = results_compare(results_new(), b);
    cr_expect_float_eq(cycles_of(made, "issued")->cycles[0], 250, 1e-9);
    cr_expect_float_eq(cycles_of(made, "idle")->cycles[0], 650, 1e-9);
    cr_expect_float_eq(cycles_of(made, "idle")->cycles[1], 1150, 1e-9);
    cr_expect_float_eq(cycles_of(made, "memory pipe")->cycles[0], 0, 1e-9);
    cr_expect_float_eq(cycles_of(made, "memory pipe")->cycles[1], 50, 1e-9);
    cr_expect_float_eq(cycles_of(made, "no block resident")->cycles[0], 100, 1e-9);
    cr_expect_float_eq(cycles_of(made, "no block resident")->cycles[1], 50, 1e-9);
    cr_expect_float_eq(sum(made, 0), 1000, 1e-9);
    cr_expect_float_eq(sum(made, 1), 1500, 1e-9);
}

Test(compare_cycles, the_largest_difference_is_first)
{
    json_t *b = results_new();
    results_set(b, "busy/core/slots_idle", "1000");
    results_set(b, "busy/core/slots_issued", "1400");
    results_set(b, "busy/core/slots_fetch", "300");
    results_set(b, "busy/core/empty_cycles", "450");
    const comparison *made = results_compare(results_new(), b);
    cr_expect_str_eq(made->cycles[0].name, "idle");
    cr_expect_str_eq(made->cycles[1].name, "no block resident");
    cr_expect_str_eq(made->cycles[2].name, "issued");
    cr_expect_str_eq(made->cycles[3].name, "fetch");
}

Test(compare_cycles, another_number_of_cores_changes_the_average_alone)
{
    json_t *b = results_new();
    results_set(b, "machine/blocks/0/count", "4");
    results_set(b, "busy/core/slots_issued", "4000");
    results_set(b, "busy/core/slots_idle", "10400");
    results_set(b, "busy/core/empty_cycles", "800");
    const comparison *made = results_compare(results_new(), b);
    cr_expect_float_eq(cycles_of(made, "issued")->cycles[1], 500, 1e-9);
    cr_expect_float_eq(sum(made, 1), 2000, 1e-9);
}

Test(compare_cycles, cores_without_issue_slots_have_no_rows)
{
    json_t *b = results_new();
    results_remove(b, "busy/core/slots_idle");
    results_remove(b, "busy/core/slots_issued");
    cr_expect_eq(results_compare(results_new(), b)->cycle_count, 0);
}
