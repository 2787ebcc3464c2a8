/* SPDX-License-Identifier: MIT */
/* The bank transfer of Ren & Lis 2018 Fig. 7, message by message, and granules that commits and aborts share. */
#include "bench.h"

#define A G(10)
#define B G(20)
enum { TX1 = 1, TX2 = 2 };

/* tx1, at 20, moves from A to B; tx2, at 10, from B to A. */
Test(validation_unit_examples, bank_transfer)
{
    bench *bench = bench_make(NULL);
    expect_ok(load_now(bench, TX1, 20, A), 'L');
    expect_entry(bench, A, 0, 20, 0, 0);
    expect_ok(store_now(bench, TX1, 20, A), 'S');
    expect_entry(bench, A, 21, 20, 1, TX1);
    expect_ok(load_now(bench, TX2, 10, B), 'L');
    expect_entry(bench, B, 0, 10, 0, 0);
    expect_ok(store_now(bench, TX2, 10, B), 'S');
    expect_entry(bench, A, 21, 20, 1, TX1); /* table 1 */
    expect_entry(bench, B, 11, 10, 1, TX2);

    expect_abort(load_now(bench, TX2, 10, A), HD_GETM_LOAD_WRITTEN, 21);
    clean_up(bench, TX2, 1, B, 1, kit_now(bench->kit));
    settle(bench);
    expect_entry(bench, A, 21, 20, 1, TX1);
    expect_entry(bench, B, 11, 10, 0, 0);
    expect_ok(load_now(bench, TX1, 20, B), 'L');
    expect_entry(bench, B, 11, 20, 0, 0);
    expect_ok(store_now(bench, TX1, 20, B), 'S');
    expect_entry(bench, A, 21, 20, 1, TX1); /* table 2 */
    expect_entry(bench, B, 21, 20, 1, TX1);

    const uint64_t waits = ask_load(bench, TX2, 2, 22, B, kit_now(bench->kit)); /* its second attempt, at 21 + 1 */
    settle(bench);
    expect_waits(outcome_of(bench, waits));
    commit(bench, TX1, 1, A, 1);
    expect_entry(bench, A, 21, 20, 0, 0);
    commit(bench, TX1, 1, B, 1);
    expect_entry(bench, B, 21, 20, 0, 0); /* table 3 */
    settle(bench);
    expect_ok(outcome_of(bench, waits), 'L');
    expect_entry(bench, B, 21, 22, 0, 0);

    const hd_time t = kit_now(bench->kit);
    const uint64_t rest[] = {ask_store(bench, TX2, 2, 22, B, 1, t), ask_load(bench, TX2, 2, 22, A, t)};
    settle(bench);
    expect_ok(outcome_of(bench, rest[0]), 'S');
    expect_ok(outcome_of(bench, rest[1]), 'L');
    const uint64_t last = ask_store(bench, TX2, 2, 22, A, 1, kit_now(bench->kit));
    settle(bench);
    expect_ok(outcome_of(bench, last), 'S');
    commit(bench, TX2, 2, A, 1);
    commit(bench, TX2, 2, B, 1);
    expect_entry(bench, A, 23, 22, 0, 0);
    expect_entry(bench, B, 23, 22, 0, 0);
    cr_expect_eq(kit_statistic(bench->kit, "aborts.load_written"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "stalled"), 1);

    /* The same on a time axis: with an arrow from what tx1 had reserved to the load of tx2. */
    cr_expect_eq(kit_recorded_count(bench->kit, "reserved"), 5);
    cr_expect_eq(kit_recorded_count(bench->kit, "refused"), 1);
    cr_expect_eq(kit_recorded_count(bench->kit, "conflict"), 6);
    cr_expect_eq(kit_recorded_count(bench->kit, "waiting"), 2);
    uint32_t count;
    const kit_traced *events = kit_recorded(bench->kit, &count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(events[i].event, "refused") == 0)
            cr_expect(events[i].values[0] == TX2 && events[i].values[1] == A && events[i].values[3] == TX1);
    bench_destroy(bench);
}

/* Lane 0 stores one word, lane 1 another; lane 1 aborts. The granule is free when both have given it back. */
Test(validation_unit_examples, commit_and_abort_share_a_granule)
{
    bench *bench = bench_make(NULL);
    ask_store(bench, 1, 1, 10, A, 1, 0);
    ask_store(bench, 1, 1, 10, A, 1, 0);
    settle(bench);
    expect_entry(bench, A, 11, 0, 2, 1);
    commit(bench, 1, 1, A, 1);
    expect_entry(bench, A, 11, 0, 1, 1);
    clean_up(bench, 1, 1, A, 1, kit_now(bench->kit));
    settle(bench);
    expect_entry(bench, A, 11, 0, 0, 0);
    bench_destroy(bench);
}

/* Five granules read at 40 .. 44, with room for four: what is known of the fifth is never too little. */
Test(validation_unit_examples, eviction)
{
    bench *bench = bench_make((const char *[]){"precise.entries=4", NULL});
    for (uint32_t i = 0; i < 5; i++)
        expect_ok(load_now(bench, 1, 40 + i, G(i)), 'L');
    cr_expect_eq(kit_statistic(bench->kit, "evictions"), 1);
    const outcome *store = store_now(bench, 2, 39, G(0));
    cr_assert_not_null(store);
    cr_expect(store->what == 'A' && store->cause >= 40);
    bench_destroy(bench);
}
