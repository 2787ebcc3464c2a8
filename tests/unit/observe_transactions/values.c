/* SPDX-License-Identifier: MIT */
/* Protocols that validate by value, and the program's view of a transaction. */
#include <criterion/criterion.h>
#include <string.h>

#include "rig.h"

#define X 3u  /* of slice 0 */
#define Y 40u /* of slice 1 */

static rig rig_here;

static rig *fresh(void)
{
    rig_open(&rig_here);
    rig_here.memory[X] = 0;
    rig_begin(&rig_here);
    return &rig_here;
}

static void expect(rig *rig, const char *text)
{
    rig_end(rig);
    cr_expect_eq(rig->violations != 0, text != NULL, "%s", rig->report);
    if (text)
        cr_expect_not_null(strstr(rig->report, text), "no \"%s\" in:\n%s", text, rig->report);
    rig_close(rig);
}

static void write_alone(rig *rig, uint32_t warp, uint64_t order, uint32_t x, const uint32_t *y)
{
    attempt a = rig_attempt(rig, warp, 0, order);
    rig_write(&a, X, x, 0xF);
    if (y)
        rig_write(&a, Y, *y, 0xF);
    rig_commit(rig, &a);
    rig_apply(rig, &a);
}

/* T1 reads x = 0; T2 writes 1; T3 writes 0, and y; T1 reads y and commits last. Its x is that of T3, if it looks again. */
static void changed_and_changed_back(rig *rig, uint32_t looks_again)
{
    const uint32_t y = 77;
    attempt first = rig_attempt(rig, 0, 0, 30);
    cr_expect_eq(rig_read(rig, &first, X), 0);
    write_alone(rig, 1, 10, 1, NULL);
    write_alone(rig, 2, 20, 0, &y);
    cr_expect_eq(rig_read(rig, &first, Y), 77);
    if (looks_again) {
        cr_expect_eq(rig_validate(rig, &first, X), 0);
        cr_expect_eq(rig_validate(rig, &first, Y), 77);
    }
    rig_commit(rig, &first);
}

Test(transaction_values, what_was_changed_back_before_it_was_validated_has_not_changed)
{
    rig *rig = fresh();
    changed_and_changed_back(rig, 1);
    rig_end(rig);
    cr_expect_eq(rig->violations, 0, "%s", rig->report);
    cr_expect_eq(hd_transaction_checker_counts(rig->checker).validations, 2);
    cr_expect_eq(hd_transaction_checker_counts(rig->checker).replayed, 3);
    rig_close(rig);
}

Test(transaction_values, a_read_that_is_not_validated_stands_where_it_took_place)
{
    rig *rig = fresh();
    changed_and_changed_back(rig, 0);
    expect(rig, "cycle: ");
}

Test(transaction_values, a_validation_with_another_value_cannot_commit)
{
    rig *rig = fresh();
    attempt a = rig_attempt(rig, 0, 0, 30);
    rig_read(rig, &a, X);
    write_alone(rig, 1, 10, 1, NULL);
    cr_expect_eq(rig_validate(rig, &a, X), 1);
    rig_commit(rig, &a);
    expect(rig, "the word at 0x1000000c was read as 0x00000000 and validated as 0x00000001");
}

/* Speculative validation may be too early: it is tried again, and what it said before is nothing. */
Test(transaction_values, the_last_validation_counts)
{
    rig *rig = fresh();
    attempt a = rig_attempt(rig, 0, 0, 30);
    rig_read(rig, &a, X);
    write_alone(rig, 1, 10, 1, NULL);
    cr_expect_eq(rig_validate(rig, &a, X), 1);
    const uint32_t y = 5;
    write_alone(rig, 2, 20, 0, &y);
    rig_read(rig, &a, Y);
    cr_expect_eq(rig_validate(rig, &a, X), 0);
    rig_commit(rig, &a);
    expect(rig, NULL);
}

/* The attempt of that epoch before, 255 attempts ago, is another. */
Test(transaction_values, a_validation_is_of_the_attempt_in_which_it_took_place)
{
    rig *rig = fresh();
    attempt failed = rig_attempt(rig, 0, 0, 0);
    rig_validate(rig, &failed, X);
    write_alone(rig, 1, 10, 1, NULL);
    attempt a = rig_attempt(rig, 0, 0, 20);
    cr_expect_eq(rig_read(rig, &a, X), 1);
    rig_commit(rig, &a);
    rig_end(rig);
    cr_expect_eq(rig->violations, 0, "%s", rig->report);
    cr_expect_eq(hd_transaction_checker_counts(rig->checker).validations, 0);
    rig_close(rig);
}

/* What the next attempt of that epoch validates is of that one. */
Test(transaction_values, a_validation_behind_the_commit_is_of_another_attempt)
{
    rig *rig = fresh();
    attempt a = rig_attempt(rig, 0, 0, 10);
    rig_read(rig, &a, X);
    rig_commit(rig, &a);
    write_alone(rig, 1, 20, 1, NULL);
    attempt next = rig_attempt(rig, 0, 0, 0);
    cr_expect_eq(rig_validate(rig, &next, X), 1);
    rig_end(rig);
    cr_expect_eq(rig->violations, 0, "%s", rig->report);
    cr_expect_eq(hd_transaction_checker_counts(rig->checker).validations, 0);
    rig_close(rig);
}

/* ---- Without an order ---------------------------------------------------------------------------------------------------- */

Test(transaction_values, a_reader_without_an_order_is_placed_by_its_samples)
{
    rig *rig = fresh();
    const uint32_t y = 5;
    attempt a = rig_attempt(rig, 0, 0, HD_NO_ORDER), b = rig_attempt(rig, 3, 0, HD_NO_ORDER);
    rig_read(rig, &a, X);
    rig_read(rig, &a, Y);
    write_alone(rig, 1, 10, 1, &y);
    rig_read(rig, &b, X);
    rig_read(rig, &b, Y);
    rig_commit(rig, &b);
    rig_commit(rig, &a);
    rig_end(rig);
    cr_expect_eq(rig->violations, 0, "%s", rig->report);
    cr_expect_eq(hd_transaction_checker_counts(rig->checker).replayed, 1);
    rig_close(rig);
}

Test(transaction_values, a_reader_without_an_order_that_sees_half_a_commit_is_found)
{
    rig *rig = fresh();
    const uint32_t y = 5;
    attempt a = rig_attempt(rig, 0, 0, HD_NO_ORDER);
    rig_read(rig, &a, X);
    write_alone(rig, 1, 10, 1, &y);
    rig_read(rig, &a, Y);
    rig_commit(rig, &a);
    expect(rig, "cycle: 2 transactions");
}

Test(transaction_values, nothing_without_an_order_may_write_or_read_at_no_known_time)
{
    rig *rig = fresh();
    attempt a = rig_attempt(rig, 0, 0, HD_NO_ORDER);
    rig_write(&a, X, 1, 0xF);
    rig_commit(rig, &a);
    rig_apply(rig, &a);
    expect(rig, "a transaction without an order has written the word at 0x1000000c");
    rig = fresh();
    a = rig_attempt(rig, 0, 0, HD_NO_ORDER);
    rig_read(rig, &a, X);
    a.reads[0].sample = HD_NO_SAMPLE;
    rig_commit(rig, &a);
    expect(rig, "at no known time, by a transaction without an order");
}

Test(transaction_values, a_read_that_is_not_what_the_slice_had_is_found_without_an_order)
{
    rig *rig = fresh();
    attempt a = rig_attempt(rig, 0, 0, HD_NO_ORDER);
    rig_read(rig, &a, X);
    a.reads[0].value = 9;
    rig_commit(rig, &a);
    expect(rig, "was read as 0x00000009 where the slice had 0x00000000");
}

/* ---- What the program has loaded and stored ------------------------------------------------------------------------------ */

/* x = 1, load x, x = 2, load x: as they are given. */
static attempt own(rig *rig, uint32_t first, uint32_t second)
{
    attempt a = rig_attempt(rig, 0, 0, 10);
    a.tells = 1;
    rig_read(rig, &a, Y);
    rig_write(&a, X, 1, 0xF);
    rig_own_read(&a, X, first);
    rig_write(&a, X, 2, 0xF);
    rig_own_read(&a, X, second);
    return a;
}

Test(transaction_values, loads_of_own_stores_find_the_latest)
{
    static const struct {
        uint32_t first, second;
        const char *says;
    } rows[] = {{1, 2, NULL},
                {0, 2, "was loaded as 0x00000000, after the transaction itself had stored 0x00000001"},
                {1, 1, "was loaded as 0x00000001, after the transaction itself had stored 0x00000002"},
                {2, 2, "was loaded as 0x00000002, after the transaction itself had stored 0x00000001"}};
    for (uint32_t i = 0; i < 4; i++) {
        rig *rig = fresh();
        attempt a = own(rig, rows[i].first, rows[i].second);
        rig_commit(rig, &a);
        rig_apply(rig, &a);
        rig_end(rig);
        cr_expect_eq(rig->violations, rows[i].says != NULL, "%s", rig->report);
        cr_expect(!rows[i].says || strstr(rig->report, rows[i].says), "%s", rig->report);
        cr_expect_eq(hd_transaction_checker_counts(rig->checker).own_reads, 2);
        rig_close(rig);
    }
}

Test(transaction_values, parts_of_a_word_may_be_ones_own)
{
    rig *rig = fresh();
    rig->memory[X] = 0x44332211;
    attempt a = rig_attempt(rig, 0, 0, 10);
    a.tells = 1;
    rig_write(&a, X, 0xAA00, 0x2);
    rig_read(rig, &a, X);
    a.reads[0].byte_mask = 0xD;
    a.accesses[1].value = 0x4433AA11;
    attempt b = a;
    rig_commit(rig, &a);
    rig_apply(rig, &a);
    expect(rig, NULL);
    rig = fresh();
    rig->memory[X] = 0x44332211;
    b.accesses[1].value = 0x44332211;
    rig_commit(rig, &b);
    rig_apply(rig, &b);
    expect(rig, "was loaded as 0x00002200, after the transaction itself had stored 0x0000aa00");
}

Test(transaction_values, a_commit_that_loses_a_part_of_a_word_is_found)
{
    rig *rig = fresh();
    attempt a = rig_attempt(rig, 0, 0, 10);
    a.tells = 1;
    rig_write(&a, X, 0x44332211, 0xF);
    a.writes[0].byte_mask = 0x3;
    rig_commit(rig, &a);
    rig_apply(rig, &a);
    expect(rig, "was stored as 0x44330000, and not committed; bytes 0x0000000c");
}

Test(transaction_values, what_a_protocol_says_is_what_the_program_has_done)
{
    static const char *const says[] = {
        "was loaded as 0x00000410, of which the protocol has not read", "and never loaded; reads 0x00000001",
        "was committed as 0x00000003, and stored as 0x00000002", "was stored as 0x00000002, and not committed"};
    for (uint32_t i = 0; i < 4; i++) {
        rig *rig = fresh();
        attempt a = own(rig, 1, 2);
        if (i == 0)
            a.transaction.read_count = 0;
        else if (i == 1)
            rig_read(rig, &a, Y), a.access_count--;
        else if (i == 2)
            a.writes[0].value = 3;
        else
            a.transaction.write_count = 0;
        rig_commit(rig, &a);
        rig_apply(rig, &a);
        expect(rig, says[i]);
    }
}
