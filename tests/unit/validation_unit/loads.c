/* SPDX-License-Identifier: MIT */
/* Loads, whose verdict is that of the moment at which the slice takes them. */
#include "bench.h"

Test(validation_unit_loads, go_on_as_they_came)
{
    bench *bench = bench_make(NULL);
    bench->holds_loads = 1;
    ask_load(bench, 5, 3, 10, G(1) + 4, 0);
    settle(bench);
    cr_assert_eq(bench->held_count, 1);
    const hd_packet *load = bench->held[0];
    cr_expect_eq(load->message, kit_message(bench->kit, HD_GLOBAL_LOAD));
    cr_expect_eq(load->source, CORE);
    cr_expect_eq(load->epoch, 3);
    cr_expect_eq(load->flow, 5);
    cr_expect_eq(load->address, G(1) + 4);
    cr_expect_eq(load->argument, 4);
    cr_expect_eq(load->unit, HD_DESTINATION_L2_SLICE);
    cr_expect_eq(load->traffic_class, HD_CLASS_TRANSACTION);
    expect_entry(bench, G(1), 0, 0, 0, 0); /* nothing is approved yet */
    slice_takes(bench);
    expect_entry(bench, G(1), 0, 10, 0, 0);
    bench_destroy(bench);
}

/* A store that comes behind a load and is decided on before the slice takes that. */
Test(validation_unit_loads, may_be_overtaken)
{
    bench *bench = bench_make(NULL);
    bench->holds_loads = 1;
    const uint64_t old = ask_load(bench, 1, 1, 10, G(1), 0);
    const uint64_t young = ask_load(bench, 2, 1, 50, G(1), 0);
    settle(bench);
    expect_ok(store_now(bench, 3, 30, G(1)), 'S');
    slice_takes(bench);
    settle(bench);
    expect_abort(outcome_of(bench, old), HD_GETM_LOAD_WRITTEN, 31);
    expect_waits(outcome_of(bench, young));
    cr_expect_eq(kit_statistic(bench->kit, "late_verdicts"), 2);
    bench->holds_loads = 0;
    commit(bench, 3, 1, G(1), 1);
    settle(bench);
    expect_ok(outcome_of(bench, young), 'L');
    cr_expect_eq(kit_statistic(bench->kit, "approved.loads"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "loads"), 2);
    bench_destroy(bench);
}

/* What the rule is for: the load was approved when it came, and reads what was written after that. */
Test(validation_unit_loads, that_are_approved_when_they_come_read_too_late)
{
    bench *bench = bench_make((const char *[]){"test.verdict=arrival", NULL});
    bench->holds_loads = 1;
    const uint64_t old = ask_load(bench, 1, 1, 10, G(1), 0);
    settle(bench);
    expect_ok(store_now(bench, 3, 30, G(1)), 'S');
    commit(bench, 3, 1, G(1), 1); /* data of time 30 */
    slice_takes(bench);
    expect_ok(outcome_of(bench, old), 'L');
    bench_destroy(bench);
}

Test(validation_unit_loads, keep_their_entry_on_the_way)
{
    bench *bench = bench_make((const char *[]){"precise.entries=1", "precise.ways=1", "stash=0", NULL});
    bench->holds_loads = 1;
    const uint64_t tag = ask_load(bench, 1, 1, 10, G(1), 0);
    settle(bench);
    for (uint32_t i = 2; i < 6; i++)
        store_now(bench, 2, 20, G(i));
    cr_expect_not_null(entry_of(bench, G(1)));
    slice_takes(bench);
    expect_ok(outcome_of(bench, tag), 'L');
    bench_destroy(bench);
}

Test(validation_unit_loads, only_so_many_are_on_their_way)
{
    bench *bench = bench_make((const char *[]){"loads=3", NULL});
    bench->holds_loads = 1;
    for (uint32_t i = 0; i < 5; i++)
        ask_load(bench, 1, 1, 10, G(i), 0);
    settle(bench);
    cr_expect_eq(bench->held_count, 3);
    slice_takes(bench);
    settle(bench);
    slice_takes(bench);
    cr_expect_eq(bench->count, 5);
    cr_expect_gt(kit_statistic(bench->kit, "wait_cycles.slice"), 1900);
    bench_destroy(bench);
}

/* A store is not tried again before loads that were, or it would refuse them. */
Test(validation_unit_loads, that_are_woken_are_not_overtaken_by_stores_that_waited_too)
{
    bench *bench = bench_make(NULL);
    store_now(bench, 0, 5, G(1));
    const uint64_t load = ask_load(bench, 1, 1, 9, G(1), kit_now(bench->kit));
    const uint64_t store = ask_store(bench, 2, 1, 12, G(1), 1, kit_now(bench->kit));
    settle(bench);
    bench->holds_loads = 1;
    commit(bench, 0, 1, G(1), 1);
    settle(bench);
    cr_expect_eq(bench->held_count, 1);
    expect_waits(outcome_of(bench, store));
    slice_takes(bench);
    settle(bench);
    expect_ok(outcome_of(bench, load), 'L');
    expect_ok(outcome_of(bench, store), 'S');
    bench_destroy(bench);
}

/* Weak isolation: a write outside of transactions is not stopped, but seen. */
Test(validation_unit_loads, plain_writes_to_what_is_reserved_are_counted)
{
    bench *bench = bench_make(NULL);
    store_now(bench, 0, 5, G(1));
    uint64_t note = 0;
    hd_packet *store = kit_packet(bench->kit, HD_GLOBAL_STORE, sizeof(hd_store) + 64);
    store->argument = 64;
    const hd_tap_access write = {.request = store, .t = kit_now(bench->kit)};
    cr_expect_eq(kit_tap_write(bench->kit, PORT_TAP, 0, &write, &note), HD_TAP_PASS); /* granules 0 and 1 */
    store->address = G(2);
    kit_tap_write(bench->kit, PORT_TAP, 0, &write, &note);
    kit_free(bench->kit, store);
    hd_packet *atomic = kit_packet(bench->kit, HD_GLOBAL_ATOMIC, 2 * sizeof(hd_atomic_operation));
    *(hd_atomic_operation *)hd_body(atomic) = (hd_atomic_operation){.operation = HD_ATOMIC_ADD, .word = 15};
    atomic->argument = 1;
    const hd_tap_access add = {.request = atomic, .t = kit_now(bench->kit)};
    cr_expect_eq(kit_tap_sample(bench->kit, PORT_TAP, 0, &add, &note), HD_TAP_PASS);
    kit_tap_write(bench->kit, PORT_TAP, 0, &add, &note);
    kit_free(bench->kit, atomic);
    cr_expect_eq(kit_statistic(bench->kit, "plain_writes"), 2);
    bench_destroy(bench);
}
