/* SPDX-License-Identifier: MIT */
/* Which words are being committed: what a unit counts, and what it tells both cores that listen (Ren & Lis 2018 §VI). */
#include "bench.h"

enum { READS, WRITES, CORES = 2 };

static bench *make(const char *parameter, const char *other)
{
    return bench_make((const char *[]){"broadcast=words", parameter, other, NULL});
}

/* What has been told of the word: as many messages to each core. */
static uint32_t told_of(const bench *bench, uint32_t enters, uint32_t set, uint32_t word)
{
    uint32_t messages[CORES] = {0};
    for (uint32_t i = 0; i < bench->told_count; i++) {
        const broadcasted *told = &bench->told[i];
        for (uint32_t k = 0; k < told->count && k < 8; k++)
            messages[told->receiver == CORE] += told->enters == enters && told->set == set && told->words[k] == word;
    }
    cr_expect_eq(messages[0], messages[1], "both cores hear the same");
    return messages[0];
}

static uint32_t words_that_are_counted(bench *bench)
{
    return ((const kilo_unit *)kit_instance(bench->kit))->broadcast.counts.count;
}

/* After all that is under way; nothing may be left (EI-1, EI-2). */
static void expect_nothing_left(bench *bench)
{
    settle(bench);
    cr_expect(is_idle(bench));
    cr_expect_eq(words_that_are_counted(bench), 0);
    cr_expect(broadcast_is_empty(&((const kilo_unit *)kit_instance(bench->kit))->broadcast));
    int32_t left[2][WORDS] = {{0}};
    for (uint32_t i = 0; i < bench->told_count; i++)
        for (uint32_t k = 0; k < bench->told[i].count && k < 8; k++)
            left[bench->told[i].set][bench->told[i].words[k]] += bench->told[i].enters ? 1 : -1;
    for (uint32_t set = 0; set < 2; set++)
        for (uint32_t word = 0; word < WORDS; word++)
            cr_assert_eq(left[set][word], 0, "word %u of set %u", word, set);
}

/* Duplicates, and two transactions that have a word in common: it enters once, and leaves once. */
Test(kilo_unit_broadcasts, a_word_enters_with_its_first_reader_and_leaves_with_its_last)
{
    bench *bench = make(NULL, NULL);
    bench->slow_address = AT(7);
    bench->slow = 300;
    send_read(bench, 1, 5, 0, 0);
    send_read(bench, 1, 5, 0, 0);
    send_done(bench, 1, 0);
    send_read(bench, 2, 5, 0, 0);
    send_read(bench, 2, 7, 0, 0);
    send_done(bench, 2, 0);
    kit_run_until(bench->kit, 200 * CYCLE);
    cr_expect_eq(verdict_on(bench, 1), 1);
    cr_expect_eq(told_of(bench, 1, READS, 5), 1);
    cr_expect_eq(told_of(bench, 0, READS, 5), 0, "2 still reads it");
    cr_expect_eq(words_that_are_counted(bench), 2);
    settle(bench);
    cr_expect_eq(told_of(bench, 0, READS, 5), 1);
    cr_expect_eq(told_of(bench, 1, READS, 5), 1);
    send_outcome(bench, 1, 1, now(bench));
    send_outcome(bench, 2, 1, now(bench));
    expect_nothing_left(bench);
    bench_destroy(bench);
}

Test(kilo_unit_broadcasts, readers_and_writers_are_counted_apart)
{
    bench *bench = make(NULL, NULL);
    send_read(bench, 1, 5, 0, 0);
    send_write(bench, 1, 6, 1, 0);
    send_done(bench, 1, 0);
    kit_run_until(bench->kit, 8 * CYCLE);
    send_write(bench, 2, 5, 1, now(bench));
    send_done(bench, 2, now(bench));
    settle(bench);
    cr_expect_eq(told_of(bench, 1, READS, 5), 1);
    cr_expect_eq(told_of(bench, 1, WRITES, 5), 1);
    cr_expect_eq(told_of(bench, 1, READS, 6), 0);
    cr_expect_eq(told_of(bench, 1, WRITES, 6), 1);
    send_outcome(bench, 1, 1, now(bench));
    send_outcome(bench, 2, 1, now(bench));
    expect_nothing_left(bench);
    bench_destroy(bench);
}

/* Of three words there is room for one; what has not been counted is not counted down. */
Test(kilo_unit_broadcasts, what_does_not_fit_is_left_out)
{
    for (uint32_t by_bits = 0; by_bits < 2; by_bits++) {
        bench *bench = by_bits ? make("broadcast.counter_bits=1", NULL) : make("broadcast.entries=1", NULL);
        send_read(bench, 1, 5, 0, 0);
        send_read(bench, 1, by_bits ? 5 : 6, 0, 0);
        send_read(bench, 1, by_bits ? 5 : 7, 0, 0);
        send_done(bench, 1, 0);
        settle(bench);
        cr_expect_eq(kit_statistic(bench->kit, "broadcast.uncounted"), 2);
        cr_expect_eq(kit_statistic(bench->kit, "broadcast.words_maximum"), 1);
        cr_expect_eq(told_of(bench, 1, READS, 5), 1);
        cr_expect_eq(told_of(bench, 0, READS, 5), 1);
        cr_expect_eq(told_of(bench, 1, READS, 6) + told_of(bench, 0, READS, 6), 0);
        send_outcome(bench, 1, 1, now(bench));
        expect_nothing_left(bench);
        bench_destroy(bench);
    }
}

/* Four kinds at most, to each core: of a header each, or of what they say. */
Test(kilo_unit_broadcasts, messages_are_as_many_as_there_are_kinds_and_cores)
{
    for (uint32_t exact = 0; exact < 2; exact++) {
        bench *bench = make(exact ? "broadcast.size=exact" : "broadcast.size=header", NULL);
        for (uint32_t word = 0; word < 3; word++)
            send_read(bench, 1, word, 0, 0);
        send_write(bench, 1, 9, 1, 0);
        send_done(bench, 1, 0);
        settle(bench);
        cr_expect_eq(bench->told_count, 4 * CORES);
        cr_expect_eq(kit_statistic(bench->kit, "packets.enter"), 2 * CORES);
        cr_expect_eq(kit_statistic(bench->kit, "packets.leave"), 2 * CORES);
        for (uint32_t i = 0; i < bench->told_count; i++) {
            cr_expect_eq(bench->told[i].count, bench->told[i].set == READS ? 3 : 1);
            cr_expect_eq(bench->told[i].wire_bytes, 8 + (exact ? 4 * bench->told[i].count : 0));
        }
        send_outcome(bench, 1, 1, now(bench));
        expect_nothing_left(bench);
        cr_expect_eq(bench->told_count, 4 * CORES, "its end is nobody's business");
        bench_destroy(bench);
    }
}

Test(kilo_unit_broadcasts, who_skips_says_nothing)
{
    bench *bench = make(NULL, NULL);
    send_skip(bench, 1, 0);
    send_read(bench, 2, 5, 0, 0);
    send_skip(bench, 3, 0);
    settle(bench);
    cr_expect_eq(bench->told_count, 0, "the log of 2 is not complete");
    send_done(bench, 2, now(bench));
    settle(bench);
    cr_expect_eq(bench->told_count, 2 * CORES, "and there are no writers");
    send_outcome(bench, 2, 0, now(bench));
    expect_nothing_left(bench);
    bench_destroy(bench);
}

/* Behind the verdict, before anything is written; or when it is. */
Test(kilo_unit_broadcasts, words_leave_with_the_verdict_or_when_all_has_been_written)
{
    for (uint32_t late = 0; late < 2; late++) {
        bench *bench = make(late ? "broadcast.release=retirement" : "broadcast.release=verdict", NULL);
        send_read(bench, 1, 5, 0, 0);
        send_write(bench, 1, 5, 3, 0);
        send_done(bench, 1, 0);
        settle(bench);
        cr_expect_eq(verdict_on(bench, 1), 1);
        cr_expect_eq(told_of(bench, 0, WRITES, 5), !late);
        cr_expect_eq(bench->memory[5], 0);
        send_outcome(bench, 1, 1, now(bench));
        settle(bench);
        cr_expect_eq(bench->memory[5], 3);
        cr_expect_eq(told_of(bench, 0, WRITES, 5), 1);
        expect_nothing_left(bench);
        bench_destroy(bench);
    }
}

/* A warp's words are told of together, and leave when the last of its lanes has a verdict. */
Test(kilo_unit_broadcasts, a_warp_is_one)
{
    bench *bench = make("aggregate=true", "coalesce=32 B");
    const hd_kilo_word words[] = {{.address = AT(5), .lane = 0, .byte_mask = 15},
                                  {.address = AT(600), .lane = 1, .byte_mask = 15}};
    bench->slow_address = AT(600);
    bench->slow = 400;
    send_words(bench, HD_KILO_READ_SET, group_of(1, 2), words, 2, 0, 0);
    send_lanes(bench, HD_KILO_DONE_SKIP, group_of(1, 2), 3, 3, 0);
    kit_run_until(bench->kit, 300 * CYCLE);
    cr_expect_eq(bench->told_count, CORES);
    cr_expect_eq(bench->told[0].count, 2);
    settle(bench);
    cr_expect_eq(bench->told_count, 2 * CORES);
    cr_expect_gt(bench->told[CORES].t, bench->heard[0].t, "the verdict goes first");
    send_lanes(bench, HD_KILO_OUTCOME, group_of(1, 2), 3, 3, now(bench));
    expect_nothing_left(bench);
    bench_destroy(bench);
}

/* One message per cycle: of each transaction two kinds go to each core, and the verdicts of those behind it wait for that. */
Test(kilo_unit_broadcasts, verdicts_wait_for_what_is_told_before)
{
    enum { IDS = 6 };
    hd_time verdict[2];
    uint64_t waited[2];
    for (uint32_t tells = 0; tells < 2; tells++) {
        bench *bench = bench_make((const char *[]){tells ? "broadcast=words" : "broadcast=nothing", NULL});
        for (uint64_t id = 1; id <= IDS; id++) {
            send_write(bench, id, (uint32_t)id, 1, 0);
            send_done(bench, id, 0);
        }
        settle(bench);
        cr_expect_eq(bench->told_count, tells ? IDS * 2 * CORES : 0);
        verdict[tells] = find(bench, HD_KILO_VERDICT, IDS)->t;
        waited[tells] = kit_statistic(bench->kit, "message_cycles");
        bench_destroy(bench);
    }
    cr_expect_geq(verdict[1] - verdict[0], IDS * CYCLE, "%lu and %lu", verdict[0], verdict[1]);
    cr_expect_gt(waited[1], 3 * waited[0], "%lu and %lu", waited[0], waited[1]);
}

/* Every third change is told, with what has changed before; in between a word may come and go unheard. */
Test(kilo_unit_broadcasts, changes_may_be_told_together)
{
    bench *bench = make("broadcast.interval=3", NULL);
    bench->slow_address = AT(7);
    bench->slow = 500;
    send_read(bench, 1, 7, 0, 0);
    send_done(bench, 1, 0);
    kit_run_until(bench->kit, 100 * CYCLE);
    cr_expect_eq(bench->told_count, 0);
    for (uint64_t id = 2; id < 4; id++) {
        send_write(bench, id, (uint32_t)(10 * id), 1, now(bench));
        send_done(bench, id, now(bench));
    }
    kit_run_until(bench->kit, 200 * CYCLE);
    cr_expect_eq(bench->told_count, 2 * CORES, "two kinds");
    cr_expect_eq(told_of(bench, 1, READS, 7), 1);
    cr_expect_eq(told_of(bench, 1, WRITES, 20), 1);
    for (uint64_t id = 1; id < 4; id++) {
        settle(bench);
        send_outcome(bench, id, 1, now(bench));
    }
    expect_nothing_left(bench);
    bench_destroy(bench);
}

static void write_word(bench *bench, uint64_t id)
{
    send_write(bench, id, (uint32_t)(10 * id), 1, now(bench));
    send_done(bench, id, now(bench));
    settle(bench);
}

static void retire(bench *bench, uint64_t id)
{
    send_outcome(bench, id, 1, now(bench));
    settle(bench);
}

/* What leaves makes room for what enters: of changes that are told together it is told first, whatever the last of them is. */
Test(kilo_unit_broadcasts, words_leave_before_others_enter)
{
    static const uint32_t enters[] = {1, 0, 1, 0, 1};
    uint32_t count = 0;
    bench *bench = make("broadcast.interval=3", "broadcast.release=retirement");
    for (uint64_t id = 1; id <= 3; id++)
        write_word(bench, id);
    retire(bench, 1);
    write_word(bench, 4);
    write_word(bench, 5);
    retire(bench, 2);
    write_word(bench, 6);
    retire(bench, 3);
    for (uint32_t i = 0; i < bench->told_count; i++) {
        if (bench->told[i].receiver != CORE)
            continue;
        cr_assert_lt(count, sizeof enters / sizeof *enters);
        cr_expect_eq(bench->told[i].enters, enters[count], "message %u", count);
        count++;
    }
    cr_expect_eq(count, sizeof enters / sizeof *enters);
    for (uint64_t id = 4; id <= 6; id++)
        retire(bench, id);
    expect_nothing_left(bench);
    bench_destroy(bench);
}

/* ---- Signatures ------------------------------------------------------------------------------------------------------------ */

static uint64_t bit_of(uint32_t word)
{
    return UINT64_C(1) << hd_kilo_signature_bit(AT(word));
}

/* What a core knows at that time. */
static uint64_t known_at(const bench *bench, uint32_t receiver, uint32_t set, hd_time t)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < bench->signature_count; i++)
        if (bench->signatures[i].receiver == receiver && bench->signatures[i].set == set && bench->signatures[i].t <= t)
            bits = bench->signatures[i].bits;
    return bits;
}

static void expect_known(const bench *bench, uint32_t set, hd_time t, uint64_t bits)
{
    cr_expect_eq(known_at(bench, CORE, set, t), bits, "%lx", known_at(bench, CORE, set, t));
    cr_expect_eq(known_at(bench, OTHER_CORE, set, t), bits);
}

static uint32_t word_beside(uint32_t word)
{
    uint32_t other = word + 1;
    while (bit_of(other) != bit_of(word))
        other++;
    return other;
}

/* Two words of one bit: it is there as long as one of them is. */
Test(kilo_unit_broadcasts, a_signature_has_the_bits_of_all_words)
{
    for (uint32_t exact = 0; exact < 2; exact++) {
        bench *bench = bench_make(
            (const char *[]){"broadcast=signatures", exact ? "broadcast.size=exact" : "broadcast.size=header", NULL});
        const uint32_t other = word_beside(5);
        bench->slow_address = AT(other);
        bench->slow = 400;
        send_read(bench, 1, 5, 0, 0);
        send_write(bench, 1, 9, 1, 0);
        send_done(bench, 1, 0);
        send_read(bench, 2, other, 0, 0);
        send_done(bench, 2, 0);
        kit_run_until(bench->kit, 15 * CYCLE);
        expect_known(bench, READS, 15 * CYCLE, bit_of(5));
        expect_known(bench, WRITES, 15 * CYCLE, bit_of(9));
        kit_run_until(bench->kit, 300 * CYCLE);
        cr_expect_eq(verdict_on(bench, 1), 1);
        expect_known(bench, READS, 300 * CYCLE, bit_of(5));
        expect_known(bench, WRITES, 300 * CYCLE, 0);
        settle(bench);
        expect_known(bench, READS, now(bench), 0);
        cr_expect_eq(bench->signature_count, 4 * CORES, "one for each change");
        cr_expect_eq(kit_statistic(bench->kit, "packets.signature"), 4 * CORES);
        cr_expect_eq(bench->told_count, 0, "of words nothing is told");
        for (uint32_t i = 0; i < bench->signature_count; i++)
            cr_expect_eq(bench->signatures[i].wire_bytes, 8 + (exact ? 8 : 0));
        send_outcome(bench, 1, 1, now(bench));
        send_outcome(bench, 2, 1, now(bench));
        expect_nothing_left(bench);
        bench_destroy(bench);
    }
}

/* In between signatures may have been others. */
Test(kilo_unit_broadcasts, changes_of_signatures_may_be_told_together)
{
    bench *bench = bench_make((const char *[]){"broadcast=signatures", "broadcast.interval=2", NULL});
    bench->slow_address = AT(7);
    bench->slow = 500;
    send_read(bench, 1, 7, 0, 0);
    send_done(bench, 1, 0);
    kit_run_until(bench->kit, 100 * CYCLE);
    cr_expect_eq(bench->signature_count, 0);
    send_write(bench, 2, 20, 1, now(bench));
    send_done(bench, 2, now(bench));
    kit_run_until(bench->kit, 200 * CYCLE);
    expect_known(bench, READS, now(bench), bit_of(7));
    settle(bench);
    expect_known(bench, READS, now(bench), 0);
    expect_known(bench, WRITES, now(bench), 0);
    send_outcome(bench, 1, 1, now(bench));
    settle(bench);
    send_outcome(bench, 2, 1, now(bench));
    expect_nothing_left(bench);
    bench_destroy(bench);
}

/* ---- What counting costs ---------------------------------------------------------------------------------------------------- */

/* Each word once when it comes, and once when it leaves, for which nothing is taken in. */
Test(kilo_unit_broadcasts, counting_may_take_time)
{
    enum { IDS = 5, COST = 7 };
    hd_time verdict[2];
    for (uint32_t costs = 0; costs < 2; costs++) {
        bench *bench = make(costs ? "broadcast.cost=7 cycles" : "broadcast.cost=0 cycles", NULL);
        for (uint64_t id = 1; id <= IDS; id++) {
            send_read(bench, id, (uint32_t)id, 0, 0);
            send_done(bench, id, 0);
        }
        settle(bench);
        verdict[costs] = find(bench, HD_KILO_VERDICT, IDS)->t;
        cr_expect_eq(kit_statistic(bench->kit, "wait_cycles.count"), costs ? 2 * IDS * COST : 0);
        for (uint64_t id = 1; id <= IDS; id++)
            send_outcome(bench, id, 1, now(bench));
        expect_nothing_left(bench);
        bench_destroy(bench);
    }
    cr_expect_geq(verdict[1] - verdict[0], IDS * COST * CYCLE, "%lu and %lu", verdict[0], verdict[1]);
}
