/* SPDX-License-Identifier: MIT */
/* Whose turn it is, how long others wait for it, and what is told of that (Villegas et al., GPU-LocalTM, §3). */
#include "tx_local_rig.h"

#include <criterion/criterion.h>
#include <string.h>

#define TIMESTAMP 0xCD1
#define CYCLE 0xC00
/* Back to the instruction behind this one's `words` before, `count` times; takes A5. */
#define LOOP(count) addi(A5, ZERO, count), addi(A5, A5, -1), bne(A5, ZERO, -4)
#define MANY 400
#define WORDS_MAX 64u

static void expect(core_rig *rig, const char *name, uint64_t value)
{
    cr_expect_eq(tx_local_statistic(rig, name), value, "%s is %lu, not %lu", name, tx_local_statistic(rig, name),
                 value);
}

/* Two lanes take a word each and then want the other's: both lose, twice; then one by one. */
#define CROSSWISE                                                                                                      \
    slli(A2, S0, 2), add(A3, A1, A2), addi(A4, ZERO, 4), sub(A4, A4, A2), add(A4, A1, A4), begin_tx(2), sw(T0, 0, A3), \
        sw(T0, 0, A4), commit_tx()

Test(tx_local_turns, lanes_that_kill_each_other_run_one_by_one)
{
    const uint32_t words[] = {PROLOGUE, CROSSWISE, begin_tx(2), sw(T0, 0, A3), commit_tx(), ret(), 0};
    static const char *const restores[][3] = {{"tx.checkpoint=7 cycles", NULL},
                                              {"tx.checkpoint=7 cycles", "tx.local.restore=ideal", NULL}};
    uint64_t detection[2], restored[2];
    for (uint32_t i = 0; i < 2; i++) {
        core_rig *rig = tx_local_run(restores[i], words, 2);
        expect(rig, "tx_attempts", 2 + 2 + 1 + 1 + 2);
        expect(rig, "tx_aborts_write_after_write", 4);
        expect(rig, "tx_serial_attempts", 1);
        expect(rig, "tx_serial_commits", 1);
        expect(rig, "tx_alone_attempts", 0);
        expect(rig, "tx_block_wait_cycles", 0);
        expect(rig, "tx_scratchpad_accesses", 4 + 4 + 2 + 2 + 2);
        expect(rig, "tx_begin_cycles", 2 * 7);
        detection[i] = tx_local_statistic(rig, "tx_detection_cycles");
        restored[i] = tx_local_statistic(rig, "tx_restore_cycles");
        rig_destroy(rig);
    }
    cr_expect_eq(detection[0], detection[1], "restoring is none of it");
    cr_expect(restored[0] > 0 && restored[1] == 0);
}

/* A transaction that ends while its lane runs by itself leaves nothing to the next one. */
Test(tx_local_turns, a_transaction_begins_without_what_was_before)
{
    const uint32_t words[] = {PROLOGUE,       addi(T2, ZERO, 3), begin_tx(2), csrr(T1, ATTEMPT),
                              beq(T1, T2, 8), abort_tx(1),       commit_tx(), begin_tx(2),
                              sw(T0, 0, A1),  commit_tx(),       ret(),       0};
    core_rig *rig = tx_local_run(NULL, words, 1);
    expect(rig, "tx_attempts", 3 + 1);
    expect(rig, "tx_serial_attempts", 1);
    expect(rig, "tx_serial_commits", 1);
    rig_destroy(rig);
}

/* Who is alone again and again makes progress, and tries nobody's patience. */
Test(tx_local_turns, warps_that_do_not_run_lane_by_lane_run_alone)
{
    static const char *const parameters[] = {"tx.local.in_warp=false", "tx.local.patience=2", NULL};
    const uint32_t words[] = {PROLOGUE, begin_tx(2), COUNT(8), commit_tx(), ret(), 0};
    core_rig *rig = tx_local_run(parameters, words, 64);
    expect(rig, "tx_commits", 64);
    expect(rig, "tx_serial_attempts", 0);
    expect(rig, "tx_serial_commits", 0);
    cr_expect_gt(tx_local_statistic(rig, "tx_alone_commits"), 4);
    rig_destroy(rig);
}

/* ---- Shared words that stay until nobody is in a transaction ------------------------------------------------------------------- */

static core_rig *run_sticky(const uint32_t *words)
{
    static const char *const sticky[] = {"tx.local.shared_release=sticky", NULL};
    return tx_local_run(sticky, words, 64);
}

Test(tx_local_turns, sticky_words_are_free_when_all_have_left)
{
    const uint32_t words[] = {PROLOGUE,
                              csrr(A2, THREAD),
                              slli(A2, A2, 2),
                              add(A2, A2, A1),
                              begin_tx(2),
                              lw(T1, 0, A1),
                              commit_tx(),
                              bar_sync(0),
                              begin_tx(2),
                              sw(T0, 0, A2),
                              commit_tx(),
                              ret(),
                              0};
    core_rig *rig = run_sticky(words);
    expect(rig, "tx_commits", 128);
    expect(rig, "tx_aborts", 0);
    rig_destroy(rig);
}

/* The first warp reads for long; the second has read, too, and wants to write one of its words then. */
Test(tx_local_turns, sticky_words_stay_while_somebody_is_inside)
{
    const uint32_t words[] = {PROLOGUE,
                              csrr(A2, THREAD),
                              addi(A2, A2, 32),
                              andi(A2, A2, 63),
                              slli(A2, A2, 2),
                              add(A2, A2, A1),
                              csrr(A3, WARP),
                              addi(A5, ZERO, MANY),
                              beq(A3, ZERO, 8),
                              addi(A5, ZERO, 1),
                              begin_tx(2),
                              lw(T1, 0, A1),
                              addi(A5, A5, -1),
                              bne(A5, ZERO, -4),
                              commit_tx(),
                              begin_tx(2),
                              sw(T0, 0, A2),
                              commit_tx(),
                              ret(),
                              0};
    core_rig *rig = run_sticky(words);
    expect(rig, "tx_commits", 128);
    cr_expect_gt(tx_local_statistic(rig, "tx_aborts_write_after_read"), 0);
    rig_destroy(rig);
}

/* ---- Waiting ---------------------------------------------------------------------------------------------------------------------- */

/* Two warps read a word, and want to write it after a while. */
#define AT_LENGTH PROLOGUE, begin_tx(2), lw(T1, 0, A1), LOOP(MANY), sw(T0, 0, A1), commit_tx(), ret(), 0

Test(tx_local_turns, the_wait_for_others_is_counted)
{
    static const char *const parameters[] = {"tx.local.in_warp=false", NULL};
    const uint32_t words[] = {AT_LENGTH};
    core_rig *rig = tx_local_run(parameters, words, 33);
    const uint64_t wait = tx_local_statistic(rig, "tx_block_wait_cycles");
    const uint64_t limit = tx_local_statistic(rig, "tx_retry_cycles") + tx_local_statistic(rig, "tx_token_cycles");
    cr_expect_gt(tx_local_statistic(rig, "tx_alone_commits"), 0);
    cr_expect(MANY < wait && wait <= limit, "%lu of %lu", wait, limit);
    rig_destroy(rig);
}

/* Commits take 100 cycles; that of the second warp begins while that of the first is under way. */
Test(tx_local_turns, commits_end_in_their_own_time)
{
    static const char *const parameters[] = {"tx.local.commit_cycles=100 cycles", NULL};
    const uint32_t words[] = {
        PROLOGUE,        bne(S0, ZERO, 60), csrr(A2, WARP),    slli(A2, A2, 2), add(A3, A1, A2), add(A4, A0, A2),
        addi(A5, A2, 1), addi(A5, A5, -1),  bne(A5, ZERO, -4), begin_tx(2),     sw(T0, 0, A3),   csrr(T1, CYCLE),
        commit_tx(),     csrr(T2, CYCLE),   sub(T2, T2, T1),   sw(T2, 0, A4),   ret(),           0};
    core_rig *rig = tx_local_run(parameters, words, 96);
    for (uint32_t warp = 0; warp < 3; warp++)
        cr_expect(rig_word(rig, DATA + 4 * warp) - 100 < 16, "warp %u: %u cycles", warp,
                  rig_word(rig, DATA + 4 * warp));
    rig_destroy(rig);
}

/* Two warps, a lane of each, get into each other's way; two lanes of a third, which meet nobody, have written sixteen words of a bank each. All
 * note when their latest attempt began. */
static core_rig *run_bystander(const char *restore, uint32_t fails)
{
    static uint32_t words[WORDS_MAX];
    uint32_t *at = words;
    const uint32_t begin[] = {PROLOGUE,          csrr(A2, WARP), addi(A3, ZERO, 2), slli(A4, S0, 2), beq(A2, A3, 48),
                              bne(S0, ZERO, 40), begin_tx(2),    csrr(T1, CYCLE),   lw(T2, 0, A1),   LOOP(MANY / 2),
                              sw(T1, 0, A1),     commit_tx(),    sw(T1, 0x100, A0), ret(),           add(A3, A1, A4),
                              begin_tx(2),       csrr(T1, CYCLE)};
    const uint32_t end[] = {LOOP(4 * MANY), commit_tx(), add(A3, A0, A4), sw(T1, 0, A3), ret(), 0};
    memset(words, 0, sizeof words);
    memcpy(at, begin, sizeof begin);
    at += sizeof begin / sizeof *begin;
    if (fails) {
        *at++ = csrr(T2, ATTEMPT);
        *at++ = bne(T2, T0, 8);
        *at++ = abort_tx(0);
    }
    for (int32_t row = 0; row < 15; row++)
        *at++ = sw(T1, 64 + 128 * row, A3);
    memcpy(at, end, sizeof end);
    core_rig *rig = tx_local_create(
        (const char *[]){"tx.local.equal_masks=1", "tx.local.bank_cycles=10 cycles", restore, NULL}, words);
    tx_local_launch(rig, 66, 2048);
    rig_finish(rig);
    return rig;
}

Test(tx_local_turns, who_gives_way_has_not_failed)
{
    for (uint32_t fails = 0; fails < 2; fails++) { /* before, so that they run one by one until they give way */
        core_rig *rig = run_bystander("tx.local.restore=owned_words", fails);
        cr_expect_gt(tx_local_statistic(rig, "tx_aborts_gave_way"), 1);
        cr_expect_neq(rig_word(rig, DATA), 0);
        cr_expect_eq(rig_word(rig, DATA), rig_word(rig, DATA + 4), "its lanes run together");
        rig_destroy(rig);
    }
}

/* Who is alone begins when the banks have restored what the others had. */
Test(tx_local_turns, who_is_alone_waits_for_the_banks)
{
    core_rig *slow = run_bystander("tx.local.restore=owned_words", 0),
             *fast = run_bystander("tx.local.restore=ideal", 0);
    const uint32_t began[2] = {rig_word(slow, DATA + 0x100), rig_word(fast, DATA + 0x100)};
    cr_expect(began[0] > began[1] + 250, "%u and %u", began[0], began[1]);
    rig_destroy(slow);
    rig_destroy(fast);
}

/* ---- What is told ----------------------------------------------------------------------------------------------------------------- */

typedef struct told_words {
    uint32_t endpoint, commits, stores, interfering;
    uint64_t order, commit_addresses[8], store_addresses[96];
    hd_transaction_word stored[2]; /* the first ones */
} told_words;
static told_words told;

static void note_commit(void *context, uint32_t endpoint, const hd_transaction *transaction)
{
    (void)context;
    cr_expect_eq(transaction->order & 0xFFFF, endpoint & 0xFFFF, "no other core has this place");
    cr_expect(transaction->is_on_scratchpad);
    told.endpoint = endpoint;
    told.order = transaction->order;
    if (transaction->write_count && told.commits < 8)
        told.commit_addresses[told.commits++] = transaction->writes[0].address;
}

static void note_store(void *context, uint32_t endpoint, const hd_transaction_word *word, uint64_t order,
                       uint32_t interferes)
{
    (void)context, (void)endpoint, (void)order;
    if (told.stores < 2)
        told.stored[told.stores] = *word;
    if (told.stores < 96)
        told.store_addresses[told.stores++] = word->address;
    told.interfering += interferes;
}

static core_rig *listen(const uint32_t *words)
{
    static const hd_transactions listener = {
        .committed = note_commit, .stored = note_store, .holds = tx_local_ignore_word, .ended = tx_local_ignore_end};
    memset(&told, 0, sizeof told);
    rig_has_unit(NULL, NULL, &listener);
    return tx_local_create(NULL, words);
}

/* After a reset commits have the same places in their order. */
Test(tx_local_turns, orders_begin_anew_with_the_core)
{
    const uint32_t words[] = {PROLOGUE, begin_tx(2), sw(T0, 20, A1), commit_tx(), ret(), 0};
    core_rig *rig = listen(words);
    tx_local_launch(rig, 1, 64);
    rig_finish(rig);
    const uint64_t first = told.order;
    rig_reset(rig);
    tx_local_launch(rig, 1, 64);
    rig_finish(rig);
    cr_expect_eq(told.order, first);
    rig_destroy(rig);
}

/* Words have the address of their block. */
Test(tx_local_turns, blocks_side_by_side_have_addresses_of_their_own)
{
    const uint32_t words[] = {PROLOGUE, sw(T0, 40, A1), LOOP(50), begin_tx(2), sw(T0, 20, A1), commit_tx(), ret(), 0};
    core_rig *rig = listen(words);
    for (uint32_t i = 0; i < 3; i++)
        tx_local_launch(rig, 1, 300);
    rig_finish(rig);
    expect(rig, "maximum_blocks", 3);
    cr_assert(told.commits == 3 && told.stores == 3);
    uint32_t committed = 0, stored = 0;
    for (uint32_t i = 0; i < 9; i++) {
        committed |= (told.commit_addresses[i / 3] == hd_scratchpad_word(told.endpoint, i % 3, 20)) << i % 3;
        stored |= (told.store_addresses[i / 3] == hd_scratchpad_word(told.endpoint, i % 3, 40)) << i % 3;
    }
    cr_expect(committed == 7 && stored == 7, "each block once: %x, %x", committed, stored);
    rig_destroy(rig);
}

/* Bytes that were not stored to are none of it; an atomic is what it has made of the word. */
Test(tx_local_turns, plain_stores_are_told_as_they_are_meant)
{
    const uint32_t words[] = {PROLOGUE, addi(A2, A1, 40), sb(T0, 41, A1), amoadd(T1, T0, A2), ret(), 0};
    core_rig *rig = listen(words);
    tx_local_launch(rig, 1, 64);
    rig_finish(rig);
    cr_assert_eq(told.stores, 2);
    cr_expect_eq(told.stored[0].byte_mask, 2);
    cr_expect_eq(told.stored[0].value & 0xFF00, 0x100);
    cr_expect_eq(told.stored[1].byte_mask, 0xF);
    cr_expect_eq(told.stored[1].value, 0x101);
    cr_expect_eq(told.store_addresses[0], told.store_addresses[1]);
    rig_destroy(rig);
}

/* The second warp stores plainly: to a word that a transaction of the first has read, and to one that it has not. */
Test(tx_local_turns, plain_stores_to_words_of_transactions_interfere)
{
    const uint32_t words[] = {PROLOGUE,    csrr(A2, WARP), bne(A2, ZERO, 28), begin_tx(2),    lw(T1, 8, A1), LOOP(MANY),
                              commit_tx(), LOOP(100),      sw(T0, 8, A1),     sw(T0, 12, A1), ret(),         0};
    core_rig *rig = listen(words);
    tx_local_launch(rig, 33, 64);
    rig_finish(rig);
    cr_expect_eq(told.stores, 2 * 33);
    cr_expect_eq(told.interfering, 1);
    rig_destroy(rig);
}

Test(tx_local_turns, the_timestamp_is_that_of_the_latest_commit)
{
    const uint32_t words[] = {PROLOGUE,
                              begin_tx(2),
                              sw(T0, 0, A1),
                              commit_tx(),
                              begin_tx(2),
                              lw(T2, 0, A1),
                              csrr(T1, TIMESTAMP),
                              commit_tx(),
                              sw(T1, 0, A0),
                              ret(),
                              0};
    core_rig *rig = listen(words);
    tx_local_launch(rig, 1, 64);
    rig_finish(rig);
    cr_expect_eq(told.commits, 1);
    cr_expect_neq(rig_word(rig, DATA), 0);
    cr_expect_eq(rig_word(rig, DATA), (uint32_t)(told.order - (UINT64_C(1) << 16)), "of the commit before the last");
    rig_destroy(rig);
}

/* Aborts are traced with where they were, and whom they have lost to: one of two, not of the first warp. */
Test(tx_local_turns, who_loses_and_to_whom_is_traced)
{
    const uint32_t words[] = {PROLOGUE,
                              csrr(A2, WARP),
                              bne(S0, ZERO, 44),
                              beq(A2, ZERO, 40),
                              slli(A5, A2, 5),
                              addi(A5, A5, -1),
                              bne(A5, ZERO, -4),
                              begin_tx(2),
                              sw(T0, 0, A1),
                              LOOP(MANY),
                              commit_tx(),
                              ret(),
                              0};
    const uint32_t store = CODE + 4 * 11;
    uint32_t count, conflicts = 0, gave_way = 0;
    rig_record(1);
    core_rig *rig = tx_local_create((const char *[]){"tx.local.in_warp=false", NULL}, words);
    rig_record(0);
    tx_local_launch(rig, 65, 64);
    rig_finish(rig);
    const kit_traced *all = kit_recorded(rig_kit(rig), &count);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(all[i].event, "tx.abort") != 0)
            continue;
        const uint32_t own = strcmp(all[i].track, "warp[1]") == 0 ? 1 : 2;
        cr_expect(all[i].values[3] == 3 - own, "%s: winner %lu", all[i].track, all[i].values[3]);
        conflicts += all[i].values[1] == store;
        gave_way += all[i].values[1] != store;
    }
    cr_expect_eq(conflicts, tx_local_statistic(rig, "tx_aborts_write_after_write"));
    cr_expect_eq(gave_way, tx_local_statistic(rig, "tx_aborts_gave_way"));
    cr_expect_gt(conflicts, 0);
    rig_destroy(rig);
}
