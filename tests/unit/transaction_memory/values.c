/* SPDX-License-Identifier: MIT */
/* Conflicts by values: who is told what words are, who commits, and what loads see until somebody says that it is in memory. */
#include "bench.h"

static bench *make(const char *const *more)
{
    const char *parameters[8] = {"conflicts=values"};
    for (uint32_t i = 0; more && more[i]; i++)
        parameters[i + 1] = more[i];
    return bench_make(parameters);
}

static const hd_ideal_verdict *verdict_of(const bench *bench, uint32_t warp)
{
    return &latest(bench, HD_IDEAL_VERDICT, warp)->verdict;
}

Test(transaction_memory_values, readers_are_told_what_a_word_is_and_decide)
{
    bench *bench = make(NULL);
    const hd_ideal_write write = write_of(5, 0x104, 0x77);
    read_word(bench, 7, 9, 3, 0x104);
    read_word(bench, 107, 4, 5, 0x104);
    read_word(bench, 8, 1, 0, 0x108);
    step(bench);
    send_compared(bench, 107, 4, 1 << 5, &write, 1, 0);
    step(bench);
    const answer *changed = latest(bench, HD_IDEAL_CHANGED, 7);
    cr_expect_eq(count_of(bench, HD_IDEAL_CHANGED), 1, "not who commits, nor who has read another word");
    cr_expect_eq(changed->packet.epoch, 9);
    cr_expect_eq(changed->packet.argument, 1);
    cr_expect_eq(changed->changed[0].address, 0x104);
    cr_expect_eq(changed->changed[0].value, 0x77);
    cr_expect_eq(changed->changed[0].byte_mask, 15);
    cr_expect_lt(changed, latest(bench, HD_IDEAL_VERDICT, 107), "it is told before the answer");
    cr_expect_eq(verdict_of(bench, 107)->lanes, 1 << 5);
    cr_expect_eq(verdict_of(bench, 107)->order, 1);
    cr_expect_eq(verdict_of(bench, 107)->is_written, 1);
    cr_expect_eq(verdict_of(bench, 107)->committed, latest(bench, HD_IDEAL_VERDICT, 107)->t - CYCLE);
    cr_expect_eq(count_of(bench, HD_IDEAL_DOOM), 0);
    settle(bench);
    cr_expect_eq(bench->store_count, 0, "it writes nothing");
    cr_expect_eq(count_of(bench, HD_IDEAL_SETTLED), 0);
    cr_expect_eq(kit_statistic(bench->kit, "changes"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "changed_words"), 1);
    cr_expect_eq(kit_statistic(bench->kit, "committed_lanes"), 1);
    bench_destroy(bench);
}

/* IDs are dense: as many as lanes. */
Test(transaction_memory_values, each_lane_has_an_id)
{
    bench *bench = make(NULL);
    const hd_ideal_write writes[] = {write_of(0, 0x104, 1), write_of(2, 0x108, 2), write_of(3, 0x10C, 3)};
    send_compared(bench, 7, 1, 0xD, writes, 3, 0);
    step(bench);
    cr_expect_eq(verdict_of(bench, 7)->order, 1);
    send_compared(bench, 8, 1, 0x1, writes, 1, 0);
    step(bench);
    cr_expect_eq(verdict_of(bench, 8)->order, 4);
    bench_destroy(bench);
}

/* A request that has crossed a change decides nothing, and forgets nothing. */
Test(transaction_memory_values, who_has_not_been_compared_with_all_does_not_commit)
{
    bench *bench = make(NULL);
    const hd_ideal_write mine = write_of(3, 0x200, 1), theirs[] = {write_of(0, 0x104, 2), write_of(0, 0x104, 3)};
    read_word(bench, 7, 9, 3, 0x104);
    step(bench);
    send_compared(bench, 107, 4, 1, theirs, 1, 0);
    send_compared(bench, 107, 5, 1, theirs + 1, 1, 0);
    step(bench);
    send_compared(bench, 7, 9, 8, &mine, 1, 1);
    step(bench);
    cr_expect_eq(verdict_of(bench, 7)->is_late, 1);
    cr_expect_eq(verdict_of(bench, 7)->lanes, 0);
    cr_expect_eq(kit_statistic(bench->kit, "late_commits"), 1);
    read_word(bench, 100, 1, 0, 0x200);
    step(bench);
    cr_expect_eq(latest(bench, HD_IDEAL_WORDS, 100)->words.byte_mask[0], 0, "nothing of it is committed");
    send_compared(bench, 107, 6, 1, theirs, 1, 0);
    step(bench);
    cr_expect_eq(count_of(bench, HD_IDEAL_CHANGED), 3, "it is registered still");
    send_compared(bench, 7, 9, 8, &mine, 1, 3);
    step(bench);
    cr_expect_eq(verdict_of(bench, 7)->is_late, 0);
    cr_expect_eq(verdict_of(bench, 7)->lanes, 8);
    cr_expect_eq(verdict_of(bench, 7)->order, 4);
    bench_destroy(bench);
}

/* As it is after the whole commit, once. */
Test(transaction_memory_values, a_word_that_is_written_often_is_told_once)
{
    bench *bench = make(NULL);
    const hd_ideal_write writes[] = {{.address = 0x104, .value = 0x1111, .byte_mask = 3, .lane = 0},
                                     {.address = 0x104, .value = 0x222200, .byte_mask = 6, .lane = 1},
                                     {.address = 0x104, .value = 0x333300, .byte_mask = 2, .lane = 2}};
    read_word(bench, 100, 1, 0, 0x104);
    step(bench);
    send_compared(bench, 7, 1, 7, writes, 3, 0);
    step(bench);
    const answer *changed = latest(bench, HD_IDEAL_CHANGED, 100);
    cr_expect_eq(changed->packet.argument, 1);
    cr_expect_eq(changed->changed[0].value & 0xFFFFFF, 0x223311);
    cr_expect_eq(changed->changed[0].byte_mask, 7);
    bench_destroy(bench);
}

/* More words than a message has room for. */
Test(transaction_memory_values, long_commits_are_told_in_several_messages)
{
    enum { WORDS = 100 };
    bench *bench = make(NULL);
    hd_ideal_write writes[WORDS];
    for (uint32_t i = 0; i < WORDS; i++) {
        writes[i] = write_of(0, 0x1000 + 4 * i, i + 1);
        read_word(bench, 100, 1, 0, 0x1000 + 4 * i);
        step(bench);
    }
    send_part(bench, 7, 1, 1, writes, HD_IDEAL_WRITES, 0);
    send_compared(bench, 7, 1, 1, writes + HD_IDEAL_WRITES, WORDS - HD_IDEAL_WRITES, 0);
    step(bench);
    cr_expect_eq(count_of(bench, HD_IDEAL_CHANGED), 2);
    cr_expect_eq(kit_statistic(bench->kit, "changed_words"), WORDS);
    cr_expect_eq(verdict_of(bench, 7)->is_written, 1);
    const hd_ideal_write mine = write_of(0, 0x2000, 1);
    send_compared(bench, 100, 1, 1, &mine, 1, 2);
    step(bench);
    cr_expect_eq(verdict_of(bench, 100)->lanes, 1, "two messages");
    bench_destroy(bench);
}

Test(transaction_memory_values, loads_are_given_it_until_it_is_said_to_be_written)
{
    bench *bench = make(NULL);
    const hd_ideal_write first = write_of(0, 0x104, 1), second = {.address = 0x104, .value = 0x200, .byte_mask = 2};
    send_compared(bench, 0, 1, 1, &first, 1, 0);
    send_compared(bench, 1, 1, 1, &second, 1, 0);
    step(bench);
    send_written(bench, 1, &second, 1); /* the younger one's units were faster elsewhere */
    step(bench);
    read_word(bench, 100, 1, 3, 0x104);
    step(bench);
    cr_expect_eq(latest(bench, HD_IDEAL_WORDS, 100)->words.byte_mask[0], 0xF0);
    cr_expect_eq(latest(bench, HD_IDEAL_WORDS, 100)->words.data[4], 1);
    cr_expect_eq(latest(bench, HD_IDEAL_WORDS, 100)->words.data[5], 2);
    cr_expect_eq(kit_statistic(bench->kit, "forwarded_words"), 1);
    send_written(bench, 0, &first, 1);
    step(bench);
    read_word(bench, 101, 1, 3, 0x104);
    step(bench);
    cr_expect_eq(latest(bench, HD_IDEAL_WORDS, 101)->words.byte_mask[0], 0);
    bench_destroy(bench);
}

/* A word that has been written twice is in memory when that has been said twice. */
Test(transaction_memory_values, each_of_several_stores_has_to_be_written)
{
    bench *bench = make(NULL);
    const hd_ideal_write writes[] = {write_of(0, 0x104, 1), write_of(0, 0x104, 2)};
    send_compared(bench, 0, 1, 1, writes, 2, 0);
    step(bench);
    send_written(bench, 0, writes, 1);
    step(bench);
    read_word(bench, 100, 1, 3, 0x104);
    step(bench);
    cr_expect_eq(latest(bench, HD_IDEAL_WORDS, 100)->words.data[4], 2);
    send_written(bench, 0, writes, 1);
    step(bench);
    read_word(bench, 100, 1, 3, 0x104);
    step(bench);
    cr_expect_eq(latest(bench, HD_IDEAL_WORDS, 100)->words.byte_mask[0], 0);
    bench_destroy(bench);
}

/* The plain reading: what has been validated is in memory. */
Test(transaction_memory_values, loads_are_given_nothing_if_a_test_wants_it)
{
    bench *bench = make((const char *[]){"test.forwarding=no", NULL});
    const hd_ideal_write write = write_of(0, 0x104, 1);
    send_compared(bench, 0, 1, 1, &write, 1, 0);
    step(bench);
    read_word(bench, 100, 1, 3, 0x104);
    step(bench);
    cr_expect_eq(latest(bench, HD_IDEAL_WORDS, 100)->words.byte_mask[0], 0);
    cr_expect_eq(kit_statistic(bench->kit, "forwarded_words"), 0);
    bench_destroy(bench);
}

/* Another attempt has registered nothing, and has been told nothing. */
Test(transaction_memory_values, attempts_begin_anew)
{
    bench *bench = make(NULL);
    const hd_ideal_write write = write_of(0, 0x104, 1);
    read_word(bench, 0, 1, 3, 0x104);
    step(bench);
    send_compared(bench, 1, 1, 1, &write, 1, 0);
    step(bench);
    read_word(bench, 0, 2, 3, 0x108);
    step(bench);
    send_compared(bench, 1, 2, 1, &write, 1, 0);
    step(bench);
    cr_expect_eq(count_of(bench, HD_IDEAL_CHANGED), 1);
    const hd_ideal_write mine = write_of(3, 0x200, 1);
    send_compared(bench, 0, 2, 8, &mine, 1, 0);
    step(bench);
    cr_expect_eq(verdict_of(bench, 0)->lanes, 8);
    const hd_ideal_write other = write_of(0, 0x108, 1);
    send_compared(bench, 1, 3, 1, &other, 1, 0);
    step(bench);
    cr_expect_eq(count_of(bench, HD_IDEAL_CHANGED), 1, "who has committed is told nothing");
    bench_destroy(bench);
}

Test(transaction_memory_values, show_what_is_told)
{
    bench *bench = make(NULL);
    const hd_ideal_write write = write_of(0, 0x104, 1);
    read_word(bench, 100, 1, 2, 0x104);
    step(bench);
    send_compared(bench, 7, 1, 1, &write, 1, 0);
    step(bench);
    send_written(bench, 7, &write, 1);
    step(bench);
    uint32_t count, shown = 0;
    const kit_traced *traced = kit_recorded(bench->kit, &count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(traced[i].event, "changed") == 0) {
            shown++;
            cr_expect_eq(traced[i].values[0], 100);
            cr_expect_eq(traced[i].values[1], 1);
        }
    cr_expect_eq(shown, 1);
    cr_expect_eq(kit_recorded_count(bench->kit, "committed"), 1);
    cr_expect_eq(kit_recorded_count(bench->kit, "words"), 2);
    cr_expect_eq(kit_statistic(bench->kit, "words_maximum"), 1);
    bench_destroy(bench);
}
