/* SPDX-License-Identifier: MIT */
/* Who waits for a reservation, and in which order they are tried again. */
#include "bench.h"

/* W0 holds the granule at time 5. Three wait for it: W3 to load at 9, W1 to store at 7, W2 to load at 8. */
static void three_wait(bench *bench, uint64_t tags[4])
{
    expect_ok(store_now(bench, 0, 5, G(1)), 'S');
    tags[3] = ask_load(bench, 3, 1, 9, G(1), kit_now(bench->kit));
    tags[1] = ask_store(bench, 1, 1, 7, G(1), 1, kit_now(bench->kit));
    tags[2] = ask_load(bench, 2, 1, 8, G(1), kit_now(bench->kit));
    settle(bench);
    for (uint32_t i = 1; i < 4; i++)
        expect_waits(outcome_of(bench, tags[i]));
}

Test(validation_unit_stall, the_oldest_is_first_and_loads_follow_each_other)
{
    bench *bench = bench_make(NULL);
    uint64_t tags[4];
    three_wait(bench, tags);
    commit(bench, 0, 1, G(1), 1);
    settle(bench);
    expect_ok(outcome_of(bench, tags[1]), 'S');
    expect_waits(outcome_of(bench, tags[2]));
    expect_waits(outcome_of(bench, tags[3]));
    expect_entry(bench, G(1), 8, 0, 1, 1);
    commit(bench, 1, 1, G(1), 1);
    settle(bench);
    expect_ok(outcome_of(bench, tags[2]), 'L');
    expect_ok(outcome_of(bench, tags[3]), 'L');
    cr_expect_lt(outcome_of(bench, tags[2])->t, outcome_of(bench, tags[3])->t);
    expect_entry(bench, G(1), 8, 9, 0, 0);
    cr_expect_eq(kit_statistic(bench->kit, "stalled"), 3);
    cr_expect_eq(kit_statistic(bench->kit, "woken"), 3);
    cr_expect_eq(kit_statistic(bench->kit, "stall_requests_maximum"), 3);
    cr_expect_eq(kit_statistic(bench->kit, "stall_addresses_maximum"), 1);
    const uint64_t requests = kit_statistic(bench->kit, "stall_request_cycles");
    const uint64_t addresses = kit_statistic(bench->kit, "stall_address_cycles");
    cr_expect(addresses < requests && requests < 3 * addresses, "%u of %u", (unsigned)requests, (unsigned)addresses);
    bench_destroy(bench);
}

/* A store at 30 is being looked up, in memory, when the granule becomes free: it gets it, and who waits, waits in vain. */
Test(validation_unit_stall, who_waits_for_what_a_later_one_has_got_is_refused)
{
    bench *bench = bench_make(
        (const char *[]){"precise.entries=1", "precise.ways=1", "stash=0", "overflow_latency=100 cycles", NULL});
    uint64_t tags[4];
    store_now(bench, 9, 1, G(2));
    three_wait(bench, tags);
    cr_expect_eq(((validation *)kit_instance(bench->kit))->metadata.overflow.nodes[0].entry.granule, 1);
    const uint64_t store = ask_store(bench, 4, 1, 30, G(1), 1, kit_now(bench->kit));
    kit_run_until(bench->kit, kit_now(bench->kit) + 10 * CYCLE);
    commit(bench, 0, 1, G(1), 1);
    settle(bench);
    expect_ok(outcome_of(bench, store), 'S');
    for (uint32_t i = 1; i < 4; i++)
        cr_expect_eq(outcome_of(bench, tags[i])->cause, 31);
    expect_abort(outcome_of(bench, tags[1]), HD_GETM_STORE_WRITTEN, 31);
    expect_abort(outcome_of(bench, tags[2]), HD_GETM_LOAD_WRITTEN, 31);
    cr_expect_eq(outcome_of(bench, tags[2])->winner, 4);
    cr_expect_eq(outcome_of(bench, tags[2])->winner_pc, STORE_PC(4));
    bench_destroy(bench);
}

Test(validation_unit_stall, woken_requests_come_before_new_ones)
{
    bench *bench = bench_make(NULL);
    uint64_t tags[4];
    three_wait(bench, tags);
    const hd_time t = kit_now(bench->kit) + CYCLE;
    const uint64_t later = ask_store(bench, 4, 1, 30, G(1), 1, t);
    kit_run_until(bench->kit, t);
    commit(bench, 0, 1, G(1), 1); /* at the edge at which the store at 30 comes */
    settle(bench);
    expect_ok(outcome_of(bench, tags[1]), 'S');
    expect_waits(outcome_of(bench, later));
    bench_destroy(bench);
}

/* High-water marks begin again with what waits. */
static void expect_marked(bench *bench, uint64_t requests, uint64_t addresses)
{
    hd_block *block = kit_instance(bench->kit);
    const hd_mark *mark = hd_validation_unit_getm.extension(block, HD_EXTENSION_MARK);
    mark->mark(block);
    cr_expect_eq(kit_statistic(bench->kit, "stall_requests_maximum"), requests);
    cr_expect_eq(kit_statistic(bench->kit, "stall_addresses_maximum"), addresses);
    cr_expect_eq(kit_statistic(bench->kit, "clock_maximum"), 0);
}

Test(validation_unit_stall, a_line_holds_so_many)
{
    bench *bench = bench_make(NULL);
    store_now(bench, 0, 5, G(1));
    for (uint32_t i = 0; i < 4; i++)
        expect_waits(load_now(bench, 1 + i, 10 + i, G(1)));
    expect_abort(load_now(bench, 7, 20, G(1)), HD_GETM_STALL_FULL, HD_GETM_NO_CAUSE);
    cr_expect_eq(outcome_of(bench, bench->tag - 1)->winner, 0);
    cr_expect_eq(kit_statistic(bench->kit, "aborts.stall_full"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "stall_requests_maximum"), 4);
    expect_marked(bench, 4, 1);
    commit(bench, 0, 1, G(1), 1);
    settle(bench);
    expect_marked(bench, 0, 0);
    bench_destroy(bench);
}

Test(validation_unit_stall, there_are_so_many_lines)
{
    bench *bench = bench_make((const char *[]){"stall.lines=2", "stall.entries=1", NULL});
    for (uint32_t i = 0; i < 3; i++)
        store_now(bench, 0, 5, G(i));
    expect_waits(load_now(bench, 1, 10, G(0)));
    expect_waits(store_now(bench, 1, 10, G(1)));
    expect_abort(load_now(bench, 1, 10, G(2)), HD_GETM_STALL_FULL, HD_GETM_NO_CAUSE);
    expect_abort(store_now(bench, 2, 11, G(1)), HD_GETM_STALL_FULL, HD_GETM_NO_CAUSE);
    commit(bench, 0, 1, G(0), 1);
    settle(bench);
    expect_waits(load_now(bench, 1, 10, G(2)));
    cr_expect_eq(kit_statistic(bench->kit, "stall_addresses_maximum"), 2);
    bench_destroy(bench);
}

Test(validation_unit_stall, part_of_a_reservation_wakes_nobody)
{
    bench *bench = bench_make(NULL);
    ask_store(bench, 0, 1, 5, G(1), 2, 0);
    settle(bench);
    expect_waits(load_now(bench, 1, 10, G(1)));
    const uint64_t tag = bench->tag - 1;
    commit(bench, 0, 1, G(1), 1);
    settle(bench);
    expect_waits(outcome_of(bench, tag));
    clean_up(bench, 0, 1, G(1), 1, kit_now(bench->kit));
    settle(bench);
    expect_ok(outcome_of(bench, tag), 'L');
    bench_destroy(bench);
}

/* A warp that does not wait for its stores: it waits to store, and to load another word. */
Test(validation_unit_stall, who_gets_a_granule_gets_it_for_all_that_wait_with_it)
{
    bench *bench = bench_make(NULL);
    store_now(bench, 0, 5, G(1));
    const uint64_t store = ask_store(bench, 1, 1, 9, G(1), 1, kit_now(bench->kit));
    const uint64_t load = ask_load(bench, 1, 1, 9, G(1), kit_now(bench->kit));
    settle(bench);
    expect_waits(outcome_of(bench, load));
    commit(bench, 0, 1, G(1), 1);
    settle(bench);
    expect_ok(outcome_of(bench, store), 'S');
    expect_ok(outcome_of(bench, load), 'L');
    bench_destroy(bench);
}

/* The plain reading of the paper: only releases wake, and only one. */
Test(validation_unit_stall, waking_the_oldest_alone_leaves_loads_behind)
{
    bench *bench = bench_make((const char *[]){"test.wake=oldest", NULL});
    kit_expect_fault(bench->kit);
    store_now(bench, 0, 5, G(1));
    const uint64_t first = ask_load(bench, 1, 1, 10, G(1), kit_now(bench->kit));
    const uint64_t second = ask_load(bench, 2, 1, 11, G(1), kit_now(bench->kit));
    settle(bench);
    commit(bench, 0, 1, G(1), 1);
    settle(bench);
    expect_ok(outcome_of(bench, first), 'L');
    expect_waits(outcome_of(bench, second));
#ifndef NDEBUG
    cr_expect_str_eq(kit_fault_text(bench->kit), "block: I4: requests wait for granule 0x1, which is free");
#endif
    bench_destroy(bench);
}

Test(validation_unit_stall, who_waits_is_named)
{
    bench *bench = bench_make(NULL);
    store_now(bench, 0, 5, G(1));
    load_now(bench, 1, 10, G(1));
    const hd_pending *pending = hd_validation_unit_getm.extension(kit_instance(bench->kit), HD_EXTENSION_PENDING);
    cr_expect(pending->has_work(kit_instance(bench->kit)));
    commit(bench, 0, 1, G(1), 1);
    settle(bench);
    cr_expect_not(pending->has_work(kit_instance(bench->kit)));
    bench_destroy(bench);
}
