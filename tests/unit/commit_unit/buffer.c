/* SPDX-License-Identifier: MIT */
/* Time and room. */
#include "bench.h"

static void send_full_regions(bench *bench, uint32_t count, uint32_t byte_mask)
{
    for (uint32_t i = 0; i < count; i++) {
        const hd_getm_region region = data_region(32 * i, byte_mask, 1, 1);
        send_log(bench, i, 3, 1, &region, 1, 0);
    }
}

Test(commit_unit_time, a_region_a_cycle)
{
    bench *bench = bench_make(NULL);
    send_full_regions(bench, 8, UINT32_MAX);
    settle(bench);
    for (uint32_t i = 1; i < 8; i++)
        cr_expect_eq(bench->sent[i].t, bench->sent[0].t + i * CYCLE);
    cr_expect_eq(kit_statistic(bench->kit, "busy_cycles"), 8);
    bench_destroy(bench);
}

Test(commit_unit_time, as_many_bytes_as_said)
{
    bench *bench = bench_make((const char *[]){"bytes_per_cycle=8 B", NULL});
    send_full_regions(bench, 3, 0xFFFFF); /* 20 bytes */
    settle(bench);
    cr_expect_eq(bench->sent[1].t, bench->sent[0].t + 3 * CYCLE);
    cr_expect_eq(bench->sent[2].t, bench->sent[0].t + 6 * CYCLE);
    cr_expect_eq(kit_statistic(bench->kit, "busy_cycles"), 9);
    bench_destroy(bench);
}

/* At half the clock of what feeds it. */
Test(commit_unit_time, has_a_clock_of_its_own)
{
    bench *bench = bench_make(NULL);
    kit_destroy(bench->kit);
    bench->kit = kit_create(&hd_commit_unit_getm, NULL);
    kit_clock(bench->kit, UINT64_C(700000000));
    kit_start(bench->kit);
    for (uint32_t i = 0; i < 8; i++) { /* at edges of 1400 MHz */
        const hd_getm_region region = data_region(32 * i, UINT32_MAX, 1, 1);
        send_log(bench, i, 3, 1, &region, 1, hd_clock_edge((hd_clock){UINT64_C(1400000000)}, i));
    }
    settle(bench);
    uint32_t count;
    const kit_event *events = kit_trace(bench->kit, &count);
    cr_assert_eq(count, 8);
    for (uint32_t i = 0; i < 8; i++)
        cr_expect_eq(events[i].t, hd_clock_edge((hd_clock){UINT64_C(700000000)}, i + 1));
    bench_destroy(bench);
}

Test(commit_unit_time, a_full_buffer_takes_no_log)
{
    bench *bench = bench_make((const char *[]){"bytes=512 B", NULL}); /* 16 regions, 15 of which a log may have */
    bench->is_mute = 1;
    send_full_regions(bench, 3, 1);
    settle(bench);
    cr_expect_eq(bench->count, 2);
    cr_expect_eq(kit_statistic(bench->kit, "regions_maximum"), 2);
    hd_packet *answer = kit_packet(bench->kit, HD_GLOBAL_STORE_ACK, 0);
    kit_send(bench->kit, PORT_STORED, 0, answer, kit_now(bench->kit));
    settle(bench);
    cr_expect_eq(bench->count, 3);
    cr_expect_gt(kit_statistic(bench->kit, "wait_cycles.buffer"), 1900);
    bench_destroy(bench);
}

Test(commit_unit_time, only_so_many_logs_are_taken)
{
    bench *bench = bench_make((const char *[]){"logs=1", NULL});
    send_full_regions(bench, 2, 1);
    settle(bench);
    cr_expect_eq(bench->count, 2);
    cr_expect_gt(bench->sent[1].t, bench->sent[0].t + DELAY * CYCLE);
    bench_destroy(bench);
}

Test(commit_unit_time, waits_for_room_on_the_way_to_the_slice)
{
    bench *bench = bench_make(NULL);
    kit_hold_credits(bench->kit, PORT_STORE, 0, 1);
    send_full_regions(bench, 64, 1);
    settle(bench);
    cr_expect_eq(bench->count, 64);
    const hd_getm_region region = data_region(0, 1, 1, 1);
    send_log(bench, 64, 4, 1, &region, 1, kit_now(bench->kit));
    settle(bench);
    cr_expect_eq(bench->count, 64);
    kit_release_credits(bench->kit, PORT_STORE, 0, 1, kit_now(bench->kit));
    settle(bench);
    cr_expect_eq(bench->count, 65);
    cr_expect_gt(kit_statistic(bench->kit, "wait_cycles.slice"), 1900);
    bench_destroy(bench);
}
