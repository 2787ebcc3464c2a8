/* SPDX-License-Identifier: MIT */
/* What becomes of a write log. */
#include "bench.h"

Test(commit_unit, a_region_is_written_with_its_mask_and_what_it_gives_back)
{
    bench *bench = bench_make(NULL);
    const hd_getm_region region = data_region(64, 0xF0, 7, 2);
    send_log(bench, 5, 3, 9, &region, 1, 0);
    settle(bench);
    cr_assert_eq(bench->count, 1);
    const sent *sent = &bench->sent[0];
    cr_expect_eq(sent->address, 64);
    cr_expect_eq(sent->byte_mask, 0xF0);
    cr_expect_eq(sent->data[4], 7);
    cr_expect_eq(sent->warp, 3);
    cr_expect_eq(sent->epoch, 9);
    cr_expect_eq(sent->release.count[0], 2);
    cr_expect_eq(sent->release.count[1], 0);
    cr_assert_eq(bench->ack_count, 1);
    cr_expect_eq(bench->acks[0], 5);
    cr_expect_geq(bench->acked[0], sent->t + DELAY * CYCLE, "it is acknowledged when it is written");
    cr_expect_eq(kit_statistic(bench->kit, "bytes"), 4);
    cr_expect_eq(kit_statistic(bench->kit, "lane_releases"), 2);
    cr_expect_gt(kit_statistic(bench->kit, "log_latency_cycles"), DELAY);
    cr_expect_eq(kit_recorded_count(bench->kit, "applied"), 1);
    cr_expect_eq(kit_recorded_count(bench->kit, "regions"), 2);
    bench_destroy(bench);
}

Test(commit_unit, words_of_one_region_are_one_write)
{
    bench *bench = bench_make(NULL);
    const hd_getm_region regions[] = {data_region(64, 0xF, 1, 1), data_region(96, 0xF, 2, 1),
                                      data_region(64, 0xF0, 3, 1), clean_region(64, 4)};
    send_log(bench, 1, 3, 9, regions, 3, 0);
    send_log(bench, 2, 3, 9, &regions[3], 1, 0);
    settle(bench);
    cr_assert_eq(bench->count, 3, "the packet that comes later may be too late");
    cr_expect_eq(bench->sent[0].byte_mask, 0xFF);
    cr_expect_eq(bench->sent[0].data[0], 1);
    cr_expect_eq(bench->sent[0].data[4], 3);
    cr_expect_eq(bench->sent[0].release.count[0], 2);
    cr_expect_eq(bench->sent[1].byte_mask, 0xF);
    cr_expect_eq(bench->sent[2].byte_mask, 0, "reservations alone");
    cr_expect_eq(bench->sent[2].release.count[0], 4);
    cr_expect_eq(kit_statistic(bench->kit, "regions"), 4);
    cr_expect_eq(kit_statistic(bench->kit, "merged"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "stores"), 2);
    cr_expect_eq(kit_statistic(bench->kit, "releases"), 1);
    cr_expect_eq(bench->ack_count, 2);
    bench_destroy(bench);
}

Test(commit_unit, committed_and_aborted_lanes_of_a_granule_give_back_together)
{
    bench *bench = bench_make(NULL);
    const hd_getm_region regions[] = {data_region(64, 0xF, 1, 1), clean_region(64, 1)};
    send_log(bench, 1, 3, 9, regions, 2, 0);
    settle(bench);
    cr_assert_eq(bench->count, 1);
    cr_expect_eq(bench->sent[0].byte_mask, 0xF);
    cr_expect_eq(bench->sent[0].release.count[0], 2);
    bench_destroy(bench);
}

Test(commit_unit, attempts_are_not_put_together)
{
    bench *bench = bench_make(NULL);
    const hd_getm_region region = data_region(64, 0xF, 1, 1);
    const hd_getm_region slow[] = {data_region(0, UINT32_MAX, 0, 1), data_region(32, UINT32_MAX, 0, 1)};
    send_log(bench, 0, 1, 1, slow, 2, 0);
    send_log(bench, 1, 3, 9, &region, 1, 0);
    send_log(bench, 2, 3, 10, &region, 1, 0);
    send_log(bench, 3, 4, 9, &region, 1, 0);
    settle(bench);
    cr_expect_eq(bench->count, 5);
    cr_expect_eq(kit_statistic(bench->kit, "merged"), 0);
    bench_destroy(bench);
}

Test(commit_unit, nothing_is_put_together_if_not_wanted)
{
    bench *bench = bench_make((const char *[]){"coalesce=false", NULL});
    const hd_getm_region regions[] = {data_region(64, 0xF, 1, 1), data_region(64, 0xF0, 3, 1)};
    send_log(bench, 1, 3, 9, regions, 2, 0);
    settle(bench);
    cr_expect_eq(bench->count, 2);
    bench_destroy(bench);
}

Test(commit_unit, small_granules_of_a_region_are_told_apart)
{
    bench *bench = bench_make(NULL);
    const hd_getm_region regions[] = {data_region(64, 0xF, 1, 1), data_region(80, 0xF00, 3, 2)};
    send_log(bench, 1, 3, 9, regions, 2, 0);
    settle(bench);
    cr_assert_eq(bench->count, 1);
    cr_expect_eq(bench->sent[0].address, 64);
    cr_expect_eq(bench->sent[0].byte_mask, 0xF00000F);
    cr_expect_eq(bench->sent[0].data[24], 3);
    cr_expect_eq(bench->sent[0].release.count[0], 1);
    cr_expect_eq(bench->sent[0].release.count[16 / HD_GETM_GRANULE_MIN], 2);
    bench_destroy(bench);
}

Test(commit_unit, words_of_a_region_may_be_granules)
{
    bench *bench = bench_make(NULL);
    const hd_getm_region regions[] = {data_region(64, 0xF, 1, 1), data_region(68, 0x6, 3, 2),
                                      data_region(92, 0xF, 5, 3)};
    send_log(bench, 1, 3, 9, regions, 3, 0);
    settle(bench);
    cr_assert_eq(bench->count, 1);
    cr_expect_eq(bench->sent[0].address, 64);
    cr_expect_eq(bench->sent[0].byte_mask, 0xF000006F);
    cr_expect_eq(bench->sent[0].data[5], 3);
    cr_expect_eq(bench->sent[0].data[31], 5);
    for (uint32_t i = 0; i < 8; i++)
        cr_expect_eq(bench->sent[0].release.count[i], i < 2 ? i + 1 : i == 7 ? 3 : 0);
    bench_destroy(bench);
}

Test(commit_unit, a_log_is_acknowledged_when_all_of_it_is_applied)
{
    bench *bench = bench_make(NULL);
    bench->is_mute = 1;
    const hd_getm_region regions[] = {data_region(64, 0xF, 1, 1), clean_region(96, 1)};
    send_log(bench, 1, 3, 9, regions, 2, 0);
    settle(bench);
    cr_expect_eq(bench->ack_count, 0);
    const hd_pending *pending = hd_commit_unit_getm.extension(kit_instance(bench->kit), HD_EXTENSION_PENDING);
    cr_expect(pending->has_work(kit_instance(bench->kit)));
    hd_packet *answer = kit_packet(bench->kit, HD_GETM_RELEASED, 0);
    answer->tag = 1;
    kit_send(bench->kit, PORT_RELEASED, 0, answer, kit_now(bench->kit));
    settle(bench);
    cr_expect_eq(bench->ack_count, 0, "the write is still missing");
    answer = kit_packet(bench->kit, HD_GLOBAL_STORE_ACK, 0);
    kit_send(bench->kit, PORT_STORED, 0, answer, kit_now(bench->kit));
    settle(bench);
    cr_expect_eq(bench->ack_count, 1);
    bench_destroy(bench);
}

Test(commit_unit, ill_formed_logs_and_stray_answers_are_faults)
{
    static const struct {
        hd_getm_region region;
        uint32_t epoch;
    } cases[] = {{{.address = 64, .count = 1}, 0},
                 {{.address = 65, .count = 1}, 1},
                 {{.address = 66, .count = 1}, 1},
                 {{.address = 92, .byte_mask = 1u << 4}, 1},
                 {{.address = 80, .byte_mask = 1u << 16}, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench *bench = bench_make(NULL);
        kit_expect_fault(bench->kit);
        send_log(bench, 1, 3, cases[i].epoch, &cases[i].region, 1, 0);
        settle(bench);
        cr_assert_not_null(kit_fault_text(bench->kit));
        cr_expect_not_null(strstr(kit_fault_text(bench->kit), "ill-formed"));
        bench_destroy(bench);
    }
    bench *bench = bench_make(NULL);
    kit_expect_fault(bench->kit);
    kit_send(bench->kit, PORT_STORED, 0, kit_packet(bench->kit, HD_GLOBAL_STORE_ACK, 0), 0);
    settle(bench);
    cr_expect_not_null(kit_fault_text(bench->kit));
    bench_destroy(bench);
}

/* A loop of stores may have any number of them approved. */
Test(commit_unit, counts_of_stores_do_not_wrap)
{
    bench *bench = bench_make(NULL);
    hd_getm_region regions[] = {data_region(64, 0xF, 1, UINT32_MAX), data_region(64, 0xF0, 3, UINT32_MAX)};
    regions[1].count = UINT64_C(1) << 40;
    send_log(bench, 1, 3, 9, regions, 2, 0);
    settle(bench);
    cr_assert_eq(bench->count, 1);
    cr_expect_eq(bench->sent[0].release.count[0], (UINT64_C(1) << 40) + UINT32_MAX);
    bench_destroy(bench);
}
