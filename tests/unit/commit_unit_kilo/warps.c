/* SPDX-License-Identifier: MIT */
/* WarpTM: messages of a warp, and accesses of a block, each alone. */
#include "bench.h"

enum { LANES = 4 };

/* Lanes of warp `first` write, and read, so many words apart. */
static void send_warp(bench *bench, uint64_t first, uint32_t word, uint32_t step, const char *message, hd_time t)
{
    hd_kilo_word words[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++)
        words[lane] =
            (hd_kilo_word){.address = AT(word + lane * step), .value = lane, .lane = (uint8_t)lane, .byte_mask = 15};
    send_words(bench, message, group_of(first, LANES), words, LANES, 0, t);
}

static void end_warp(bench *bench, uint64_t first, uint64_t done, hd_time t)
{
    send_lanes(bench, HD_KILO_DONE_SKIP, group_of(first, LANES), 0xF, done, t);
}

static void run_warp(bench *bench, uint32_t step)
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        bench->memory[lane * step] = lane;
    send_warp(bench, 1, 0, step, HD_KILO_READ_SET, 0);
    send_warp(bench, 1, 256, step, HD_KILO_WRITE_SET, 0);
    end_warp(bench, 1, 0xF, 0);
    settle(bench);
    send_lanes(bench, HD_KILO_OUTCOME, group_of(1, LANES), 0xF, 0xF, now(bench));
    settle(bench);
    cr_expect(is_idle(bench));
    for (uint32_t lane = 0; lane < LANES; lane++)
        cr_expect_eq(bench->memory[256 + lane * step], lane);
}

/* The counts of messages of the specification: one for each lane, or one for the warp. */
Test(kilo_unit_warps, verdicts_are_for_a_lane_or_for_a_warp)
{
    for (uint32_t aggregates = 0; aggregates < 2; aggregates++) {
        bench *bench = bench_make((const char *[]){aggregates ? "aggregate=true" : "aggregate=false", NULL});
        run_warp(bench, 1);
        const uint32_t count = aggregates ? 1 : LANES;
        cr_expect_eq(count_heard(bench, HD_KILO_VERDICT), count);
        cr_expect_eq(count_heard(bench, HD_KILO_COMMITTED), count);
        cr_expect_eq(kit_statistic(bench->kit, "packets.verdict"), count);
        cr_expect_eq(kit_statistic(bench->kit, "packets.committed"), count);
        cr_expect_eq(kit_statistic(bench->kit, "packets.read_set"), 1);
        cr_expect_eq(kit_statistic(bench->kit, "packets.write_set"), 1);
        cr_expect_eq(kit_statistic(bench->kit, "packets.done_skip"), 1);
        cr_expect_eq(kit_statistic(bench->kit, "bytes.read_log"), 8 + 8 * LANES);
        for (uint32_t i = 0; i < bench->heard_count; i++)
            cr_expect_eq(bench->heard[i].wire_bytes, aggregates ? 12 : 8);
        bench_destroy(bench);
    }
}

/* All that have words here have to have a verdict; who skips is not asked. */
Test(kilo_unit_warps, a_warp_is_told_when_the_last_of_its_lanes_is_known)
{
    bench *bench = bench_make((const char *[]){"aggregate=true", NULL});
    hd_kilo_word words[] = {{.address = AT(5), .value = 1, .lane = 0, .byte_mask = 15},
                            {.address = AT(6), .lane = 2, .byte_mask = 15}};
    bench->slow_address = AT(6);
    bench->slow = 400;
    send_words(bench, HD_KILO_READ_SET, group_of(1, LANES), words, 2, 0, 0);
    end_warp(bench, 1, 5, 0);
    kit_run_until(bench->kit, 300 * CYCLE);
    cr_expect_eq(bench->heard_count, 0);
    settle(bench);
    cr_assert_eq(bench->heard_count, 1);
    cr_expect_eq(bench->heard[0].lanes.lanes, 5);
    cr_expect_eq(bench->heard[0].lanes.marked, 4, "lane 0 fails");
    send_lanes(bench, HD_KILO_OUTCOME, group_of(1, LANES), 5, 4, now(bench));
    settle(bench);
    cr_expect_eq(count_heard(bench, HD_KILO_COMMITTED), 0);
    cr_expect(is_idle(bench));
    bench_destroy(bench);
}

/* Skips may be sent early. */
Test(kilo_unit_warps, logs_may_end_in_parts)
{
    bench *bench = bench_make((const char *[]){"aggregate=true", NULL});
    const hd_kilo_word word = {.address = AT(5), .byte_mask = 15};
    send_words(bench, HD_KILO_READ_SET, group_of(1, LANES), &word, 1, 0, 0);
    send_lanes(bench, HD_KILO_DONE_SKIP, group_of(1, LANES), 1, 1, 0);
    settle(bench);
    cr_expect_eq(bench->heard_count, 0);
    send_lanes(bench, HD_KILO_DONE_SKIP, group_of(1, LANES), 0xE, 0, now(bench));
    settle(bench);
    cr_assert_eq(bench->heard_count, 1);
    cr_expect_eq(bench->heard[0].lanes.lanes, 1);
    bench_destroy(bench);
}

Test(kilo_unit_warps, writers_are_acknowledged_together)
{
    bench *bench = bench_make((const char *[]){"aggregate=true", NULL});
    const hd_kilo_word words[] = {{.address = AT(5), .lane = 0, .byte_mask = 15},
                                  {.address = AT(6), .value = 3, .lane = 1, .byte_mask = 15},
                                  {.address = AT(7), .value = 3, .lane = 3, .byte_mask = 15}};
    send_words(bench, HD_KILO_READ_SET, group_of(1, LANES), words, 1, 0, 0);
    send_words(bench, HD_KILO_WRITE_SET, group_of(1, LANES), words + 1, 2, 0, 0);
    end_warp(bench, 1, 0xB, 0);
    settle(bench);
    send_lanes(bench, HD_KILO_OUTCOME, group_of(1, LANES), 0xB, 0x9, now(bench));
    settle(bench);
    cr_expect_eq(bench->memory[6], 0);
    cr_expect_eq(bench->memory[7], 3);
    cr_assert_eq(count_heard(bench, HD_KILO_COMMITTED), 1);
    cr_expect_eq(find(bench, HD_KILO_COMMITTED, 4)->lanes.lanes, 8, "lane 1 has failed, lane 0 only reads");
    bench_destroy(bench);
}

/* Outcomes may come in parts, too: the last one may be of a lane that writes nothing. */
Test(kilo_unit_warps, writers_are_acknowledged_once)
{
    bench *bench = bench_make((const char *[]){"aggregate=true", NULL});
    const hd_kilo_word words[] = {{.address = AT(5), .lane = 3, .byte_mask = 15},
                                  {.address = AT(6), .value = 3, .lane = 1, .byte_mask = 15}};
    send_words(bench, HD_KILO_READ_SET, group_of(1, LANES), words, 1, 0, 0);
    send_words(bench, HD_KILO_WRITE_SET, group_of(1, LANES), words + 1, 1, 0, 0);
    end_warp(bench, 1, 0xA, 0);
    settle(bench);
    send_lanes(bench, HD_KILO_OUTCOME, group_of(1, LANES), 2, 2, now(bench));
    settle(bench);
    cr_expect_eq(bench->memory[6], 3);
    cr_expect_eq(count_heard(bench, HD_KILO_COMMITTED), 0, "lane 3 is not decided");
    send_lanes(bench, HD_KILO_OUTCOME, group_of(1, LANES), 8, 8, now(bench));
    settle(bench);
    cr_assert_eq(count_heard(bench, HD_KILO_COMMITTED), 1);
    cr_expect_eq(find(bench, HD_KILO_COMMITTED, 2)->lanes.lanes, 2);
    bench_destroy(bench);
}

/* Words in the same block are one access, whatever the block. */
Test(kilo_unit_warps, words_are_put_together_by_block)
{
    static const struct {
        const char *coalesce;
        uint32_t step, accesses, bytes;
    } cases[] = {
        {"coalesce=0 B", 1, 4, 4},      {"coalesce=32 B", 1, 1, 32}, {"coalesce=32 B", 4, 2, 32},
        {"coalesce=32 B", 8, 4, 32},    {"coalesce=64 B", 8, 2, 64}, {"coalesce=128 B", 8, 1, 128},
        {"coalesce=128 B", 32, 4, 128},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench *bench = bench_make((const char *[]){cases[i].coalesce, NULL});
        run_warp(bench, cases[i].step);
        cr_expect_eq(kit_statistic(bench->kit, "validations"), cases[i].accesses, "%s step %u", cases[i].coalesce,
                     cases[i].step);
        cr_expect_eq(kit_statistic(bench->kit, "stores"), cases[i].accesses);
        cr_expect_eq(kit_statistic(bench->kit, "validated_words"), LANES);
        cr_expect_eq(kit_statistic(bench->kit, "stored_words"), LANES);
        for (uint32_t k = 0; k < bench->access_count; k++) {
            cr_expect_eq(bench->accesses[k].bytes, cases[i].bytes);
            cr_expect_eq(bench->accesses[k].address % cases[i].bytes, 0);
        }
        bench_destroy(bench);
    }
}

Test(kilo_unit_warps, of_a_word_that_a_lane_writes_twice_the_last_value_stays)
{
    for (uint32_t coalesces = 0; coalesces < 2; coalesces++) {
        bench *bench = bench_make((const char *[]){coalesces ? "coalesce=32 B" : "coalesce=0 B", NULL});
        send_write(bench, 1, 5, 1, 0);
        send_write(bench, 1, 5, 2, 0);
        send_done(bench, 1, 0);
        settle(bench);
        send_outcome(bench, 1, 1, now(bench));
        settle(bench);
        cr_expect_eq(bench->memory[5], 2);
        cr_expect_eq(kit_statistic(bench->kit, "stores"), coalesces ? 1 : 2);
        bench_destroy(bench);
    }
}

/* A second validation is word by word. */
Test(kilo_unit_warps, revalidations_are_not_put_together)
{
    bench *bench = bench_make((const char *[]){"coalesce=32 B", NULL});
    send_write(bench, 1, 5, 0, 0);
    send_done(bench, 1, 0);
    hd_kilo_word words[] = {{.address = AT(4), .byte_mask = 15}, {.address = AT(5), .byte_mask = 15}};
    send_words(bench, HD_KILO_READ_SET, group_of(2, LANES), words, 2, 0, 0);
    end_warp(bench, 2, 1, 0);
    settle(bench);
    cr_expect_eq(kit_statistic(bench->kit, "validations"), 1);
    send_outcome(bench, 1, 1, now(bench));
    settle(bench);
    cr_expect_eq(kit_statistic(bench->kit, "validations"), 3);
    cr_expect_eq(verdict_on(bench, 2), 1);
    bench_destroy(bench);
}

/* Lane 1's look-up is mistaken for lane 0's write; it would wait for a lane that waits for it. */
Test(kilo_unit_warps, lanes_do_not_wait_for_others_of_their_warp)
{
    for (uint32_t clamps = 0; clamps < 2; clamps++) {
        bench *bench = bench_make((const char *[]){"aggregate=true", "history=lwh", "history.entries=1",
                                                   "history.ways=1", "history.filter=1", "history.subarrays=1",
                                                   clamps ? "test.clamp=yes" : "test.clamp=no", NULL});
        const hd_kilo_word words[] = {{.address = AT(5), .lane = 0, .byte_mask = 15},
                                      {.address = AT(6), .lane = 0, .byte_mask = 15},
                                      {.address = AT(7), .lane = 1, .byte_mask = 15}};
        send_words(bench, HD_KILO_READ_SET, group_of(1, LANES), words + 2, 1, 0, 0);
        send_words(bench, HD_KILO_WRITE_SET, group_of(1, LANES), words, 2, 0, 0);
        end_warp(bench, 1, 3, 0);
        settle(bench);
        cr_expect_eq(bench->heard_count, clamps);
        cr_expect_eq(kit_statistic(bench->kit, "hazard.clamped"), clamps);
        bench_destroy(bench);
    }
}
