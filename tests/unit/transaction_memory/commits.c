/* SPDX-License-Identifier: MIT */
/* Who commits, who cannot any more, and who is told in which order. */
#include "bench.h"

Test(transaction_memory_commits, who_commits_first_wins)
{
    bench *bench = bench_make(NULL);
    const hd_ideal_write mine = write_of(3, 0x104, 1), theirs = write_of(5, 0x104, 2);
    read_word(bench, 7, 9, 3, 0x104);
    read_word(bench, 107, 4, 5, 0x104);
    step(bench);
    send_commit(bench, 107, 4, 1 << 5, &theirs, 1);
    send_commit(bench, 7, 9, 1 << 3, &mine, 1); /* arrives at the same edge, at an element before the other */
    step(bench);
    cr_expect_eq(latest(bench, HD_IDEAL_VERDICT, 7)->verdict.lanes, 8);
    cr_expect_eq(latest(bench, HD_IDEAL_VERDICT, 7)->verdict.order, 1);
    cr_expect_eq(latest(bench, HD_IDEAL_VERDICT, 7)->verdict.committed, 8 * CYCLE);
    cr_expect_eq(latest(bench, HD_IDEAL_VERDICT, 107)->verdict.lanes, 0);
    const answer *doom = latest(bench, HD_IDEAL_DOOM, 107);
    cr_expect_eq(doom->doom.lanes, 1 << 5);
    cr_expect_eq(doom->doom.address, 0x104);
    cr_expect_eq(doom->doom.pc, 0x100 + 107);
    cr_expect_eq(doom->doom.winner, 7);
    cr_expect_eq(doom->doom.winner_pc, 0x200 + 7);
    cr_expect_eq(doom->packet.epoch, 4);
    cr_expect_lt(doom, latest(bench, HD_IDEAL_VERDICT, 107), "it is told before the answer");
    cr_expect_eq(count_of(bench, HD_IDEAL_DOOM), 1);
    settle(bench);
    cr_expect_eq(bench->memory[0x104], 1);
    cr_expect_eq(bench->store_count, 1);
    cr_expect_eq(kit_statistic(bench->kit, "late_lanes"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "committed_lanes"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "doomed_lanes"), 1);
    bench_destroy(bench);
}

/* Lanes 0, 1 and 2 count in one word; lane 4 counts alone. */
Test(transaction_memory_commits, lanes_of_a_warp_commit_in_ascending_order)
{
    bench *bench = bench_make(NULL);
    const hd_ideal_write writes[] = {write_of(0, 0x104, 1), write_of(1, 0x104, 1), write_of(2, 0x104, 1),
                                     write_of(4, 0x110, 1)};
    const uint8_t word[HD_IDEAL_LANES] = {1, 1, 1, 0, 4};
    send_read(bench, 7, 1, 0x100, 0x17, word);
    step(bench);
    send_commit(bench, 7, 1, 0x17, writes, 4);
    step(bench);
    cr_expect_eq(latest(bench, HD_IDEAL_VERDICT, 7)->verdict.lanes, 0x11);
    cr_expect_eq(latest(bench, HD_IDEAL_DOOM, 7)->doom.lanes, 6);
    cr_expect_eq(latest(bench, HD_IDEAL_DOOM, 7)->doom.winner, 7);
    cr_expect_lt(latest(bench, HD_IDEAL_DOOM, 7), latest(bench, HD_IDEAL_VERDICT, 7));
    bench_destroy(bench);
}

/* Lane 0 has read what lane 1 writes: it comes before it. */
Test(transaction_memory_commits, a_lane_that_has_committed_is_spared)
{
    bench *bench = bench_make(NULL);
    const hd_ideal_write write = write_of(1, 0x104, 1);
    read_word(bench, 7, 1, 0, 0x104);
    step(bench);
    send_commit(bench, 7, 1, 3, &write, 1);
    step(bench);
    cr_expect_eq(latest(bench, HD_IDEAL_VERDICT, 7)->verdict.lanes, 3);
    cr_expect_eq(count_of(bench, HD_IDEAL_DOOM), 0);
    bench_destroy(bench);
}

/* Nobody has read it: one after the other. */
Test(transaction_memory_commits, writers_alone_do_not_conflict)
{
    bench *bench = bench_make(NULL);
    const hd_ideal_write writes[] = {{.address = 0x104, .value = 0x1111, .byte_mask = 3, .lane = 0},
                                     {.address = 0x104, .value = 0x222200, .byte_mask = 6, .lane = 1}};
    send_commit(bench, 7, 1, 3, writes, 2);
    send_commit(bench, 8, 1, 1, writes, 1);
    step(bench);
    cr_expect_eq(latest(bench, HD_IDEAL_VERDICT, 7)->verdict.lanes, 3);
    cr_expect_eq(latest(bench, HD_IDEAL_VERDICT, 8)->verdict.lanes, 1);
    settle(bench);
    cr_expect_eq(bench->store_count, 2, "one for each commit");
    cr_expect_eq(bench->stores[0].byte_mask[0], 7u << 4, "lanes of a commit together");
    cr_expect_eq(bench->stores[0].data[5], 0x22, "the higher lane is the later one");
    cr_expect_eq(bench->memory[0x104], 0x11);
    cr_expect_eq(bench->memory[0x105], 0x11, "warp 8 was last");
    cr_expect_eq(bench->memory[0x106], 0x22);
    bench_destroy(bench);
}

Test(transaction_memory_commits, who_reads_and_writes_nothing_commits)
{
    bench *bench = bench_make(NULL);
    send_commit(bench, 7, 1, 0xF0, NULL, 0);
    step(bench);
    cr_expect_eq(latest(bench, HD_IDEAL_VERDICT, 7)->verdict.lanes, 0xF0);
    cr_expect_eq(latest(bench, HD_IDEAL_VERDICT, 7)->verdict.is_written, 0);
    settle(bench);
    cr_expect_eq(count_of(bench, HD_IDEAL_SETTLED), 0);
    bench_destroy(bench);
}

Test(transaction_memory_commits, may_come_in_parts)
{
    bench *bench = bench_make(NULL);
    const hd_ideal_write writes[] = {write_of(0, 0x104, 1), write_of(0, 0x108, 2), write_of(2, 0x10C, 3)};
    read_word(bench, 100, 1, 0, 0x104);
    send_part(bench, 7, 1, 5, writes, 2, 0);
    step(bench);
    cr_expect_eq(count_of(bench, HD_IDEAL_VERDICT), 0);
    cr_expect_eq(count_of(bench, HD_IDEAL_DOOM), 0, "nothing is decided");
    send_part(bench, 7, 1, 5, writes + 2, 1, 1);
    step(bench);
    cr_expect_eq(latest(bench, HD_IDEAL_VERDICT, 7)->verdict.lanes, 5);
    cr_expect_eq(count_of(bench, HD_IDEAL_DOOM), 1);
    cr_expect_eq(kit_statistic(bench->kit, "written_words"), 3);
    bench_destroy(bench);
}

/* A lane was doomed while its words were on their way: the last part does not name it. */
Test(transaction_memory_commits, words_of_lanes_that_do_not_commit_are_passed_over)
{
    bench *bench = bench_make(NULL);
    const hd_ideal_write writes[] = {write_of(0, 0x104, 1), write_of(1, 0x108, 2), write_of(3, 0x10C, 3)};
    send_part(bench, 7, 1, 0xB, writes, 2, 0);
    send_part(bench, 7, 1, 0x9, writes + 2, 1, 1);
    step(bench);
    cr_expect_eq(latest(bench, HD_IDEAL_VERDICT, 7)->verdict.lanes, 9);
    settle(bench);
    cr_expect_eq(bench->memory[0x104], 1);
    cr_expect_eq(bench->memory[0x108], 0);
    cr_expect_eq(bench->memory[0x10C], 3);
    bench_destroy(bench);
}

/* Doomed once: not told again, and what it reads now is not registered. */
Test(transaction_memory_commits, a_lane_is_told_once)
{
    bench *bench = bench_make(NULL);
    const hd_ideal_write writes[] = {write_of(0, 0x104, 1), write_of(0, 0x108, 1)};
    read_word(bench, 100, 1, 0, 0x104);
    read_word(bench, 100, 1, 0, 0x108);
    step(bench);
    send_commit(bench, 7, 1, 1, writes, 2);
    step(bench);
    cr_expect_eq(count_of(bench, HD_IDEAL_DOOM), 1);
    read_word(bench, 100, 1, 0, 0x10C);
    step(bench);
    const hd_ideal_write other = write_of(0, 0x10C, 1);
    send_commit(bench, 8, 1, 1, &other, 1);
    step(bench);
    cr_expect_eq(count_of(bench, HD_IDEAL_DOOM), 1);
    cr_expect_eq(kit_statistic(bench->kit, "dooms"), 1);
    bench_destroy(bench);
}

/* As the core's trace has it: the arrow ends where the packet's tag says. */
Test(transaction_memory_commits, show_who_is_doomed_by_whom)
{
    bench *bench = bench_make(NULL);
    const hd_ideal_write write = write_of(0, 0x104, 1);
    read_word(bench, 100, 1, 2, 0x104);
    step(bench);
    send_commit(bench, 7, 1, 1, &write, 1);
    step(bench);
    uint32_t count, arrows = 0, shown = 0;
    const kit_traced *traced = kit_recorded(bench->kit, &count);
    for (uint32_t i = 0; i < count; i++) {
        arrows += !strcmp(traced[i].event, "refusal");
        if (strcmp(traced[i].event, "doomed") == 0) {
            shown++;
            cr_expect_eq(traced[i].values[0], 100);
            cr_expect_eq(traced[i].values[1], 4);
            cr_expect_eq(traced[i].values[2], 0x104);
            cr_expect_eq(traced[i].values[3], 7);
        }
    }
    cr_expect_eq(shown, 1);
    cr_expect_eq(arrows, 1);
    cr_expect_eq(kit_recorded_count(bench->kit, "committed"), 1);
    cr_expect_gt(kit_recorded_count(bench->kit, "words"), 0);
    bench_destroy(bench);
}
