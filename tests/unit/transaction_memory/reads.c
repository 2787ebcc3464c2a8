/* SPDX-License-Identifier: MIT */
/* Registration, and words that are committed and not yet in memory. */
#include "bench.h"

Test(transaction_memory_reads, are_answered_at_the_edge_at_which_they_come)
{
    bench *bench = bench_make(NULL);
    read_word(bench, 103, 5, 7, 0x84);
    step(bench);
    const answer *words = latest(bench, HD_IDEAL_WORDS, 103);
    cr_expect_eq(words->t, CYCLE);
    cr_expect_eq(words->core, 1);
    cr_expect_eq(words->packet.tag, 77 + 103);
    cr_expect_eq(words->packet.address, 0x80);
    cr_expect_eq(words->packet.argument, HD_LINE_BYTES);
    cr_expect_eq(words->packet.epoch, 5);
    cr_expect_eq(words->words.byte_mask[0], 0, "all is in memory");
    cr_expect_eq(kit_statistic(bench->kit, "reads"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "read_words"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "readers_maximum"), 1);
    bench_destroy(bench);
}

Test(transaction_memory_reads, see_what_is_committed_until_memory_has_it)
{
    bench *bench = bench_make(NULL);
    const hd_ideal_write writes[] = {{.address = 0x104, .value = 0xAABBCCDD, .byte_mask = 6, .lane = 0}};
    send_commit(bench, 0, 1, 1, writes, 1);
    step(bench);
    read_word(bench, 100, 1, 3, 0x104);
    step(bench);
    const answer *words = latest(bench, HD_IDEAL_WORDS, 100);
    cr_expect_eq(words->words.byte_mask[0], 6u << 4);
    cr_expect_eq(words->words.data[5], 0xCC);
    cr_expect_eq(words->words.data[6], 0xBB);
    cr_expect_eq(kit_statistic(bench->kit, "forwarded_words"), 1);
    settle(bench);
    read_word(bench, 101, 1, 3, 0x104);
    step(bench);
    cr_expect_eq(latest(bench, HD_IDEAL_WORDS, 101)->words.byte_mask[0], 0);
    cr_expect_eq(bench->memory[0x105], 0xCC);
    bench_destroy(bench);
}

/* Two stores of one word are on their way; the first answer does not take it out. */
Test(transaction_memory_reads, see_it_until_the_newest_store_is_answered)
{
    bench *bench = bench_make(NULL);
    const hd_ideal_write first = write_of(0, 0x104, 1), second = write_of(0, 0x104, 2);
    send_commit(bench, 0, 1, 1, &first, 1);
    kit_run_until(bench->kit, 30 * CYCLE);
    send_commit(bench, 1, 1, 1, &second, 1);
    kit_run_until(bench->kit, 60 * CYCLE);
    cr_expect_eq(count_of(bench, HD_IDEAL_SETTLED), 1);
    read_word(bench, 100, 1, 3, 0x104);
    step(bench);
    cr_expect_eq(latest(bench, HD_IDEAL_WORDS, 100)->words.byte_mask[0], 0xF0);
    cr_expect_eq(latest(bench, HD_IDEAL_WORDS, 100)->words.data[4], 2);
    settle(bench);
    cr_expect_eq(count_of(bench, HD_IDEAL_SETTLED), 2);
    bench_destroy(bench);
}

Test(transaction_memory_reads, of_many_lanes_are_registered_word_by_word)
{
    bench *bench = bench_make(NULL);
    uint8_t word[HD_IDEAL_LANES];
    for (uint32_t lane = 0; lane < HD_IDEAL_LANES; lane++)
        word[lane] = (uint8_t)(lane % 8);
    send_read(bench, 2, 1, 0x200, UINT64_MAX, word);
    step(bench);
    cr_expect_eq(kit_statistic(bench->kit, "read_words"), 64);
    cr_expect_eq(kit_statistic(bench->kit, "readers_maximum"), 8, "a word for each warp");
    const hd_ideal_write write = write_of(0, 0x20C, 1);
    send_commit(bench, 100, 1, 1, &write, 1);
    step(bench);
    cr_expect_eq(latest(bench, HD_IDEAL_DOOM, 2)->doom.lanes, UINT64_C(0x0808080808080808));
    bench_destroy(bench);
}

/* What an attempt has read is nothing to the next one. */
Test(transaction_memory_reads, are_forgotten_with_their_attempt)
{
    bench *bench = bench_make(NULL);
    const hd_ideal_write write = write_of(0, 0x104, 1);
    read_word(bench, 0, 1, 3, 0x104);
    read_word(bench, 0, 2, 4, 0x108);
    step(bench);
    send_commit(bench, 1, 1, 1, &write, 1);
    step(bench);
    cr_expect_eq(count_of(bench, HD_IDEAL_DOOM), 0);
    read_word(bench, 0, 2, 3, 0x104);
    step(bench);
    send_commit(bench, 0, 2, 8, NULL, 0);
    step(bench);
    cr_expect_eq(latest(bench, HD_IDEAL_VERDICT, 0)->verdict.lanes, 8);
    send_commit(bench, 1, 2, 1, &write, 1);
    step(bench);
    cr_expect_eq(count_of(bench, HD_IDEAL_DOOM), 0, "it has committed");
    bench_destroy(bench);
}
