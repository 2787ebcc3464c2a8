/* SPDX-License-Identifier: MIT */
/* What the tables cost, seen from outside. */
#include "bench.h"

static const char *const tiny[] = {"precise.entries=4", "approximate.entries=64", "overflow_latency=100 cycles",
                                   "overflow_lists=1",  "overflow_line=1",        NULL};

Test(validation_unit, takes_one_request_each_cycle)
{
    bench *bench = bench_make(NULL);
    uint64_t tags[8];
    for (uint32_t i = 0; i < 8; i++)
        tags[i] = ask_store(bench, 1, 1, 5, G(i), 1, 0);
    settle(bench);
    for (uint32_t i = 0; i < 8; i++)
        cr_expect_eq(outcome_of(bench, tags[i])->t, (i + 2) * CYCLE);
    cr_expect_eq(kit_statistic(bench->kit, "table_cycles"), 8);
    cr_expect_eq(kit_statistic(bench->kit, "look_ups"), 8);
    bench_destroy(bench);
}

/* High-water marks begin again with what is there. */
static void expect_marked(bench *bench, const uint64_t *levels)
{
    static const char *const names[] = {"entries_maximum", "stash_maximum", "overflow_maximum"};
    hd_block *block = kit_instance(bench->kit);
    const hd_mark *mark = hd_validation_unit_getm.extension(block, HD_EXTENSION_MARK);
    mark->mark(block);
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_eq(kit_statistic(bench->kit, names[i]), levels[i], "%s: %u", names[i],
                     (unsigned)kit_statistic(bench->kit, names[i]));
}

Test(validation_unit, kicks_and_the_list_in_memory_take_cycles_from_all)
{
    bench *bench = bench_make(tiny);
    uint64_t tags[10];
    for (uint32_t i = 0; i < 10; i++)
        tags[i] = ask_store(bench, 1, 1, 5, G(i), 1, 0);
    settle(bench);
    uint64_t at = 1;
    for (uint32_t i = 0; i < 10; i++) {
        at += i < 4 ? 1 : i < 8 ? 9 : i == 8 ? 109 : 209;
        cr_expect_eq(outcome_of(bench, tags[i])->t, at * CYCLE, "%u: %u, not %u", i,
                     (unsigned)(outcome_of(bench, tags[i])->t / CYCLE), (unsigned)at);
    }
    cr_expect_eq(kit_statistic(bench->kit, "kicks"), 48);
    cr_expect_eq(kit_statistic(bench->kit, "stashed"), 4);
    cr_expect_eq(kit_statistic(bench->kit, "overflows"), 2);
    cr_expect_eq(kit_statistic(bench->kit, "overflow_accesses"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "stash_maximum"), 4);
    cr_expect_eq(kit_statistic(bench->kit, "overflow_maximum"), 2);
    cr_expect_eq(kit_statistic(bench->kit, "entries_maximum"), 4);
    cr_expect_eq(kit_statistic(bench->kit, "table_misses"), 10);
    for (uint32_t i = 0; i < 10; i++)
        clean_up(bench, 1, 1, G(i), 1, kit_now(bench->kit));
    settle(bench);
    cr_expect_eq(bench->released, 10);
    cr_expect_eq(((validation *)kit_instance(bench->kit))->reserved_granules, 0);
    expect_marked(bench, (const uint64_t[]){4, 4, 0});
    kit_align(bench->kit);
    expect_marked(bench, (const uint64_t[]){0, 0, 0});
    bench_destroy(bench);
}

Test(validation_unit, hits_are_counted_by_where_they_are)
{
    bench *bench = bench_make(tiny);
    for (uint32_t i = 0; i < 9; i++)
        store_now(bench, 1, 5, G(i));
    for (uint32_t i = 9; i-- > 0;)
        expect_ok(store_now(bench, 1, 5, G(i)), 'S');
    cr_expect_gt(kit_statistic(bench->kit, "hits.cuckoo"), 0);
    cr_expect_gt(kit_statistic(bench->kit, "hits.stash"), 0);
    cr_expect_gt(kit_statistic(bench->kit, "hits.overflow"), 0);
    cr_expect_eq(kit_statistic(bench->kit, "hits.cuckoo") + kit_statistic(bench->kit, "hits.stash") +
                     kit_statistic(bench->kit, "hits.overflow"),
                 9);
    bench_destroy(bench);
}

Test(validation_unit, entries_are_of_all_partitions_together)
{
    static const struct {
        uint32_t partitions, precise, approximate;
    } cases[] = {{6, 171, 43}, {8, 128, 32}, {1, 1024, 256}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kit_block *kit = kit_create(&hd_validation_unit_getm, NULL);
        kit_name(kit, "unit", 0, cases[i].partitions);
        kit_start(kit);
        const validation *unit = (const validation *)kit_instance(kit);
        cr_expect_eq(unit->metadata.table.sets, cases[i].precise);
        cr_expect_eq(unit->metadata.filter.sets, cases[i].approximate);
        kit_destroy(kit);
    }
}

Test(validation_unit, answers_wait_for_credits_and_requests_for_answers)
{
    bench *bench = bench_make((const char *[]){"replies=2", NULL});
    kit_hold_credits(bench->kit, PORT_REPLY, 0, 1);
    uint64_t tags[40];
    for (uint32_t i = 0; i < 40; i++)
        tags[i] = ask_store(bench, 1, 1, 5, G(i), 1, 0);
    settle(bench);
    cr_expect_eq(bench->count, 16);
    cr_expect_eq(kit_statistic(bench->kit, "stores"), 18);
    kit_hold_credits(bench->kit, PORT_REPLY, 0, 0);
    kit_release_credits(bench->kit, PORT_REPLY, 0, 16, kit_now(bench->kit));
    settle(bench);
    for (uint32_t i = 0; i < 40; i++)
        expect_ok(outcome_of(bench, tags[i]), 'S');
    cr_expect_gt(kit_statistic(bench->kit, "wait_cycles.reply"), 1900);
    bench_destroy(bench);
}

Test(validation_unit, an_answer_takes_its_latency)
{
    bench *bench = bench_make((const char *[]){"latency=20 cycles", NULL});
    const uint64_t tag = ask_store(bench, 1, 1, 5, G(1), 1, 0);
    settle(bench);
    cr_expect_eq(outcome_of(bench, tag)->t, 21 * CYCLE);
    bench_destroy(bench);
}
