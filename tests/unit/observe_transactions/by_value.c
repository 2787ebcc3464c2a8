/* SPDX-License-Identifier: MIT */
/* Protocols that promise values alone: what is accepted though accesses took place in another order, what is not, and what is said. */
#include <criterion/criterion.h>
#include <string.h>

#include "rig.h"

#define X 3u  /* of slice 0 */
#define Y 40u /* of slice 1 */

static rig rig_here;

static rig *fresh_of(uint32_t rule)
{
    rig_open(&rig_here);
    rig_here.rule = rule;
    rig_here.memory[X] = rig_here.memory[Y] = 0;
    rig_plain_load(&rig_here, X);
    rig_plain_load(&rig_here, Y);
    rig_begin(&rig_here);
    return &rig_here;
}

static rig *fresh(void)
{
    return fresh_of(HD_SERIAL_BY_VALUE);
}

/* Texts in order, each in a line behind that of the one before. */
#define EXPECT_REPORT(rig, ...)                                                                                        \
    do {                                                                                                               \
        static const char *const texts[] = {__VA_ARGS__};                                                              \
        rig_end(rig);                                                                                                  \
        const char *at = (rig)->report;                                                                                \
        for (size_t i_ = 0; i_ < sizeof texts / sizeof *texts && at; i_++) {                                           \
            at = strstr(at, texts[i_]);                                                                                \
            cr_expect_not_null(at, "no \"%s\" in:\n%s", texts[i_], (rig)->report);                                     \
        }                                                                                                              \
        rig_close(rig);                                                                                                \
    } while (0)

static void expect_clean(rig *rig)
{
    rig_end(rig);
    cr_expect_eq(rig->violations, 0, "%s", rig->report);
    cr_expect_str_empty(rig->report);
    rig_close(rig);
}

static attempt writer(rig *rig, uint32_t warp, uint64_t order, uint32_t word, uint32_t value)
{
    attempt a = rig_attempt(rig, warp, 0, order);
    rig_write(&a, word, value, 0xF);
    return a;
}

static void finish(rig *rig, attempt *a)
{
    rig_commit(rig, a);
    rig_apply(rig, a);
}

/* A read that no slice has been asked for. */
static void claim(attempt *a, uint32_t word, uint32_t value)
{
    a->reads[a->transaction.read_count++] = (hd_transaction_word){
        .address = RIG_BASE + 4 * (uint64_t)word, .value = value, .byte_mask = 0xF, .sample = HD_NO_SAMPLE};
}

/* ---- What values explain --------------------------------------------------------------------------------------------- */

/* X is read as 0, becomes 1 and 0 again, and the reader commits behind that (P1 of ABA). Without a report of its validation, only
 * values can tell that this is serial. */
static void changed_and_changed_back(rig *rig)
{
    attempt late = rig_attempt(rig, 0, 0, 30);
    rig_read(rig, &late, X);
    attempt a = writer(rig, 1, 10, X, 1), b = writer(rig, 2, 20, X, 0);
    finish(rig, &a);
    rig_write(&b, Y, 7, 0xF);
    finish(rig, &b);
    cr_expect_eq(rig_read(rig, &late, Y), 7);
    rig_commit(rig, &late);
}

Test(transaction_by_value, what_was_changed_and_changed_back_is_as_it_was)
{
    rig *rig = fresh();
    changed_and_changed_back(rig);
    expect_clean(rig);
    rig = fresh_of(HD_SERIAL_BY_ACCESS);
    changed_and_changed_back(rig);
    EXPECT_REPORT(rig, "cycle: 3 transactions");
}

/* Lanes of a warp that have not been checked against each other have IDs of their own, and one epoch. */
static void lanes_of_one_word(rig *rig)
{
    attempt a = writer(rig, 0, 10, X, 1), b = writer(rig, 0, 11, X, 2);
    b.transaction.lane = 1;
    b.transaction.attempt = a.transaction.attempt;
    rig_commit(rig, &a);
    rig_commit(rig, &b);
    rig_apply(rig, &a);
    rig_apply(rig, &b);
}

Test(transaction_by_value, lanes_of_an_attempt_may_write_one_word)
{
    rig *rig = fresh();
    lanes_of_one_word(rig);
    expect_clean(rig);
    rig = fresh_of(HD_SERIAL_BY_ACCESS);
    lanes_of_one_word(rig);
    EXPECT_REPORT(rig, "cycle: 2 transactions");
}

/* ---- Readers without an order ---------------------------------------------------------------------------------------- */

/* 10 writes X and 20 writes Y; a reader may have seen 20 alone, as partitions do not wait for each other. */
Test(transaction_by_value, a_reader_may_see_the_younger_of_two_that_have_nothing_in_common)
{
    rig *rig = fresh();
    attempt a = writer(rig, 1, 10, X, 1), b = writer(rig, 2, 20, Y, 2), reader = rig_attempt(rig, 0, 0, HD_NO_ORDER);
    claim(&reader, X, 0);
    claim(&reader, Y, 2);
    rig_commit(rig, &reader);
    finish(rig, &b);
    finish(rig, &a);
    rig_end(rig);
    cr_expect_eq(rig->violations, 0, "%s", rig->report);
    cr_expect_eq(hd_transaction_checker_counts(rig->checker).placed, 1);
    cr_expect_eq(hd_transaction_checker_counts(rig->checker).replayed, 2);
    cr_expect_eq(hd_transaction_checker_counts(rig->checker).edges, 2);
    rig_close(rig);
}

Test(transaction_by_value, readers_must_not_disagree_about_them)
{
    rig *rig = fresh();
    attempt a = writer(rig, 1, 10, X, 1), b = writer(rig, 2, 20, Y, 2);
    for (uint32_t i = 0; i < 2; i++) {
        attempt reader = rig_attempt(rig, 3 + 4 * i, i, HD_NO_ORDER);
        claim(&reader, X, i);
        claim(&reader, Y, 2 * !i);
        rig_commit(rig, &reader);
    }
    finish(rig, &a);
    finish(rig, &b);
    EXPECT_REPORT(
        rig,
        "values: there is no place for transactions without an order. 4 transactions each come before the next, "
        "and the last before the first",
        "transaction: warp ", "tx.begin at module 0, pc 0x1", "0x00000002 ", "transaction: warp ");
}

Test(transaction_by_value, a_reader_of_half_a_commit_has_no_place)
{
    rig *rig = fresh();
    attempt a = writer(rig, 1, 10, X, 1), reader = rig_attempt(rig, 0, 5, HD_NO_ORDER);
    rig_write(&a, Y, 2, 0xF);
    rig_read(rig, &reader, X);
    finish(rig, &a);
    rig_read(rig, &reader, Y);
    rig_commit(rig, &reader);
    rig_end(rig);
    cr_expect_eq(rig->violations, 1);
    static const char *const lines[] = {
        "values: there is no place for transactions without an order. 2 transactions",
        "warp 0, lane 5, attempt ",
        "no order, tx.begin at module 0, pc 0x100",
        "    read 0x00000000 from the word at 0x1000000c, to which the next wrote 0x00000001 later",
        "warp 1, lane 0, attempt ",
        "order 0.10, tx.begin at module 0, pc 0x104",
        "    wrote 0x00000002 to the word at 0x100000a0, which the next read"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        cr_expect_not_null(strstr(rig->report, lines[i]), "no \"%s\" in:\n%s", lines[i], rig->report);
    rig_close(rig);
}

/* It may have seen either of two equal writes: if one does not fit, the other may. */
Test(transaction_by_value, what_comes_again_may_be_seen_again)
{
    for (uint32_t y = 2; y <= 4; y++) {
        rig *rig = fresh();
        attempt a = writer(rig, 1, 10, X, 1), b = writer(rig, 2, 20, X, 0), c = writer(rig, 3, 30, X, 1);
        rig_write(&a, Y, 2, 0xF);
        rig_write(&b, Y, 3, 0xF);
        rig_write(&c, Y, 4, 0xF);
        attempt reader = rig_attempt(rig, 4, 0, HD_NO_ORDER);
        claim(&reader, X, 1);
        claim(&reader, Y, y);
        rig_commit(rig, &reader);
        finish(rig, &a);
        finish(rig, &b);
        finish(rig, &c);
        rig_end(rig);
        cr_expect_eq(rig->violations, y == 3, "Y as %u: %s", y, rig->report);
        rig_close(rig);
    }
}

Test(transaction_by_value, a_value_that_nobody_wrote_was_never_there)
{
    rig *rig = fresh();
    attempt a = writer(rig, 1, 10, X, 1), reader = rig_attempt(rig, 0, 2, HD_NO_ORDER);
    finish(rig, &a);
    claim(&reader, X, 5);
    rig_commit(rig, &reader);
    EXPECT_REPORT(
        rig,
        "a transaction without an order has read the word at 0x1000000c as 0x00000005, which it never was in the "
        "order of the protocol",
        "read by: warp 0, lane 2");
    rig = fresh();
    reader = rig_attempt(rig, 0, 2, HD_NO_ORDER);
    claim(&reader, Y, 5);
    rig_commit(rig, &reader);
    EXPECT_REPORT(rig, "has read the word at 0x100000a0 as 0x00000005, which it never was");
}

Test(transaction_by_value, a_word_has_one_value_for_a_reader)
{
    rig *rig = fresh();
    attempt a = writer(rig, 1, 10, X, 1), reader = rig_attempt(rig, 0, 2, HD_NO_ORDER);
    claim(&reader, X, 0);
    claim(&reader, X, 1);
    rig_commit(rig, &reader);
    finish(rig, &a);
    EXPECT_REPORT(rig, "a transaction without an order has read different values of the word at 0x1000000c");
}

Test(transaction_by_value, nothing_without_an_order_may_write)
{
    rig *rig = fresh();
    attempt a = writer(rig, 1, HD_NO_ORDER, X, 0);
    finish(rig, &a);
    EXPECT_REPORT(rig, "a transaction without an order has written the word at 0x1000000c");
}

/* A word that is written in parts is written at once. */
Test(transaction_by_value, no_reader_sees_a_part_of_a_write)
{
    static const uint32_t seen[] = {0, 0x2222, 0x11112222};
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        rig *rig = fresh();
        attempt a = rig_attempt(rig, 1, 0, 10), reader = rig_attempt(rig, 0, 0, HD_NO_ORDER);
        rig_write(&a, X, 0x2222, 0x3);
        rig_write(&a, X, 0x11110000, 0xC);
        finish(rig, &a);
        claim(&reader, X, seen[i]);
        rig_commit(rig, &reader);
        rig_end(rig);
        cr_expect_eq(rig->violations, seen[i] == 0x2222, "%s", rig->report);
        rig_close(rig);
    }
}

/* What nobody knows was as the first who read it says, and else as anybody likes. */
Test(transaction_by_value, what_words_were_at_first_may_be_unknown)
{
    enum { UNREAD, READ_BEFORE, READ_LATER };
    for (uint32_t how = UNREAD; how <= READ_LATER; how++) {
        rig *rig = fresh();
        attempt other = rig_attempt(rig, 1, 0, how == READ_BEFORE ? 10 : 30), a = writer(rig, 2, 20, 12, 1),
                reader = rig_attempt(rig, 0, 0, HD_NO_ORDER);
        if (how != UNREAD)
            claim(&other, 12, how == READ_BEFORE ? 77 : 1);
        rig_commit(rig, &other);
        claim(&reader, 12, 78);
        rig_commit(rig, &reader);
        finish(rig, &a);
        rig_end(rig);
        cr_expect_eq(rig->violations, how == READ_BEFORE, "%s", rig->report);
        rig_close(rig);
    }
}

Test(transaction_by_value, words_also_written_plainly_are_left_alone)
{
    rig *rig = fresh();
    attempt reader = rig_attempt(rig, 0, 0, HD_NO_ORDER);
    rig_plain_store(rig, X, 9);
    claim(&reader, X, 5);
    claim(&reader, Y, 0);
    rig_commit(rig, &reader);
    expect_clean(rig);
}

/* ---- The order of the protocol --------------------------------------------------------------------------------------- */

/* Both have read 0 and write 1 more: one is lost (P2). */
Test(transaction_by_value, a_lost_update_is_found)
{
    rig *rig = fresh();
    attempt a = rig_attempt(rig, 1, 3, 10), b = rig_attempt(rig, 2, 4, 20);
    rig_write(&a, X, rig_read(rig, &a, X) + 1, 0xF);
    rig_write(&b, X, rig_read(rig, &b, X) + 1, 0xF);
    finish(rig, &a);
    finish(rig, &b);
    rig_end(rig);
    cr_expect_null(strstr(rig->report, "it is the order"), "%s", rig->report);
    cr_expect_not_null(strstr(rig->report, "replay: the word at 0x1000000c was read as 0x00000000; in the order of the "
                                           "protocol it is 0x00000001\n  read by: warp 2, lane 4"));
    cr_expect_not_null(strstr(rig->report, "\n  written by: warp 1, lane 3"));
    rig_close(rig);
}

/* 20 has written before 10 read: that is serial, and not what IDs say. */
static void wrong_order(rig *rig)
{
    attempt a = rig_attempt(rig, 1, 0, 10), b = writer(rig, 2, 20, X, 1);
    finish(rig, &b);
    rig_read(rig, &a, X);
    rig_commit(rig, &a);
}

Test(transaction_by_value, if_only_the_order_is_wrong_that_is_said)
{
    rig *rig = fresh();
    wrong_order(rig);
    EXPECT_REPORT(
        rig, "replay: the word at 0x1000000c was read as 0x00000001",
        "all of them are serialisable in the order in which the slices have carried out what they validated and "
        "wrote: it is the order of the protocol that is wrong");
}

/* Nobody can say so who does not know when words were read, or if memory does not have what was written. */
Test(transaction_by_value, and_not_said_if_that_is_not_known)
{
    for (uint32_t forgets = 0; forgets < 2; forgets++) {
        rig *rig = fresh();
        if (forgets) {
            wrong_order(rig);
            rig->memory[X] = 4;
        } else {
            attempt a = rig_attempt(rig, 1, 0, 10), b = writer(rig, 2, 20, X, 1);
            finish(rig, &b);
            claim(&a, X, 1);
            rig_commit(rig, &a);
        }
        rig_end(rig);
        cr_expect(rig->violations && !strstr(rig->report, "it is the order"), "%s", rig->report);
        rig_close(rig);
    }
}

Test(transaction_by_value, an_id_is_one_attempt_of_one_lane)
{
    for (uint32_t other = 0; other < 4; other++) {
        rig *rig = fresh();
        attempt a = rig_attempt(rig, 1, 0, 10), b = rig_attempt(rig, other == 1 ? 2 : 1, other == 1 || other == 2, 10);
        if (other)
            b.transaction.attempt = a.transaction.attempt;
        rig_commit(rig, &a);
        rig_commit(rig, &b);
        rig_end(rig);
        cr_expect_eq(rig->violations, other != 2, "%u: %s", other, rig->report);
        cr_expect(other == 2 ||
                  strstr(rig->report, "two transactions have the same place in the order of the protocol"));
        rig_close(rig);
    }
    rig *rig = fresh();
    attempt a = rig_attempt(rig, 1, 0, 10), b = rig_attempt(rig, 2, 0, 10);
    b.transaction.era = 1;
    rig_commit(rig, &a);
    rig_commit(rig, &b);
    expect_clean(rig);
}

Test(transaction_by_value, who_has_validated_another_value_must_not_commit)
{
    rig *rig = fresh();
    attempt a = rig_attempt(rig, 0, 0, 10), b = writer(rig, 1, 20, X, 1);
    rig_read(rig, &a, X);
    finish(rig, &b);
    cr_expect_eq(rig_validate(rig, &a, X), 1);
    rig_commit(rig, &a);
    rig_end(rig);
    cr_expect_eq(rig->violations, 1);
    cr_expect_not_null(strstr(rig->report, "was read as 0x00000000 and validated as 0x00000001"), "%s", rig->report);
    cr_expect_eq(hd_transaction_checker_counts(rig->checker).validations, 1);
    rig_close(rig);
}

Test(transaction_by_value, writes_are_those_of_commits)
{
    rig *rig = fresh();
    attempt a = writer(rig, 1, 10, X, 0), b = writer(rig, 2, 20, Y, 0);
    rig_apply(rig, &a);
    rig_commit(rig, &b);
    EXPECT_REPORT(rig, "for warp 1, epoch 2, which has not committed it", "was committed and never written",
                  "by: warp 2");
}

Test(transaction_by_value, protocols_with_other_promises_have_no_order_in_common)
{
    rig *rig = fresh();
    attempt a = writer(rig, 1, 10, X, 0);
    finish(rig, &a);
    rig->rule = HD_SERIAL_BY_ACCESS;
    attempt b = writer(rig, 2, 20, Y, 0);
    finish(rig, &b);
    EXPECT_REPORT(rig, "transactions of protocols that promise different things", "one: warp 1", "the other: warp 2");
}

/* ---- Many ------------------------------------------------------------------------------------------------------------ */

/* Nobody knows which of the equal writes were seen, and they have all to be told apart: readers of X have seen Y as it goes up. */
static uint64_t count_up(rig *rig, uint32_t steps, uint32_t is_spoilt)
{
    for (uint32_t i = 1; i <= steps; i++) {
        attempt reader = rig_attempt(rig, 0, 0, HD_NO_ORDER), a = writer(rig, 1, i, X, i % 2);
        claim(&reader, X, (i - 1 + (is_spoilt && i == steps / 2)) % 2);
        claim(&reader, Y, i - 1);
        rig_commit(rig, &reader);
        rig_write(&a, Y, i, 0xF);
        finish(rig, &a);
    }
    rig_end(rig);
    return rig->violations;
}

Test(transaction_by_value, equal_values_are_told_apart)
{
    rig *rig = fresh();
    cr_expect_eq(count_up(rig, 60, 0), 0, "%s", rig->report);
    rig_close(rig);
    rig = fresh();
    cr_expect_eq(count_up(rig, 60, 1), 1);
    cr_expect_not_null(strstr(rig->report, "there is no place for transactions without an order. 2 transactions"), "%s",
                       rig->report);
    rig_close(rig);
}

/* Samples say where to look, so that there is nothing to search for. */
Test(transaction_by_value, many_transactions_take_no_search)
{
    enum { STEPS = 20000 };
    rig *rig = fresh();
    for (uint32_t i = 1; i <= STEPS; i++) {
        attempt reader = rig_attempt(rig, 0, 0, HD_NO_ORDER), a = writer(rig, 1, i, X, i % 2);
        rig_read(rig, &reader, X);
        rig_read(rig, &reader, Y);
        rig_commit(rig, &reader);
        rig_write(&a, Y, i % 3, 0xF);
        finish(rig, &a);
    }
    rig_end(rig);
    cr_expect_eq(rig->violations, 0, "%s", rig->report);
    cr_expect_eq(hd_transaction_checker_counts(rig->checker).placed, STEPS);
    cr_expect_eq(hd_transaction_checker_counts(rig->checker).replayed, STEPS);
    rig_close(rig);
}
