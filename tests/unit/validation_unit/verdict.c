/* SPDX-License-Identifier: MIT */
/* Each cell of the table of verdicts (Ren & Lis 2018 Fig. 6), and what each verdict says and leaves behind. */
#include "bench.h"

Test(validation_unit, a_granule_never_used_lets_all_pass)
{
    bench *bench = bench_make(NULL);
    expect_ok(load_now(bench, 1, 0, G(1)), 'L');
    expect_entry(bench, G(1), 0, 0, 0, 0);
    expect_ok(store_now(bench, 2, 0, G(2)), 'S');
    expect_entry(bench, G(2), 1, 0, 1, 2);
    bench_destroy(bench);
}

Test(validation_unit, a_load_raises_the_time_of_reading_and_nothing_lowers_it)
{
    bench *bench = bench_make(NULL);
    expect_ok(load_now(bench, 1, 9, G(1)), 'L');
    expect_ok(load_now(bench, 2, 5, G(1)), 'L');
    expect_entry(bench, G(1), 0, 9, 0, 0);
    bench_destroy(bench);
}

Test(validation_unit, what_is_free_is_refused_by_time)
{
    bench *bench = bench_make(NULL);
    expect_ok(store_now(bench, 1, 20, G(1)), 'S'); /* 21/0 */
    commit(bench, 1, 1, G(1), 1);
    expect_ok(load_now(bench, 1, 30, G(2)), 'L'); /* 0/30 */
    expect_abort(load_now(bench, 2, 20, G(1)), HD_GETM_LOAD_WRITTEN, 21);
    expect_abort(store_now(bench, 2, 20, G(1)), HD_GETM_STORE_WRITTEN, 21);
    expect_abort(store_now(bench, 2, 29, G(2)), HD_GETM_STORE_READ, 30);
    cr_expect_eq(outcome_of(bench, bench->tag - 1)->winner, 1);
    cr_expect_eq(outcome_of(bench, bench->tag - 1)->winner_pc, LOAD_PC(1));
    cr_expect_eq(outcome_of(bench, bench->tag - 2)->winner_pc, STORE_PC(1));
    cr_expect_eq(outcome_of(bench, bench->tag - 3)->winner_pc, STORE_PC(1));
    expect_ok(load_now(bench, 2, 21, G(1)), 'L');
    expect_ok(load_now(bench, 2, 10, G(2)), 'L'); /* times of reading do not matter to a load */
    expect_ok(store_now(bench, 2, 30, G(2)), 'S');
    cr_expect_eq(kit_statistic(bench->kit, "aborts.load_written"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "aborts.store_written"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "aborts.store_read"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "clock_maximum"), 30);
    bench_destroy(bench);
}

Test(validation_unit, the_later_of_both_times_is_the_cause)
{
    bench *bench = bench_make(NULL);
    store_now(bench, 1, 20, G(1));
    commit(bench, 1, 1, G(1), 1);
    load_now(bench, 3, 40, G(1)); /* 21/40 */
    expect_abort(store_now(bench, 2, 5, G(1)), HD_GETM_STORE_READ, 40);
    cr_expect_eq(outcome_of(bench, bench->tag - 1)->winner, 3);
    store_now(bench, 1, 50, G(1));
    commit(bench, 1, 1, G(1), 1); /* 51/40 */
    expect_abort(store_now(bench, 2, 45, G(1)), HD_GETM_STORE_WRITTEN, 51);
    bench_destroy(bench);
}

Test(validation_unit, the_owner_passes_without_tests)
{
    bench *bench = bench_make(NULL);
    expect_ok(store_now(bench, 1, 10, G(1)), 'S');
    const uint64_t again = ask_store(bench, 1, 1, 10, G(1), 3, kit_now(bench->kit));
    settle(bench);
    expect_ok(outcome_of(bench, again), 'S');
    expect_entry(bench, G(1), 11, 0, 4, 1);
    expect_ok(load_now(bench, 1, 10, G(1)), 'L');
    expect_entry(bench, G(1), 11, 10, 4, 1);
    cr_expect_eq(kit_statistic(bench->kit, "owner_hits"), 2);
    cr_expect_eq(kit_statistic(bench->kit, "lane_stores"), 4);
    bench_destroy(bench);
}

Test(validation_unit, another_attempt_of_the_warp_is_not_the_owner)
{
    bench *bench = bench_make(NULL);
    store_now(bench, 1, 10, G(1));
    const uint64_t load = ask_load(bench, 1, 2, 11, G(1), kit_now(bench->kit));
    settle(bench);
    expect_waits(outcome_of(bench, load));
    commit(bench, 1, 1, G(1), 1);
    settle(bench);
    expect_ok(outcome_of(bench, load), 'L');
    bench_destroy(bench);
}

Test(validation_unit, what_is_reserved_is_refused_by_time_and_else_waited_for)
{
    bench *bench = bench_make(NULL);
    store_now(bench, 1, 10, G(1)); /* 11/0, reserved */
    expect_abort(load_now(bench, 2, 10, G(1)), HD_GETM_LOAD_WRITTEN, 11);
    expect_abort(store_now(bench, 2, 10, G(1)), HD_GETM_STORE_WRITTEN, 11);
    expect_waits(load_now(bench, 2, 11, G(1)));
    const uint64_t load = bench->tag - 1;
    expect_waits(store_now(bench, 3, 12, G(1)));
    const uint64_t store = bench->tag - 1;
    expect_entry(bench, G(1), 11, 0, 1, 1);
    commit(bench, 1, 1, G(1), 1);
    settle(bench);
    expect_ok(outcome_of(bench, load), 'L');
    expect_ok(outcome_of(bench, store), 'S');
    expect_entry(bench, G(1), 13, 11, 1, 3);
    bench_destroy(bench);
}

Test(validation_unit, a_reservation_by_who_read_last_is_of_its_own_time)
{
    bench *bench = bench_make(NULL);
    load_now(bench, 1, 10, G(1));
    expect_ok(store_now(bench, 1, 10, G(1)), 'S');
    expect_entry(bench, G(1), 11, 10, 1, 1);
    bench_destroy(bench);
}

/* Two transactions at the same time read what the other writes. */
static void write_skew(const char *tie_break, const outcome *stores[2])
{
    bench *bench = bench_make((const char *[]){tie_break, NULL});
    load_now(bench, 1, 0, G(1));
    load_now(bench, 2, 0, G(2));
    stores[0] = store_now(bench, 1, 0, G(2));
    static outcome kept[2];
    kept[0] = *stores[0];
    kept[1] = *store_now(bench, 2, 0, G(1));
    stores[0] = &kept[0];
    stores[1] = &kept[1];
    bench_destroy(bench);
}

Test(validation_unit, equal_times_are_a_write_skew_but_for_the_last_reader)
{
    const outcome *stores[2];
    write_skew("tie_break=none", stores);
    expect_ok(stores[0], 'S');
    expect_ok(stores[1], 'S');
    write_skew("tie_break=last_reader", stores);
    expect_abort(stores[0], HD_GETM_STORE_READ, 0);
    expect_abort(stores[1], HD_GETM_STORE_READ, 0);
}

/* Each warp its own times, as cores make them: only one of the two has to go. */
Test(validation_unit, times_of_their_own_leave_one_of_both)
{
    bench *bench = bench_make((const char *[]){"warp_bits=4", NULL});
    load_now(bench, 1, 1, G(1));
    load_now(bench, 2, 2, G(2));
    expect_abort(store_now(bench, 1, 1, G(2)), HD_GETM_STORE_READ, 2);
    expect_ok(store_now(bench, 2, 2, G(1)), 'S');
    bench_destroy(bench);
}

Test(validation_unit, the_cause_may_be_the_latest_time_of_the_partition)
{
    bench *bench = bench_make((const char *[]){"cause=partition", NULL});
    load_now(bench, 1, 70, G(9));
    load_now(bench, 1, 30, G(2));
    expect_abort(store_now(bench, 2, 29, G(2)), HD_GETM_STORE_READ, 70);
    bench_destroy(bench);
}

Test(validation_unit, granules_are_as_large_as_said)
{
    bench *bench = bench_make((const char *[]){"granule=16 B", NULL});
    store_now(bench, 1, 10, 0);
    expect_ok(store_now(bench, 2, 5, 16), 'S');
    expect_abort(store_now(bench, 2, 5, 12), HD_GETM_STORE_WRITTEN, 11);
    bench_destroy(bench);
    bench = bench_make((const char *[]){"granule=4 B", NULL});
    store_now(bench, 1, 10, 4);
    expect_ok(store_now(bench, 2, 5, 0), 'S');
    expect_ok(store_now(bench, 2, 5, 8), 'S');
    expect_abort(store_now(bench, 2, 5, 4), HD_GETM_STORE_WRITTEN, 11);
    bench_destroy(bench);
    bench = bench_make((const char *[]){"granule=8 B", NULL});
    store_now(bench, 1, 10, 8);
    expect_ok(store_now(bench, 2, 5, 4), 'S');
    expect_abort(store_now(bench, 2, 5, 12), HD_GETM_STORE_WRITTEN, 11);
    bench_destroy(bench);
    bench = bench_make((const char *[]){"granule=128 B", NULL});
    store_now(bench, 1, 10, 0);
    expect_abort(store_now(bench, 2, 5, 124), HD_GETM_STORE_WRITTEN, 11);
    bench_destroy(bench);
}

Test(validation_unit, both_halves_of_a_region_are_given_back)
{
    bench *bench = bench_make((const char *[]){"granule=16 B", NULL});
    const uint64_t a = ask_store(bench, 1, 1, 10, 32, 2, 0), b = ask_store(bench, 1, 1, 10, 48, 1, 0);
    settle(bench);
    expect_ok(outcome_of(bench, a), 'S');
    expect_ok(outcome_of(bench, b), 'S');
    hd_packet *packet = kit_packet(bench->kit, HD_GETM_RELEASE, sizeof(hd_getm_release));
    *(hd_getm_release *)hd_body(packet) = (hd_getm_release){.count = {[0] = 2, [16 / HD_GETM_GRANULE_MIN] = 1}};
    packet->address = 32;
    packet->flow = 1;
    packet->epoch = 1;
    kit_send(bench->kit, PORT_RELEASE, 0, packet, kit_now(bench->kit));
    settle(bench);
    cr_expect_eq(kit_statistic(bench->kit, "releases"), 2);
    cr_expect_eq(kit_statistic(bench->kit, "lane_releases"), 3);
    cr_expect_eq(bench->released, 1);
    bench_destroy(bench);
}

/* By one write of the commit unit, while the words before and behind the region stay reserved. */
Test(validation_unit, each_word_of_a_region_is_given_back)
{
    bench *bench = bench_make((const char *[]){"granule=4 B", NULL});
    hd_getm_release all;
    for (uint32_t i = 0; i < HD_GETM_REGION_BYTES / 4; i++)
        all.count[i] = i + 1;
    for (uint32_t i = 0; i < HD_GETM_REGION_BYTES / 4 + 2; i++)
        ask_store(bench, 1, 1, 10, 28 + 4 * i, i ? i : 1, 0);
    settle(bench);
    hd_packet *packet = kit_packet(bench->kit, HD_GETM_RELEASE, sizeof all);
    *(hd_getm_release *)hd_body(packet) = all;
    packet->address = 32;
    packet->flow = 1;
    packet->epoch = 1;
    kit_send(bench->kit, PORT_RELEASE, 0, packet, kit_now(bench->kit));
    settle(bench);
    cr_expect_eq(kit_statistic(bench->kit, "releases"), 8);
    cr_expect_eq(kit_statistic(bench->kit, "lane_releases"), 36);
    cr_expect_eq(((validation *)kit_instance(bench->kit))->reserved_granules, 2);
    for (uint32_t i = 0; i < 8; i++)
        expect_ok(store_now(bench, 2, 20, 32 + 4 * i), 'S');
    cr_expect_null(store_now(bench, 2, 20, 28), "it waits");
    cr_expect_null(store_now(bench, 2, 20, 64), "it waits");
    bench_destroy(bench);
}

Test(validation_unit, what_is_not_reserved_cannot_be_given_back)
{
    bench *bench = bench_make(NULL);
    kit_expect_fault(bench->kit);
    store_now(bench, 1, 10, G(1));
    clean_up(bench, 1, 2, G(1), 1, kit_now(bench->kit));
    settle(bench);
    cr_expect_str_eq(kit_fault_text(bench->kit),
                     "block: I1: attempt 2 of warp 1 gives back 1 stores to granule 0x1, which it has not reserved");
    bench_destroy(bench);
}

Test(validation_unit, ill_formed_requests_are_faults)
{
    bench *bench = bench_make(NULL);
    kit_expect_fault(bench->kit);
    ask_load(bench, 1, 0, 10, G(1), 0);
    settle(bench);
    cr_assert_not_null(kit_fault_text(bench->kit));
    cr_expect_not_null(strstr(kit_fault_text(bench->kit), "request of no transaction"));
    bench_destroy(bench);
}

Test(validation_unit, values_that_do_not_go_together_are_refused)
{
    static const struct {
        const char *parameters[4];
        const char *text;
    } cases[] = {
        {{"granule=48 B"}, "granule must be a power of two"},
        {{"clock_bits=60", "warp_bits=10"}, "more than 63 bits"},
        {{"clock_bits=4", "rollover_margin=16"}, "leaves nothing of clocks"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char error[1024] = "";
        cr_expect(kit_refuses(&hd_validation_unit_getm, cases[i].parameters, error, sizeof error));
        cr_expect(strstr(error, cases[i].text), "%s", error);
    }
}

/* A loop of stores may have any number of them approved: 2^32 of them are as many, and not none. */
Test(validation_unit, counts_of_stores_do_not_wrap)
{
    bench *bench = bench_make(NULL);
    ask_store(bench, 1, 1, 10, G(1), UINT32_MAX, 0);
    ask_store(bench, 1, 1, 10, G(1), 1, 0);
    settle(bench);
    cr_assert_not_null(entry_of(bench, G(1)));
    cr_expect_eq(entry_of(bench, G(1))->reserved, UINT64_C(1) << 32);
    const uint64_t load = ask_load(bench, 2, 1, 20, G(1), kit_now(bench->kit));
    settle(bench);
    cr_expect_null(outcome_of(bench, load), "it waits");
    clean_up(bench, 1, 1, G(1), UINT64_C(1) << 32, kit_now(bench->kit));
    settle(bench);
    expect_ok(outcome_of(bench, load), 'L');
    bench_destroy(bench);
}
