/* SPDX-License-Identifier: MIT */
/* What changed most, of what there is most of, comes first. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "results.h"

TestSuite(compare_ranking, .fini = results_done);

static void expect_effect(const comparison *made, const char *name, double effect)
{
    const statistic_comparison *row = statistic_of(made, name);
    cr_assert(row, "no %s", name);
    cr_expect_float_eq(row->effect, effect, 1e-12, "%s: %g", name, row->effect);
}

Test(compare_ranking, a_change_is_weighed_by_its_share)
{
    json_t *b = results_new();
    results_set(b, "busy/core/warp_instructions", "1250");
    results_set(b, "busy/core/memory_instructions", "200");
    results_set(b, "busy/core/divergent_branches", "11");
    const comparison *made = results_compare(results_new(), b);
    /* 1250 is the largest number of instructions: +25 % of all beats +100 % of few. */
    expect_effect(made, "core.warp_instructions", 250 / 1250.0);
    expect_effect(made, "core.memory_instructions", 100 / 1250.0);
    /* The only number of branches. */
    expect_effect(made, "core.divergent_branches", 1 / 11.0);
    expect_effect(made, "core.cycles", 0);
    cr_expect_str_eq(made->statistics[0].name, "core.warp_instructions");
    cr_expect_str_eq(made->statistics[1].name, "core.divergent_branches");
    cr_expect_str_eq(made->statistics[2].name, "core.memory_instructions");
}

Test(compare_ranking, bytes_do_not_outweigh_requests)
{
    json_t *b = results_new();
    results_set(b, "busy/dram/row_hits", "25");
    const comparison *made = results_compare(results_new(), b);
    cr_expect_str_eq(statistic_of(made, "dram.row_hits")->unit, "requests");
    cr_expect_str_eq(statistic_of(made, "dram.bytes_read")->unit, "bytes");
    expect_effect(made, "dram.row_hits", 25 / 50.0);
}

Test(compare_ranking, it_is_the_same_from_both_sides)
{
    json_t *b = results_new();
    results_set(b, "busy/core/cycles", "2400");
    results_set(b, "busy/core/memory_instructions", "0");
    const comparison *made = results_compare(results_new(), b);
    double forth[2] = {statistic_of(made, "core.cycles")->effect,
                       statistic_of(made, "core.memory_instructions")->effect};
    cr_expect_str_eq(made->statistics[0].name, "core.cycles");
    results_done();
    b = results_new();
    results_set(b, "busy/core/cycles", "2400");
    results_set(b, "busy/core/memory_instructions", "0");
    made = results_compare(b, results_new());
    expect_effect(made, "core.cycles", forth[0]);
    expect_effect(made, "core.memory_instructions", forth[1]);
}

Test(compare_ranking, equal_effects_stand_by_name)
{
    json_t *b = results_new();
    results_set(b, "busy/dram/row_hits", "40");
    results_set(b, "busy/dram/row_conflicts", "40");
    const comparison *made = results_compare(results_new(), b);
    cr_expect_str_eq(made->statistics[0].name, "dram.row_conflicts");
    cr_expect_str_eq(made->statistics[1].name, "dram.row_hits");
}

Test(compare_ranking, what_one_does_not_have_is_not_zero)
{
    json_t *b = results_new();
    results_remove(b, "busy/dram/row_hits");
    results_set(b, "busy/core/other", "5");
    const comparison *made = results_compare(results_new(), b);
    const statistic_comparison *hits = statistic_of(made, "dram.row_hits"), *other = statistic_of(made, "core.other");
    cr_expect(hits->is_there[0] && !hits->is_there[1]);
    cr_expect(!other->is_there[0] && other->is_there[1]);
    cr_expect_str_eq(other->unit, "");
    expect_effect(made, "dram.row_hits", 0);
    for (uint32_t i = made->statistic_count - 2; i < made->statistic_count; i++)
        cr_expect(&made->statistics[i] == hits || &made->statistics[i] == other, "those two come last");
}

Test(compare_ranking, without_kernels_the_whole_run_counts)
{
    json_t *b = results_new();
    results_set(b, "kernels", "[]");
    const comparison *made = results_compare(results_new(), b);
    cr_expect_not(made->is_of_kernels);
    cr_expect_eq(made->time_ps[0], 2000000);
    cr_expect_eq(statistic_of(made, "core.cycles")->values[0], 9999);
    cr_expect_null(statistic_of(made, "core.warp_instructions"));
}

/* The order is one of effects alone, whatever the numbers are. */
Test(compare_ranking, random_numbers_are_in_order)
{
    static const char *const paths[] = {"busy/core/cycles", "busy/core/warp_instructions",
                                        "busy/core/memory_instructions", "busy/dram/row_hits", "busy/dram/bytes_read"};
    const unsigned seed = 20260922;
    srand(seed);
    for (int round = 0; round < 200; round++) {
        json_t *a = results_new(), *b = results_new();
        for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
            char text[24];
            snprintf(text, sizeof text, "%d", rand() % (round + 2));
            results_set(rand() % 2 ? a : b, paths[i], text);
        }
        const comparison *made = results_compare(a, b);
        for (uint32_t i = 0; i < made->statistic_count; i++) {
            const statistic_comparison *row = &made->statistics[i];
            cr_assert(row->effect >= 0 && row->effect <= 1, "seed %u, round %d: %s", seed, round, row->name);
            cr_assert_eq(row->effect > 0, row->values[0] != row->values[1], "seed %u, round %d: %s", seed, round,
                         row->name);
            cr_assert(!i || row[-1].effect >= row->effect, "seed %u, round %d: %s", seed, round, row->name);
        }
        results_done();
    }
}
