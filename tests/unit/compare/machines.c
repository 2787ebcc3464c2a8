/* SPDX-License-Identifier: MIT */
/* What is different about two machines and their inputs. */
#include <criterion/criterion.h>

#include "results.h"

TestSuite(compare_machines, .fini = results_done);

static void expect_difference(const comparison *made, const char *what, const char *a, const char *b, int follows)
{
    const machine_difference *row = difference_of(made, what);
    const char *wanted[] = {a, b};
    cr_assert(row, "no difference in %s", what);
    for (int side = 0; side < 2; side++) {
        cr_assert_eq(!wanted[side], !row->values[side], "%s of %c", what, 'A' + side);
        if (wanted[side])
            cr_expect_str_eq(row->values[side], wanted[side], "%s", what);
    }
    cr_expect_eq(row->is_consequence, follows, "%s", what);
}

Test(compare_machines, the_same_has_none)
{
    cr_expect_eq(results_compare(results_new(), results_new())->difference_count, 0);
}

Test(compare_machines, parameters_with_both_values)
{
    json_t *b = results_new();
    results_set(b, "machine/blocks/0/parameters/warps", "8");
    results_set(b, "machine/blocks/0/parameters/scheduler", "'lrr'");
    results_set(b, "machine/clocks_hz/dram", "600000000");
    results_set(b, "machine/address_map/interleave_bytes", "512");
    results_set(b, "machine/limit_ps", "77");
    results_set(b, "machine/launch_align", "false");
    results_set(b, "app/inputs/n", "32");
    results_set(b, "seed", "2");
    const comparison *made = results_compare(results_new(), b);
    expect_difference(made, "core.warps", "16", "8", 0);
    expect_difference(made, "core.scheduler", "gto", "lrr", 0);
    expect_difference(made, "clocks.dram", "500000000", "600000000", 0);
    expect_difference(made, "address_map.interleave_bytes", "256", "512", 0);
    expect_difference(made, "limit_ps", "none", "77", 0);
    expect_difference(made, "launch_align", "true", "false", 0);
    expect_difference(made, "app.n", "16", "32", 0);
    expect_difference(made, "seed", "1", "2", 0);
    cr_expect_eq(made->difference_count, 8);
}

Test(compare_machines, blocks_that_only_one_has)
{
    json_t *b = results_new();
    results_set(b, "machine/blocks/9",
                "{'name': 'vu', 'kind': 'validation_unit', 'type': 'getm', 'count': 6, 'parameters': {}}");
    results_remove(b, "machine/blocks/1");
    const comparison *made = results_compare(results_new(), b);
    expect_difference(made, "dram", "dram/banked", NULL, 0);
    expect_difference(made, "vu", NULL, "6 x validation_unit/getm", 0);
    cr_expect_null(difference_of(made, "dram.banks"), "a block that is not there has no parameters to list");
}

Test(compare_machines, parameters_of_another_type_follow_from_it)
{
    json_t *b = results_new();
    results_set(b, "machine/blocks/1/type", "'fixed_latency'");
    results_set(b, "machine/blocks/1/parameters", "{'latency': 100}");
    const comparison *made = results_compare(results_new(), b);
    expect_difference(made, "dram.type", "banked", "fixed_latency", 0);
    expect_difference(made, "dram.banks", "8", NULL, 1);
    expect_difference(made, "dram.latency", NULL, "100", 1);
}

/* The same type with another parameter: another heddle. */
Test(compare_machines, parameters_of_the_same_type_do_not)
{
    json_t *b = results_new();
    results_set(b, "machine/blocks/1/parameters/ranks", "2");
    expect_difference(results_compare(results_new(), b), "dram.ranks", NULL, "2", 0);
}

Test(compare_machines, links_of_two_ports_are_one_row)
{
    json_t *b = results_new();
    results_set(b, "machine/links/0/latency_ps", "3000");
    results_set(b, "machine/links/1/latency_ps", "3000");
    results_set(b, "machine/links/1/credits", "8");
    const comparison *made = results_compare(results_new(), b);
    expect_difference(made, "core.request -> dram.access: latency_ps", "1000", "3000", 0);
    expect_difference(made, "core.request -> dram.access: credits", "4", "4, 8", 0);
    cr_expect_eq(made->difference_count, 2);
}

/* 18 names neither 8 nor 1. */
Test(compare_machines, each_value_of_links_is_named_once)
{
    json_t *b = results_new();
    results_set(b, "machine/links/1/credits", "18");
    results_set(b, "machine/links/2", "{'from': 'core[0].request', 'to': 'dram.access[2]', 'credits': 8}");
    results_set(b, "machine/links/3", "{'from': 'core[1].request', 'to': 'dram.access[3]', 'credits': 8}");
    results_set(b, "machine/links/4", "{'from': 'core[0].request', 'to': 'dram.access[4]', 'credits': 18}");
    results_set(b, "machine/links/5", "{'from': 'core[1].request', 'to': 'dram.access[5]', 'credits': 1}");
    expect_difference(results_compare(results_new(), b), "core.request -> dram.access: credits", "4", "4, 18, 8, 1", 0);
}

Test(compare_machines, numbers_of_links_follow_from_those_of_blocks)
{
    json_t *b = results_new();
    results_set(b, "machine/blocks/0/count", "1");
    results_remove(b, "machine/links/1");
    const comparison *made = results_compare(results_new(), b);
    expect_difference(made, "core.count", "2", "1", 0);
    expect_difference(made, "core.request -> dram.access", "2 links", "1 links", 1);
}

Test(compare_machines, other_links_between_the_same_blocks_do_not_follow)
{
    json_t *a = results_new();
    results_set(a, "machine/links/2", "{'from': 'core[0].event', 'to': 'dram.x', 'protocol': 'tap'}");
    const comparison *made = results_compare(a, results_new());
    expect_difference(made, "core.event -> dram.x", "1 links", NULL, 0);
}
