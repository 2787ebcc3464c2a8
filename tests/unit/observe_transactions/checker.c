/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "rig.h"

#define X 3u  /* of slice 0 */
#define Y 40u /* of slice 1 */

static rig rig_here;

static rig *fresh(void)
{
    rig_open(&rig_here);
    rig_begin(&rig_here);
    return &rig_here;
}

static void expect_clean(rig *rig)
{
    rig_end(rig);
    cr_expect_eq(rig->violations, 0, "%s", rig->report);
    cr_expect_str_empty(rig->report);
    rig_close(rig);
}

#define EXPECT_VIOLATION(rig, ...)                                                                                     \
    do {                                                                                                               \
        static const char *const texts[] = {__VA_ARGS__};                                                              \
        rig_end(rig);                                                                                                  \
        cr_expect_gt((rig)->violations, 0);                                                                            \
        for (size_t i_ = 0; i_ < sizeof texts / sizeof *texts; i_++)                                                   \
            cr_expect_not_null(strstr((rig)->report, texts[i_]), "no \"%s\" in:\n%s", texts[i_], (rig)->report);       \
        rig_close(rig);                                                                                                \
    } while (0)

/* x += 1 by `warp` at `order`, all at once. */
static void increment(rig *rig, uint32_t warp, uint64_t order, uint32_t word)
{
    attempt a = rig_attempt(rig, warp, 0, order);
    rig_write(&a, word, rig_read(rig, &a, word) + 1, 0xF);
    rig_commit(rig, &a);
    rig_apply(rig, &a);
}

Test(transaction_checker, one_after_the_other_is_serial)
{
    rig *rig = fresh();
    increment(rig, 0, 10, X);
    increment(rig, 1, 20, X);
    increment(rig, 2, 30, Y);
    rig_end(rig);
    cr_expect_eq(rig->violations, 0, "%s", rig->report);
    const hd_transaction_checks counts = hd_transaction_checker_counts(rig->checker);
    cr_expect_eq(counts.transactions, 3);
    cr_expect_eq(counts.reads, 3);
    cr_expect_eq(counts.writes, 3);
    cr_expect_eq(counts.replayed, 3);
    cr_expect_eq(counts.edges, 2, "write to read, and write to write: %u", (unsigned)counts.edges);
    rig_close(rig);
}

/* The order of the protocol need not be that of time, as long as nobody can tell. */
Test(transaction_checker, an_earlier_order_may_commit_later)
{
    rig *rig = fresh();
    attempt first = rig_attempt(rig, 0, 0, 10);
    rig_write(&first, X, rig_read(rig, &first, Y), 0xF);
    increment(rig, 1, 20, Y);
    rig_commit(rig, &first);
    rig_apply(rig, &first);
    expect_clean(rig);
}

Test(transaction_checker, a_lost_update_is_found_by_both_rules)
{
    rig *rig = fresh();
    attempt a = rig_attempt(rig, 0, 5, 10), b = rig_attempt(rig, 1, 6, 20);
    rig_write(&a, X, rig_read(rig, &a, X) + 1, 0xF);
    rig_write(&b, X, rig_read(rig, &b, X) + 1, 0xF);
    rig_commit(rig, &a);
    rig_commit(rig, &b);
    rig_apply(rig, &a);
    rig_apply(rig, &b);
    EXPECT_VIOLATION(
        rig, "replay: the word at 0x1000000c was read as 0x000003eb; in the order of the protocol it is 0x000003ec",
        "read by: warp 1, lane 6", "written by: warp 0, lane 5", "tx.begin at module 0, pc 0x104",
        "cycle: 2 transactions", "read what the next wrote later, the word at 0x1000000c",
        "wrote what the next wrote later");
}

/* Neither sees the other's write: each would have to be first. Reads find what the order says, only the graph can tell where
 * orders are equal. */
Test(transaction_checker, write_skew_at_equal_orders_is_a_cycle)
{
    rig *rig = fresh();
    attempt a = rig_attempt(rig, 0, 0, 10), b = rig_attempt(rig, 1, 0, 10);
    rig_write(&a, Y, rig_read(rig, &a, X), 0xF);
    rig_write(&b, X, rig_read(rig, &b, Y), 0xF);
    rig_commit(rig, &a);
    rig_commit(rig, &b);
    rig_apply(rig, &a);
    rig_apply(rig, &b);
    rig_end(rig);
    cr_expect_eq(rig->violations, 1, "%s", rig->report);
    cr_expect_not_null(strstr(rig->report, "cycle: 2 transactions"));
    cr_expect_eq(hd_transaction_checker_counts(rig->checker).replayed, 0, "there is nothing to replay by");
    rig_close(rig);
}

Test(transaction_checker, a_cycle_of_three_is_shown_in_order_and_no_longer_one)
{
    rig *rig = fresh();
    attempt a[3];
    increment(rig, 3, 5, X); /* comes before: on no cycle */
    for (uint32_t i = 0; i < 3; i++) {
        a[i] = rig_attempt(rig, i, 0, 10);
        rig_write(&a[i], X + 4 * ((i + 1) % 3), rig_read(rig, &a[i], X + 4 * i), 0xF);
    }
    for (uint32_t i = 0; i < 3; i++) {
        rig_commit(rig, &a[i]);
        rig_apply(rig, &a[i]);
    }
    EXPECT_VIOLATION(rig, "cycle: 3 transactions");
}

Test(transaction_checker, what_no_commit_has_written_is_found)
{
    rig *rig = fresh();
    attempt a = rig_attempt(rig, 1, 0, 10);
    rig_write(&a, X, 7, 0xF);
    rig_apply(rig, &a); /* aborted, and its data got through */
    EXPECT_VIOLATION(rig, "was written at", "for warp 1, epoch 2, which has not committed it");
}

Test(transaction_checker, a_write_before_its_commit_is_nobodys)
{
    rig *rig = fresh();
    attempt a = rig_attempt(rig, 1, 0, 10);
    rig_write(&a, X, 7, 0xF);
    rig_apply(rig, &a);
    rig_commit(rig, &a);
    EXPECT_VIOLATION(rig, "which has not committed it", "was committed and never written");
}

Test(transaction_checker, a_commit_that_is_not_written_is_found)
{
    rig *rig = fresh();
    attempt a = rig_attempt(rig, 2, 3, 10);
    rig_write(&a, X, 7, 0xF);
    rig_write(&a, Y, 8, 0xF);
    rig_commit(rig, &a);
    rig_apply_word(rig, &a, 1);
    EXPECT_VIOLATION(rig, "the word at 0x1000000c was committed and never written", "by: warp 2, lane 3",
                     "memory has 0x000003eb at 0x1000000c; in the order of the protocol it is 0x00000007");
}

Test(transaction_checker, memory_that_forgets_is_found)
{
    rig *rig = fresh();
    increment(rig, 0, 10, X);
    rig->memory[X]--;
    EXPECT_VIOLATION(rig,
                     "at the end memory has 0x000003eb at 0x1000000c; in the order of the protocol it is 0x000003ec");
}

Test(transaction_checker, a_slice_that_returns_old_data_is_found)
{
    rig *rig = fresh();
    rig_plain_store(rig, X, 5);
    rig->memory[X] = 4;
    rig_plain_load(rig, X);
    EXPECT_VIOLATION(rig, "the word at 0x1000000c was read by endpoint 0", "plainly, and is not what was written last");
}

Test(transaction_checker, what_was_before_the_interval_counts)
{
    rig *rig = fresh();
    rig_plain_store(rig, X, 5);
    rig_end(rig);
    rig_begin(rig);
    increment(rig, 0, 10, X);
    rig->memory[X] = 6;
    cr_expect_eq(hd_transaction_checker_counts(rig->checker).mixed, 0, "it was written plainly before");
    rig_end(rig);
    rig_begin(rig);
    attempt a = rig_attempt(rig, 1, 0, 1); /* orders begin anew */
    cr_expect_eq(rig_read(rig, &a, X), 6);
    rig_commit(rig, &a);
    expect_clean(rig);
}

Test(transaction_checker, words_also_written_plainly_are_counted_and_left_alone)
{
    rig *rig = fresh();
    increment(rig, 0, 10, X);
    rig_plain_store(rig, X, 77);
    increment(rig, 1, 20, X);
    increment(rig, 1, 30, Y);
    rig_end(rig);
    cr_expect_eq(rig->violations, 0, "%s", rig->report);
    cr_expect_eq(hd_transaction_checker_counts(rig->checker).mixed, 1);
    rig_close(rig);
}

Test(transaction_checker, bytes_of_a_word_are_told_apart)
{
    rig *rig = fresh();
    attempt a = rig_attempt(rig, 0, 0, 10), b = rig_attempt(rig, 1, 0, 20);
    rig_write(&a, X, 0x11, 0x1);
    rig_write(&b, X, 0x2200, 0x2);
    rig_commit(rig, &b);
    rig_apply(rig, &b);
    rig_commit(rig, &a);
    rig_apply(rig, &a);
    attempt c = rig_attempt(rig, 2, 0, 30);
    cr_expect_eq(rig_read(rig, &c, X) & 0xFFFF, 0x2211);
    rig_commit(rig, &c);
    rig_end(rig);
    cr_expect_null(strstr(rig->report, "replay"), "no bytes in common: %s", rig->report);
    rig_close(rig);
}

Test(transaction_checker, an_epoch_that_comes_again_belongs_to_the_later_commit)
{
    rig *rig = fresh();
    increment(rig, 0, 10, X);
    increment(rig, 0, 20, X);
    increment(rig, 1, 30, X);
    increment(rig, 0, 40, X);
    expect_clean(rig);
}

Test(transaction_checker, lanes_of_a_warp_follow_each_other_by_number)
{
    rig *rig = fresh();
    attempt a = rig_attempt(rig, 0, 1, 10), b = rig_attempt(rig, 0, 2, 10);
    b.transaction.attempt = a.transaction.attempt;
    rig_write(&b, X, rig_read(rig, &a, X) + 1, 0xF); /* lane 1 reads what lane 2 writes */
    rig_commit(rig, &b);
    rig_commit(rig, &a);
    rig_apply(rig, &b);
    expect_clean(rig);
}

Test(transaction_checker, a_lane_must_not_read_what_a_lower_one_writes)
{
    rig *rig = fresh();
    attempt a = rig_attempt(rig, 0, 1, 10), b = rig_attempt(rig, 0, 2, 10);
    b.transaction.attempt = a.transaction.attempt;
    rig_write(&a, X, rig_read(rig, &b, X) + 1, 0xF);
    rig_commit(rig, &a);
    rig_commit(rig, &b);
    rig_apply(rig, &a);
    EXPECT_VIOLATION(rig, "read by: warp 0, lane 2", "written by: warp 0, lane 1");
}

Test(transaction_checker, of_many_violations_a_few_are_shown_and_all_counted)
{
    rig *rig = fresh();
    attempt a = rig_attempt(rig, 0, 0, 10);
    for (uint32_t i = 0; i < 12; i++)
        rig_write(&a, X + i, 7, 0xF);
    rig_apply(rig, &a);
    rig_end(rig);
    cr_expect_eq(rig->violations, 12);
    cr_expect_not_null(strstr(rig->report, "and 7 more"), "%s", rig->report);
    cr_expect_eq(hd_transaction_checker_counts(rig->checker).violations, 12);
    rig_close(rig);
}
