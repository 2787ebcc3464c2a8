/* SPDX-License-Identifier: MIT */
/* Words of scratchpads: no slice sees them, and plain stores to them have a place among the commits. */
#include "rig.h"

#include <criterion/criterion.h>
#include <string.h>

/* 5 is stored plainly, and 7 after the transaction, which reads `value` and writes 9. */
static uint64_t violations_of(uint32_t value, uint32_t interferes, uint64_t *mixed)
{
    rig rig;
    rig_open(&rig);
    rig_begin(&rig);
    const hd_transactions *told = hd_transaction_checker_extension(rig.checker);
    const uint64_t address = hd_scratchpad_word(1, 2, 8);
    const hd_transaction_word before = {.address = address, .value = 5, .byte_mask = 0xF};
    const hd_transaction_word after = {.address = address, .value = 7, .byte_mask = 0xF};
    const hd_transaction_word read = {.address = address, .value = value, .byte_mask = 0xF, .sample = HD_NO_SAMPLE};
    const hd_transaction_word write = {.address = address, .value = 9, .byte_mask = 0xF, .sample = HD_NO_SAMPLE};
    told->stored(told->context, 1, &after, 30, 0);
    told->stored(told->context, 1, &before, 10, interferes);
    told->committed(told->context, 1,
                    &(hd_transaction){.order = 20,
                                      .warp = 1,
                                      .epoch = 1,
                                      .read_count = 1,
                                      .write_count = 1,
                                      .reads = &read,
                                      .writes = &write,
                                      .is_on_scratchpad = 1});
    rig_end(&rig);
    *mixed = hd_transaction_checker_counts(rig.checker).mixed;
    const uint64_t violations = rig.violations;
    rig_close(&rig);
    return violations;
}

Test(scratchpads, plain_stores_are_in_their_order)
{
    uint64_t mixed;
    cr_expect_eq(violations_of(5, 0, &mixed), 0);
    cr_expect_eq(mixed, 0);
    cr_expect_eq(violations_of(7, 0, &mixed), 1);
}

Test(scratchpads, stores_that_interfere_are_not_compared)
{
    uint64_t mixed;
    cr_expect_eq(violations_of(6, 1, &mixed), 0);
    cr_expect_eq(mixed, 1);
}

/* Each word counts once, and only from there on. */
Test(scratchpads, words_that_are_interfered_with_again_are_counted_once)
{
    rig rig;
    rig_open(&rig);
    rig_begin(&rig);
    const hd_transactions *told = hd_transaction_checker_extension(rig.checker);
    const hd_transaction_word word = {.address = hd_scratchpad_word(1, 2, 8), .value = 5, .byte_mask = 0xF};
    told->stored(told->context, 1, &word, 30, 1);
    told->stored(told->context, 1, &word, 40, 1);
    rig_end(&rig);
    cr_expect_eq(hd_transaction_checker_counts(rig.checker).mixed, 1);
    rig_close(&rig);
}

static void tell_read(const hd_transactions *told, uint64_t order, uint32_t value, uint32_t writes)
{
    const hd_transaction_word word = {.address = hd_scratchpad_word(1, 2, 8), .value = value, .byte_mask = 0xF};
    const hd_transaction_word write = {.address = hd_scratchpad_word(1, 2, 8), .value = value + 1, .byte_mask = 0xF};
    told->committed(told->context, 1,
                    &(hd_transaction){.order = order,
                                      .warp = 1,
                                      .attempt = order,
                                      .read_count = 1,
                                      .write_count = writes,
                                      .reads = &word,
                                      .writes = &write,
                                      .is_on_scratchpad = 1});
}

/* What is wrong behind a plain store is not the fault of who wrote before it. */
Test(scratchpads, plain_stores_are_nobodys_commits)
{
    for (uint32_t is_stored = 0; is_stored < 2; is_stored++) {
        rig rig;
        rig_open(&rig);
        rig_begin(&rig);
        const hd_transactions *told = hd_transaction_checker_extension(rig.checker);
        const hd_transaction_word word = {.address = hd_scratchpad_word(1, 2, 8), .value = 5, .byte_mask = 0xF};
        tell_read(told, 10, 1, 1);
        if (is_stored)
            told->stored(told->context, 1, &word, 20, 0);
        tell_read(told, 30, 7, 0);
        rig_end(&rig);
        cr_expect_eq(rig.violations, 1);
        cr_expect_eq(strstr(rig.report, "written by") != NULL, !is_stored, "%s", rig.report);
        rig_close(&rig);
    }
}

/* Blocks of an interval are of no account in the next. */
Test(scratchpads, are_forgotten_with_their_interval)
{
    static const uint32_t nine = 9;
    rig rig;
    rig_open(&rig);
    for (uint32_t interval = 0; interval < 2; interval++) {
        rig_begin(&rig);
        const hd_transactions *told = hd_transaction_checker_extension(rig.checker);
        const hd_transaction_word word = {.address = hd_scratchpad_word(1, 2, 8), .value = 5, .byte_mask = 0xF};
        const hd_scratchpad_contents contents = {
            .address = hd_scratchpad_word(1, 2, 8), .count = 1, .was_cleared = 1, .words = &nine};
        tell_read(told, 30, 8, 0);
        if (!interval) {
            told->stored(told->context, 1, &word, 20, 0);
            told->holds(told->context, 1, &word, 25);
            told->ended(told->context, 1, &contents);
        }
        rig_end(&rig);
        cr_expect_eq(rig.violations, interval ? 0 : 2, "%s", rig.report);
    }
    rig_close(&rig);
}

/* ---- What scratchpads hold ---------------------------------------------------------------------------------------------------- */

#define BLOCK_WORDS 4u

/* A transaction reads `reads` from word 2 of a block, and writes 9; a word is stored plainly behind it. */
typedef struct block_story {
    uint32_t reads;
    uint32_t holds; /* that word, behind the commit */
    uint32_t stored, interferes;
    uint32_t was_cleared;
    uint32_t ends[BLOCK_WORDS]; /* with these words */
} block_story;

static uint64_t tell_block(const block_story *story, char report[static sizeof((rig *)NULL)->report])
{
    rig rig;
    rig_open(&rig);
    rig_begin(&rig);
    const hd_transactions *told = hd_transaction_checker_extension(rig.checker);
    const hd_transaction_word read = {.address = hd_scratchpad_word(1, 2, 8), .value = story->reads, .byte_mask = 0xF};
    hd_transaction_word write = read, held = read, stored = read;
    write.value = 9;
    held.value = story->holds;
    stored.value = story->stored;
    told->committed(told->context, 1,
                    &(hd_transaction){.order = 20,
                                      .warp = 1,
                                      .read_count = 1,
                                      .write_count = 1,
                                      .reads = &read,
                                      .writes = &write,
                                      .is_on_scratchpad = 1});
    told->holds(told->context, 1, &held, 20);
    if (story->stored)
        told->stored(told->context, 1, &stored, 21, story->interferes);
    const hd_scratchpad_contents other = {.address = hd_scratchpad_word(1, 1, 0), .count = 1, .words = &story->stored};
    told->ended(told->context, 1, &other);
    told->ended(told->context, 1,
                &(hd_scratchpad_contents){.address = hd_scratchpad_word(1, 2, 0),
                                          .count = BLOCK_WORDS,
                                          .was_cleared = story->was_cleared,
                                          .words = story->ends});
    rig_end(&rig);
    const uint64_t violations = rig.violations;
    memcpy(report, rig.report, sizeof rig.report);
    rig_close(&rig);
    return violations;
}

static void expect_block(const block_story *story, const char *what)
{
    char report[sizeof((rig *)NULL)->report];
    const uint64_t violations = tell_block(story, report);
    cr_expect_eq(violations, what != NULL, "%s", report);
    cr_expect(!what || strstr(report, what), "%s", report);
}

Test(scratchpads, hold_what_is_committed)
{
    expect_block(&(block_story){.holds = 9, .was_cleared = 1, .ends = {0, 0, 9, 0}}, NULL);
    expect_block(&(block_story){.holds = 9, .stored = 5, .was_cleared = 1, .ends = {0, 0, 5, 0}}, NULL);
    expect_block(
        &(block_story){.holds = 8, .stored = 5, .was_cleared = 1, .ends = {0, 0, 5, 0}},
        "behind the commit the scratchpad has 0x00000008 at 0x8000800002000008; in the order of the protocol it "
        "is 0x00000009");
    expect_block(
        &(block_story){.holds = 9, .was_cleared = 1, .ends = {0, 0, 8, 0}},
        "at its block's end the scratchpad has 0x00000008 at 0x8000800002000008; in the order of the protocol it "
        "is 0x00000009");
    expect_block(&(block_story){.holds = 9, .stored = 5, .was_cleared = 1, .ends = {0, 0, 9, 0}},
                 "at its block's end the scratchpad has 0x00000009");
    expect_block(&(block_story){.holds = 9, .stored = 5, .interferes = 1, .was_cleared = 1, .ends = {0, 0, 7, 0}},
                 NULL);
}

Test(scratchpads, are_0_before_a_block_that_begins)
{
    expect_block(&(block_story){.reads = 3, .holds = 9, .was_cleared = 1, .ends = {0, 0, 9, 0}},
                 "was read as 0x00000003");
    expect_block(&(block_story){.reads = 3, .holds = 9, .ends = {0, 0, 9, 0}}, NULL);
    expect_block(&(block_story){.holds = 9, .was_cleared = 1, .ends = {0, 4, 9, 0}},
                 "at its block's end the scratchpad has 0x00000004 at 0x8000800002000004");
    expect_block(&(block_story){.holds = 9, .ends = {1, 4, 9, 2}}, NULL);
    expect_block(&(block_story){.holds = 9, .ends = {1, 4, 8, 2}}, "at its block's end the scratchpad has 0x00000008");
}

/* ---- Transactions on both domains ---------------------------------------------------------------------------------------------- */

/* A transaction of warp 2 on a scratchpad, with this place in the order, which reads and writes word 8 of one. */
static void tell_on_scratchpad(rig *rig, uint64_t order, uint32_t was, uint32_t is)
{
    const hd_transactions *told = hd_transaction_checker_extension(rig->checker);
    const hd_transaction_word read = {
        .address = hd_scratchpad_word(1, 2, 8), .value = was, .byte_mask = 0xF, .sample = HD_NO_SAMPLE};
    hd_transaction_word write = read;
    write.value = is;
    told->committed(told->context, 1,
                    &(hd_transaction){.order = order,
                                      .warp = 2,
                                      .attempt = order,
                                      .epoch = (uint32_t)order,
                                      .read_count = 1,
                                      .write_count = 1,
                                      .rule = HD_SERIAL_BY_ACCESS,
                                      .is_on_scratchpad = 1,
                                      .reads = &read,
                                      .writes = &write});
}

/* One of warp 1 on global memory, which adds 1 to word 3. */
static void tell_on_memory(rig *rig, uint64_t order, uint32_t error)
{
    attempt a = rig_attempt(rig, 1, 0, order);
    const uint32_t was = rig_read(rig, &a, 3);
    rig_write(&a, 3, was + 1 + error, 0xF);
    a.reads[0].value += error;
    rig_commit(rig, &a);
    rig_apply(rig, &a);
}

/* The orders of both have nothing to do with each other: they are the same numbers, the other way round. */
static void expect_both(uint32_t rule, uint32_t memory_error, uint32_t scratchpad_error, uint64_t violations)
{
    rig rig;
    rig_open(&rig);
    rig_begin(&rig);
    rig.rule = rule;
    tell_on_scratchpad(&rig, 1, 5, 6);
    tell_on_memory(&rig, 1, 0);
    tell_on_memory(&rig, 2, memory_error);
    tell_on_scratchpad(&rig, 2, 6 + scratchpad_error, 7);
    rig_end(&rig);
    const hd_transaction_checks counts = hd_transaction_checker_counts(rig.checker);
    cr_expect_eq(counts.transactions, 4);
    cr_expect_eq(counts.on_scratchpad, 2);
    cr_expect_eq(counts.replayed, 4);
    cr_expect(violations ? rig.violations >= violations : !rig.violations, "%lu: %s", rig.violations, rig.report);
    rig_close(&rig);
}

Test(scratchpads, transactions_on_both_domains_are_checked_apart)
{
    for (uint32_t rule = HD_SERIAL_BY_ACCESS; rule <= HD_SERIAL_BY_VALUE; rule++) {
        expect_both(rule, 0, 0, 0);
        expect_both(rule, 1, 0, 1);
        expect_both(rule, 0, 1, 1);
        expect_both(rule, 1, 1, 2);
    }
}
