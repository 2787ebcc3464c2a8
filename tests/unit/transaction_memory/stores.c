/* SPDX-License-Identifier: MIT */
/* From the commit to memory. */
#include "bench.h"

Test(transaction_memory_stores, say_whose_they_are)
{
    bench *bench = bench_make(NULL);
    const hd_ideal_write writes[] = {write_of(0, 0x104, 0x01020304), write_of(0, 0x10C, 5)};
    send_commit(bench, 7, 200, 1, writes, 2);
    settle(bench);
    cr_assert_eq(bench->store_count, 1, "a line together");
    const stored *store = &bench->stores[0];
    cr_expect_eq(store->packet.flow, 7);
    cr_expect_eq(store->packet.epoch, 200);
    cr_expect_eq(store->packet.unit, HD_DESTINATION_L2_SLICE);
    cr_expect_eq(store->packet.traffic_class, HD_CLASS_TRANSACTION);
    cr_expect_eq(store->packet.destination, 2);
    cr_expect_eq(store->packet.wire_bytes, HD_HEADER_WIRE_BYTES + 8);
    cr_expect_eq(store->byte_mask[0], 0xF0F0);
    cr_expect_eq(bench->memory[0x107], 1);
    cr_expect_eq(kit_statistic(bench->kit, "stores"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "bytes"), 8);
    cr_expect_eq(kit_statistic(bench->kit, "words_maximum"), 2);
    cr_expect_eq(kit_statistic(bench->kit, "stores_maximum"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "settle_cycles"), store->t / CYCLE + DELAY);
    bench_destroy(bench);
}

Test(transaction_memory_stores, go_to_each_slice_in_the_order_of_commits_one_a_cycle)
{
    bench *bench = bench_make(NULL);
    for (uint32_t warp = 0; warp < 6; warp++) {
        const hd_ideal_write writes[] = {write_of(0, 0, warp), write_of(0, 0x100, warp)};
        send_commit(bench, warp, 1, 1, writes, 2);
    }
    settle(bench);
    cr_assert_eq(bench->store_count, 12);
    for (uint32_t i = 0; i < 12; i++) {
        cr_expect_eq(bench->stores[i].packet.flow, i / 2);
        cr_expect_eq(bench->stores[i].packet.destination, 1 + i % 2);
        cr_expect_eq(bench->stores[i].t, bench->stores[0].t + i / 2 * CYCLE);
    }
    cr_expect_eq(bench->memory[0x100], 5);
    bench_destroy(bench);
}

/* When the last of all the warp's stores is answered. */
Test(transaction_memory_stores, are_settled_together)
{
    bench *bench = bench_make(NULL);
    const hd_ideal_write writes[] = {write_of(0, 0, 1), write_of(0, 0x100, 2)};
    send_commit(bench, 107, 1, 1, writes, 2);
    kit_run_until(bench->kit, 20 * CYCLE);
    send_commit(bench, 107, 2, 1, writes, 1);
    settle(bench);
    cr_expect_eq(latest(bench, HD_IDEAL_VERDICT, 107)->verdict.is_written, 1);
    cr_expect_eq(count_of(bench, HD_IDEAL_SETTLED), 1);
    cr_expect_eq(latest(bench, HD_IDEAL_SETTLED, 107)->t, bench->stores[2].t + (DELAY + 1) * CYCLE);
    cr_expect_eq(latest(bench, HD_IDEAL_SETTLED, 107)->core, 1);
    bench_destroy(bench);
}

Test(transaction_memory_stores, wait_for_room_on_the_way)
{
    bench *bench = bench_make(NULL);
    kit_hold_credits(bench->kit, STORE, 0, 1);
    for (uint32_t i = 0; i < 10; i++) {
        const hd_ideal_write writes[] = {write_of(0, 0x200 * i, 1), write_of(0, 0x200 * i + 0x100, 1)};
        send_commit(bench, i, 1, 1, writes, 2);
    }
    settle(bench);
    cr_expect_eq(bench->store_count, 8 + 10, "the other slice is not in its way");
    kit_release_credits(bench->kit, STORE, 0, 1, kit_now(bench->kit));
    settle(bench);
    cr_expect_eq(bench->store_count, 9 + 10);
    kit_release_credits(bench->kit, STORE, 0, 1, kit_now(bench->kit));
    settle(bench);
    cr_expect_gt(kit_statistic(bench->kit, "wait_cycles.slice"), 900);
    bench_destroy(bench);
}

/* Until who has read it knows, nothing is written, and nobody else is answered. */
Test(transaction_memory_stores, wait_until_everybody_is_told)
{
    bench *bench = bench_make(NULL);
    const hd_ideal_write write = write_of(0, 0x104, 1);
    kit_hold_credits(bench->kit, REPLY, 1, 1);
    for (uint32_t i = 0; i < 64; i++)
        read_word(bench, 100 + i, 1, 0, 0x104);
    step(bench);
    send_commit(bench, 7, 1, 1, &write, 1);
    settle(bench);
    cr_expect_eq(count_of(bench, HD_IDEAL_WORDS), 64);
    cr_expect_eq(count_of(bench, HD_IDEAL_DOOM), 0);
    cr_expect_eq(count_of(bench, HD_IDEAL_VERDICT), 0);
    cr_expect_eq(bench->store_count, 0);
    kit_release_credits(bench->kit, REPLY, 1, 63, kit_now(bench->kit));
    settle(bench);
    cr_expect_eq(count_of(bench, HD_IDEAL_DOOM), 63);
    cr_expect_eq(bench->store_count, 0);
    kit_release_credits(bench->kit, REPLY, 1, 1, kit_now(bench->kit));
    settle(bench);
    cr_expect_eq(count_of(bench, HD_IDEAL_DOOM), 64);
    cr_expect_eq(count_of(bench, HD_IDEAL_VERDICT), 1);
    cr_expect_eq(bench->store_count, 1);
    cr_expect_gt(kit_statistic(bench->kit, "wait_cycles.reply"), 900);
    bench_destroy(bench);
}
