/* SPDX-License-Identifier: MIT */
/* What EAPG may be instead: warps that wait for words, signatures in the place of words, look-ups that take time (Ren & Lis 2018 §VI). */
#include "protocol_kilo_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define OWN_WORD lui(A0, DATA), csrr(S0, 0xCCC), slli(S1, S0, 2), add(S1, A0, S1), addi(T0, ZERO, 1)
#define THREAD 0xCC0
#define WORD_OF(lane) (DATA + 4u * (lane))
#define WAITS "tx.eapg.pause=wait"
#define NO_ABORTS "tx.eapg.early_abort=false"
enum { READ, WRITTEN };

static kilo_rig *make(const uint32_t *words, const char *parameter, const char *other)
{
    return kilo_rig_create_of("eapg", "tx_eapg_", (const char *[]){NO_ABORTS, parameter, other, NULL}, 1, words);
}

/* Each lane counts in its word. */
static kilo_rig *make_increments(const char *parameter, const char *other)
{
    const uint32_t words[] = {OWN_WORD,      begin_tx(1), lw(T1, 0, S1), addi(T1, T1, 1),
                              sw(T1, 0, S1), commit_tx(), ret(),         0};
    return make(words, parameter, other);
}

static hd_time cycles(const kilo_rig *k, uint64_t count)
{
    return kit_cycles(rig_kit(k->rig), count);
}

static void tell(kilo_rig *k, const char *message, uint32_t lane, uint64_t at)
{
    kilo_rig_tell(k, message, WRITTEN, WORD_OF(lane), cycles(k, at));
}

static void run(kilo_rig *k, uint32_t threads)
{
    rig_launch(k->rig, threads, cycles(k, 50));
    kilo_rig_finish(k);
}

static void expect_words(kilo_rig *k, uint32_t lanes, uint32_t value)
{
    for (uint32_t lane = 0; lane < lanes; lane++)
        cr_expect_eq(rig_word(k->rig, WORD_OF(lane)), value, "lane %u: %u", lane, rig_word(k->rig, WORD_OF(lane)));
}

/* ---- Warps that wait ------------------------------------------------------------------------------------------------------ */

/* All lanes, as long as the word of one is being committed; what has been written then they read. */
Test(tx_eapg_waits, a_warp_waits_until_its_words_leave)
{
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        kilo_rig *k = make_increments(WAITS, NULL);
        tell(k, HD_KILO_ENTER, 0, 0);
        rig_launch(k->rig, threads, cycles(k, 50));
        kit_run_until(rig_kit(k->rig), cycles(k, 5000));
        cr_expect_eq(kilo_rig_own(k, "slice_loads"), 0, "nothing of it has been sent");
        rig_set_word(k->rig, WORD_OF(0), 40);
        tell(k, HD_KILO_LEAVE, 0, 5000);
        kilo_rig_finish(k);
        cr_expect_eq(rig_word(k->rig, WORD_OF(0)), 41);
        cr_expect_eq(kilo_rig_own(k, "waits"), 1);
        cr_expect_eq(kilo_rig_own(k, "time_outs"), 0);
        cr_expect(kilo_rig_own(k, "wait_cycles") > 4500 && kilo_rig_own(k, "wait_cycles") < 5000);
        cr_expect_eq(kilo_rig_own(k, "pauses"), 0);
        cr_expect_eq(k->sent[KIND_TAKE_IDS], 1, "all commit together");
        cr_expect_eq(kilo_rig_statistic(k, "tx_aborts"), 0);
        kilo_rig_destroy(k);
    }
}

/* A word of which it is said for ever: the load, and then the store, wait for so long each. */
Test(tx_eapg_waits, a_warp_waits_no_longer_than_it_may)
{
    for (uint32_t limit = 1; limit <= 1000; limit += 333) {
        char time_out[48];
        snprintf(time_out, sizeof time_out, "tx.eapg.pause.time_out=%u cycles", limit);
        kilo_rig *k = make_increments(WAITS, time_out);
        tell(k, HD_KILO_ENTER, 2, 0);
        run(k, 4);
        expect_words(k, 4, 1);
        cr_expect_eq(kilo_rig_own(k, "waits"), 2);
        cr_expect_eq(kilo_rig_own(k, "time_outs"), 2);
        cr_expect_geq(kilo_rig_own(k, "wait_cycles"), 2 * limit);
        cr_expect_leq(kilo_rig_own(k, "wait_cycles"), 2 * limit + 2);
        kilo_rig_destroy(k);
    }
}

/* Without an end: the verdict names what it waits for. */
Test(tx_eapg_waits, a_warp_may_wait_for_ever)
{
    kilo_rig *k = make_increments(WAITS, "tx.eapg.pause.time_out=0 cycles");
    tell(k, HD_KILO_ENTER, 2, 0);
    rig_launch(k->rig, 4, cycles(k, 50));
    kit_run_until(rig_kit(k->rig), cycles(k, 100000));
    cr_expect_eq(kilo_rig_own(k, "slice_loads"), 0);
    cr_expect_not_null(strstr(kit_described(rig_kit(k->rig)), "waits for words that are being committed"), "%s",
                       kit_described(rig_kit(k->rig)));
    tell(k, HD_KILO_LEAVE, 2, 100000);
    kilo_rig_finish(k);
    expect_words(k, 4, 1);
    kilo_rig_destroy(k);
}

/* Other warps run, and what they commit leaves. */
Test(tx_eapg_waits, who_waits_does_so_alone)
{
    for (uint32_t in_the_way = 0; in_the_way < 2; in_the_way++) {
        const uint32_t words[] = {OWN_WORD,
                                  csrr(S0, THREAD),
                                  slli(S1, S0, 2),
                                  add(S1, A0, S1),
                                  begin_tx(1),
                                  lw(T1, 0, S1),
                                  addi(T1, T1, 1),
                                  sw(T1, 0, S1),
                                  commit_tx(),
                                  ret(),
                                  0};
        kilo_rig *k = make(words, WAITS, in_the_way ? "tx.eapg.test.wait=pipe" : "tx.eapg.test.wait=warp");
        tell(k, HD_KILO_ENTER, 2, 0);
        rig_launch(k->rig, 64, cycles(k, 50));
        kit_run_until(rig_kit(k->rig), cycles(k, 5000));
        cr_expect_eq(kilo_rig_statistic(k, "tx_commits"), in_the_way ? 0 : 32);
        tell(k, HD_KILO_LEAVE, 2, 5000);
        kilo_rig_finish(k);
        cr_expect_eq(kilo_rig_statistic(k, "tx_commits"), 64);
        kilo_rig_destroy(k);
    }
}

/* The watchdog ends an attempt that waits; the next one waits again. */
Test(tx_eapg_waits, who_aborts_does_not_wait_any_more)
{
    const uint32_t words[] = {
        OWN_WORD, begin_tx(1), lw(T2, 1024, S1), lw(T1, 0, S1), addi(T1, T1, 1), sw(T1, 0, S1), commit_tx(), ret(), 0};
    kilo_rig *k = make(words, WAITS, "tx.watchdog=1000 cycles");
    tell(k, HD_KILO_ENTER, 1, 0);
    rig_launch(k->rig, 4, cycles(k, 50));
    kit_run_until(rig_kit(k->rig), cycles(k, 2000));
    tell(k, HD_KILO_LEAVE, 1, 2000);
    kilo_rig_finish(k);
    expect_words(k, 4, 1);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_watchdog"), 4);
    cr_expect_eq(kilo_rig_own(k, "waits"), 2);
    cr_expect_eq(kilo_rig_own(k, "time_outs"), 0);
    kilo_rig_destroy(k);
}

/* It backs off for 800 cycles, and that is no waiting for words. */
Test(tx_eapg_waits, who_backs_off_does_not_wait_for_words)
{
    const uint32_t words[] = {OWN_WORD, begin_tx(1), lw(T2, 1024, S1), lw(T1, 0, S1), sw(T1, 0, S1), commit_tx(), ret(),
                              0};
    kilo_rig *k = kilo_rig_create_of("eapg", "tx_eapg_",
                                     (const char *[]){WAITS, "tx.watchdog=1000 cycles", "tx.back_off.law=linear",
                                                      "tx.back_off.base=800 cycles", NULL},
                                     1, words);
    tell(k, HD_KILO_ENTER, 1, 0);
    tell(k, HD_KILO_LEAVE, 1, 2500);
    run(k, 4);
    const uint64_t waited = kilo_rig_own(k, "wait_cycles");
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_watchdog"), 4);
    cr_expect(waited > 900 && waited < 2500 - 800, "%lu", waited);
    kilo_rig_destroy(k);
}

/* Said too late, after it is said that the word is not being committed any more, it stays. */
Test(tx_eapg_waits, a_word_that_is_told_of_too_late_stays)
{
    for (uint32_t late = 0; late < 2; late++) {
        kilo_rig *k = make_increments(late ? "tx.eapg.test.order=lose" : "tx.eapg.test.order=keep", NULL);
        tell(k, HD_KILO_ENTER, 0, 0);
        tell(k, HD_KILO_LEAVE, 0, 1);
        tell(k, HD_KILO_ENTER, 9, 2);
        run(k, 4);
        cr_expect_eq(kilo_rig_own(k, "pauses"), late, "of lane 0");
        expect_words(k, 4, 1);
        kilo_rig_destroy(k);
    }
}

/* ---- Signatures ------------------------------------------------------------------------------------------------------------- */

static uint32_t partition_of(uint32_t address)
{
    return address / 256 % KILO_PARTITIONS;
}

static uint64_t signature_of(uint32_t lane)
{
    return UINT64_C(1) << hd_kilo_signature_bit(WORD_OF(lane));
}

/* Of two words of the partition that are in the same bit the second is taken for the first; those of another partition are not. */
Test(tx_eapg_waits, words_are_in_the_signature_of_their_partition)
{
    for (uint32_t other = 0; other < 2; other++) {
        kilo_rig *k = make_increments("tx.eapg.table=signatures", NULL);
        const uint32_t partition = partition_of(WORD_OF(0));
        const uint64_t bits = signature_of(1) | signature_of(2);
        uint64_t hit = 0;
        for (uint32_t lane = 0; lane < 16; lane++)
            hit |= bits & signature_of(lane) ? UINT64_C(1) << lane : 0;
        kilo_rig_sign(k, WRITTEN, partition ^ other, bits, 0);
        run(k, 16);
        cr_expect_eq(kilo_rig_own(k, "paused_transactions"), other ? 0 : (uint32_t)__builtin_popcountll(hit));
        expect_words(k, 16, 1);
        kilo_rig_destroy(k);
    }
}

/* Each one is in the place of the one before; those of loads and stores are apart. */
Test(tx_eapg_waits, a_signature_takes_the_place_of_the_one_before)
{
    for (uint32_t set = 0; set < 2; set++) {
        kilo_rig *k = make_increments("tx.eapg.table=signatures", "tx.eapg.store_hits=any");
        const uint32_t partition = partition_of(WORD_OF(0));
        kilo_rig_sign(k, set, partition, UINT64_MAX, 0);
        kilo_rig_sign(k, set, partition, 0, cycles(k, 1));
        kilo_rig_sign(k, !set, partition, set ? 0 : signature_of(0), cycles(k, 1));
        run(k, 2);
        cr_expect_eq(kilo_rig_own(k, "pauses"), set ? 0 : 1);
        expect_words(k, 2, 1);
        kilo_rig_destroy(k);
    }
}

/* A signature without its bit lets the warp go on. */
Test(tx_eapg_waits, a_warp_waits_until_a_signature_is_without_its_words)
{
    kilo_rig *k = make_increments(WAITS, "tx.eapg.table=signatures");
    kilo_rig_sign(k, WRITTEN, partition_of(WORD_OF(0)), UINT64_MAX, 0);
    kilo_rig_sign(k, WRITTEN, partition_of(WORD_OF(0)), 0, cycles(k, 5000));
    run(k, 4);
    expect_words(k, 4, 1);
    cr_expect_eq(kilo_rig_own(k, "waits"), 1);
    cr_expect_eq(kilo_rig_own(k, "time_outs"), 0);
    cr_expect(kilo_rig_own(k, "wait_cycles") > 4500 && kilo_rig_own(k, "wait_cycles") < 5000);
    kilo_rig_destroy(k);
}

/* Loads of warp 0, of a line for each lane, are all that the pipe has room for: the load of warp 1 could issue for long before it does. It
 * waits for a word that begins to be committed then. */
Test(tx_eapg_waits, who_has_not_issued_waits)
{
    enum { WORD = 32 * HD_LINE_BYTES / 4, READY = 125 };
    const uint32_t words[] = {lui(A0, DATA),
                              csrr(S0, THREAD),
                              slli(S1, S0, 7),
                              add(S1, A0, S1),
                              addi(T0, ZERO, 32),
                              blt(S0, T0, 12 * 4),
                              addi(T2, T2, 1),
                              addi(T2, T2, 1),
                              addi(T2, T2, 1),
                              addi(T2, T2, 1),
                              addi(T2, T2, 1),
                              begin_tx(1),
                              lw(T1, 0, S1),
                              addi(T1, T1, 1),
                              sw(T1, 0, S1),
                              commit_tx(),
                              ret(),
                              lw(T1, 0, S1),
                              lw(T2, 4, S1),
                              lw(A1, 8, S1),
                              lw(A2, 12, S1),
                              ret(),
                              0};
    for (uint32_t signs = 0; signs < 2; signs++) {
        kilo_rig *k =
            kilo_rig_create_of("eapg", "tx_eapg_",
                               (const char *[]){NO_ABORTS, WAITS, "memory.accesses=4",
                                                signs ? "tx.eapg.table=signatures" : "tx.eapg.table=words", NULL},
                               1, words);
        rig_launch(k->rig, 64, cycles(k, 50));
        kit_run_until(rig_kit(k->rig), cycles(k, READY));
        if (signs)
            kilo_rig_sign(k, WRITTEN, partition_of(WORD_OF(WORD)), signature_of(WORD), cycles(k, READY));
        else
            tell(k, HD_KILO_ENTER, WORD, READY);
        kit_run_until(rig_kit(k->rig), cycles(k, 5000));
        cr_expect_eq(k->first_load, 0);
        if (signs)
            kilo_rig_sign(k, WRITTEN, partition_of(WORD_OF(WORD)), 0, cycles(k, 5000));
        else
            tell(k, HD_KILO_LEAVE, WORD, 5000);
        kilo_rig_finish(k);
        cr_expect_eq(kilo_rig_own(k, "waits"), 1);
        cr_expect_eq(kilo_rig_statistic(k, "tx_commits"), 32);
        kilo_rig_destroy(k);
    }
}

/* ---- Look-ups that take time ------------------------------------------------------------------------------------------------- */

/* A load and a store of `lanes` lanes, each in a block of its own. */
static uint64_t look_ups_of(uint32_t lanes, const char *cost, const char *aborts, uint64_t *resolving)
{
    const uint32_t words[] = {lui(A0, DATA),
                              csrr(S0, 0xCCC),
                              slli(S1, S0, 7),
                              add(S1, A0, S1),
                              begin_tx(1),
                              lw(T1, 0, S1),
                              addi(T1, T1, 1),
                              sw(T1, 0, S1),
                              commit_tx(),
                              ret(),
                              0};
    kilo_rig *k =
        kilo_rig_create_of("eapg", "tx_eapg_", (const char *[]){aborts, cost, "tx.ownership=4096 B", NULL}, 1, words);
    run(k, lanes);
    const uint64_t sum = kilo_rig_own(k, "look_up_cycles");
    *resolving = kilo_rig_statistic(k, "tx_resolve_cycles");
    cr_expect_eq(kilo_rig_statistic(k, "tx_commits"), lanes);
    kilo_rig_destroy(k);
    return sum;
}

Test(tx_eapg_waits, a_look_up_takes_a_cycle_for_four_blocks)
{
    static const uint32_t expected[][2] = {{1, 1}, {4, 1}, {5, 2}, {8, 2}, {9, 3}, {32, 8}};
    uint64_t once, twice, not_at_all;
    for (uint32_t i = 0; i < sizeof expected / sizeof *expected; i++)
        cr_expect_eq(look_ups_of(expected[i][0], "tx.eapg.table.cost=blocks", "tx.eapg.early_abort=true", &twice),
                     2 * expected[i][1], "%u blocks", expected[i][0]);
    cr_expect_eq(look_ups_of(32, "tx.eapg.table.cost=nothing", "tx.eapg.early_abort=true", &once), 0);
    cr_expect_gt(twice, once, "logs are read twice to resolve conflicts: %lu and %lu cycles", twice, once);
    look_ups_of(32, "tx.eapg.table.cost=blocks", NO_ABORTS, &not_at_all);
    cr_expect_eq(not_at_all, once, "without early aborts nothing is looked up there");
}
