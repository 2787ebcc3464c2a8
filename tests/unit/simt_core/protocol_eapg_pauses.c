/* SPDX-License-Identifier: MIT */
/* What lanes that pause keep, and what becomes of their time, logs and mistakes: two or more groups of one warp. */
#include "protocol_kilo_rig.h"

#include <criterion/criterion.h>
#include <string.h>

#define ATTEMPT 0xCD0
#define OWN_WORD lui(A0, DATA), csrr(S0, 0xCCC), slli(S1, S0, 2), add(S1, A0, S1), addi(T0, ZERO, 1)
#define LOOP(rounds) addi(A2, ZERO, rounds), addi(A2, A2, -1), bne(A2, ZERO, -4)
#define WORD_OF(lane) (DATA + 4u * (lane))
enum { READ, WRITTEN };

static kilo_rig *make(const uint32_t *words, const char *parameter, const char *other, const char *third)
{
    return kilo_rig_create_of("eapg", "tx_eapg_",
                              (const char *[]){"tx.eapg.early_abort=false", "tx.back_off.base=0 cycles", parameter,
                                               other, other ? third : NULL, NULL},
                              1, words);
}

/* The words of these lanes are being committed, for ever. */
static void tell(kilo_rig *k, uint64_t lanes)
{
    for (uint64_t left = lanes; left; left &= left - 1)
        kilo_rig_tell(k, HD_KILO_ENTER, WRITTEN, WORD_OF((uint32_t)__builtin_ctzll(left)), 0);
}

static void run(kilo_rig *k, uint32_t threads)
{
    rig_launch(k->rig, threads, kit_cycles(rig_kit(k->rig), 50));
    kilo_rig_finish(k);
}

/* ---- Time ----------------------------------------------------------------------------------------------------------------- */

/* Lane 0 runs for some time, pauses, and then loops for ever in its first attempt: it has as much time as others. */
Test(tx_eapg_pauses, the_watchdog_goes_on_where_it_was)
{
    const uint32_t words[] = {
        OWN_WORD,          begin_tx(1),    lw(T1, 1024, S1), LOOP(25),    lw(T1, 0, S1), bne(S0, ZERO, 12),
        csrr(A3, ATTEMPT), beq(A3, T0, 0), sw(T0, 0, S1),    commit_tx(), ret(),         0};
    kilo_rig *k = make(words, "tx.watchdog=900 cycles", NULL, NULL);
    tell(k, 1);
    k->delay = 400;
    run(k, 2);
    const uint64_t aborted = kilo_rig_statistic(k, "thread_cycles_aborted");
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_watchdog"), 1);
    cr_expect(aborted >= 900 && aborted < 960, "%lu", aborted);
    kilo_rig_destroy(k);
}

/* All lanes are cut short once. Then lanes 0 and 1 pause, and lane 0 again, each time for longer than any attempt may run. */
Test(tx_eapg_pauses, pauses_are_not_in_the_age_of_an_attempt)
{
    const uint32_t words[] = {OWN_WORD,      begin_tx(1), lw(T1, 1024, S1), csrr(A3, ATTEMPT), beq(A3, T0, 0), LOOP(20),
                              lw(T1, 0, S1), LOOP(20),    sw(T0, 0, S1),    commit_tx(),       ret(),          0};
    kilo_rig *k = make(words, "tx.watchdog=450 cycles", "tx.eapg.pause.in_branch=true", NULL);
    tell(k, 3);
    k->delay = 1500;
    run(k, 3);
    cr_expect_eq(kilo_rig_own(k, "pauses"), 2);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_watchdog"), 3);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts"), 3);
    kilo_rig_destroy(k);
}

/* Patience is that of the lanes that run. */
Test(tx_eapg_pauses, nobody_loses_patience_with_lanes_that_pause)
{
    const uint32_t words[] = {OWN_WORD,      begin_tx(1), lw(T1, 0, S1), addi(T1, T1, 1),
                              sw(T1, 0, S1), commit_tx(), ret(),         0};
    kilo_rig *k = make(words, "tx.patience=8", NULL, NULL);
    tell(k, 6);
    k->delay = 500;
    run(k, 4);
    cr_expect_eq(kilo_rig_own(k, "pauses"), 2);
    cr_expect_eq(kilo_rig_statistic(k, "tx_commits"), 4);
    kilo_rig_destroy(k);
}

/* Lane 1 executes for long while lane 0 pauses, and commits soon. */
Test(tx_eapg_pauses, threads_that_pause_are_like_those_that_have_committed)
{
    const uint32_t words[] = {
        OWN_WORD, begin_tx(1), lw(T1, 0, S1), beq(S0, ZERO, 16), LOOP(100), sw(T0, 0, S1), commit_tx(), ret(), 0};
    kilo_rig *k = make(words, NULL, NULL, NULL);
    tell(k, 1);
    k->delay = 1;
    run(k, 2);
    const uint64_t waited = kilo_rig_statistic(k, "thread_cycles_committed");
    const uint64_t useful = kilo_rig_statistic(k, "thread_cycles_useful");
    cr_expect(useful > 1000 && useful < 1500, "%lu", useful);
    cr_expect(waited > 1000 && waited < 1500, "%lu", waited);
    cr_expect_eq(kilo_rig_statistic(k, "thread_cycles_aborted"), 0);
    kilo_rig_destroy(k);
}

/* ---- What is in flight, and logs --------------------------------------------------------------------------------------------- */

/* The load that would part them waits for the one before it: lanes 1 and 2 are not among those that make it first. */
Test(tx_eapg_pauses, lanes_part_at_the_access_and_not_behind_it)
{
    const uint32_t words[] = {OWN_WORD,      begin_tx(1),     lw(A3, 1024, S1),
                              lw(T1, 0, S1), add(A3, A3, T1), sw(A3, 2048 - 4 * 128, S1),
                              commit_tx(),   ret(),           0};
    kilo_rig *k = make(words, NULL, NULL, NULL);
    rig_memory_delay(k->rig, 200);
    tell(k, 6);
    run(k, 4);
    uint32_t first = 0;
    for (uint32_t p = 0; p < KILO_PARTITIONS; p++)
        for (uint32_t i = 0; i < k->groups[0].reads[p].count; i++)
            first |= 1u << k->groups[0].reads[p].words[i].lane;
    cr_expect_eq(first, 0x9);
    cr_expect_eq(kilo_rig_own(k, "pauses"), 2);
    cr_expect_eq(k->sent[KIND_TAKE_IDS], 3);
    kilo_rig_destroy(k);
}

/* All lanes abort while the load is on its way behind which some were to pause: the next attempt is another one. */
Test(tx_eapg_pauses, nobody_pauses_who_has_aborted_before)
{
    const uint32_t words[] = {OWN_WORD,        begin_tx(1),   lw(T1, 1024, S1), addi(T1, T1, 1), lw(T1, 0, S1),
                              addi(T1, T1, 1), sw(T1, 0, S1), commit_tx(),      ret(),           0};
    kilo_rig *k = make(words, "tx.watchdog=300 cycles", "tx.eapg.pause.repeats=false", NULL);
    rig_memory_delay(k->rig, 200);
    tell(k, 1);
    run(k, 2);
    cr_expect_geq(kilo_rig_statistic(k, "tx_aborts_watchdog"), 2);
    cr_expect_eq(kilo_rig_statistic(k, "tx_commits"), 2);
    kilo_rig_destroy(k);
}

/* Once each. */
Test(tx_eapg_pauses, transactions_that_have_paused_are_counted)
{
    const uint32_t words[] = {OWN_WORD,
                              begin_tx(1),
                              lw(T1, 0, S1),
                              sw(T1, 0, S1),
                              commit_tx(),
                              begin_tx(1),
                              lw(T1, 0, S1),
                              sw(T1, 0, S1),
                              commit_tx(),
                              ret(),
                              0};
    kilo_rig *k = make(words, NULL, NULL, NULL);
    tell(k, 6);
    run(k, 4);
    cr_expect_eq(kilo_rig_own(k, "pauses"), 2 * 2);
    cr_expect_eq(kilo_rig_own(k, "paused_transactions"), 2 * 2);
    kilo_rig_destroy(k);
}

/* Each has read two words and written one, before and behind the place where they part; all of that is validated and written. */
Test(tx_eapg_pauses, each_group_sends_what_it_has_read_and_written)
{
    const uint32_t words[] = {
        OWN_WORD, begin_tx(1), lw(A3, 1024, S1), sw(A3, 512, S1), lw(T1, 0, S1), commit_tx(), ret(), 0};
    kilo_rig *k = make(words, "tx.log_bytes=64 B", NULL, NULL);
    for (uint32_t lane = 0; lane < 4; lane++)
        rig_set_word(k->rig, WORD_OF(lane) + 1024, 70 + lane);
    tell(k, 0xF);
    run(k, 4);
    for (uint32_t group = 0; group < 4; group++) {
        uint32_t reads = 0, writes = 0;
        for (uint32_t p = 0; p < KILO_PARTITIONS; p++) {
            reads += k->groups[group].reads[p].count;
            writes += k->groups[group].writes[p].count;
        }
        cr_expect_eq(reads, 2, "group %u: %u", group, reads);
        cr_expect_eq(writes, 1, "group %u: %u", group, writes);
    }
    for (uint32_t lane = 0; lane < 4; lane++)
        cr_expect_eq(rig_word(k->rig, WORD_OF(lane) + 512), 70 + lane);
    kilo_rig_destroy(k);
}

/* Entries of a log that those before have used are free again. */
Test(tx_eapg_pauses, logs_do_not_grow_with_the_groups)
{
    const uint32_t words[] = {OWN_WORD,         begin_tx(1),     lw(T1, 0, S1),
                              lw(T2, 1024, S1), lw(T2, 512, S1), lw(T2, 256, S1),
                              commit_tx(),      ret(),           0};
    kilo_rig *k = make(words, "tx.log_bytes=64 B", NULL, NULL);
    tell(k, 0xFF);
    run(k, 8);
    cr_expect_eq(kilo_rig_own(k, "pauses"), 7);
    cr_expect_eq(kilo_rig_statistic(k, "tx_commits"), 8);
    kilo_rig_destroy(k);
}

/* ---- Mistakes ---------------------------------------------------------------------------------------------------------------- */

/* Lanes 2 and 3 make a mistake because of what they have read, which then becomes another; lanes 0 and 1 have paused before, and make
 * none. The mistake is over when theirs begins. */
Test(tx_eapg_pauses, mistakes_are_those_of_their_group)
{
    const uint32_t words[] = {OWN_WORD,          begin_tx(1),      lw(T1, 512, A0), divu(A2, T1, T0),
                              divu(A2, A2, T0),  divu(A2, A2, T0), lw(T2, 0, S1),   bne(T1, T0, 20),
                              addi(A3, ZERO, 1), blt(A3, S0, 8),   jal(ZERO, 8),    csrr(A2, 0x123),
                              sw(T0, 1024, S1),  commit_tx(),      ret(),           0};
    kilo_rig *k = make(words, NULL, NULL, NULL);
    tell(k, 3);
    rig_set_word(k->rig, DATA + 512, 1);
    k->delay = 300;
    rig_launch(k->rig, 4, kit_cycles(rig_kit(k->rig), 50));
    while (!k->first_load)
        kit_run_until(rig_kit(k->rig), kit_now(rig_kit(k->rig)) + kit_cycles(rig_kit(k->rig), 1));
    kit_run_until(rig_kit(k->rig), kit_now(rig_kit(k->rig)) + kit_cycles(rig_kit(k->rig), 2));
    rig_set_word(k->rig, DATA + 512, 0);
    kilo_rig_finish(k);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_eapg_doomed"), 2);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_eapg_validation"), 2, "they have read it, too");
    cr_expect_eq(kilo_rig_statistic(k, "tx_commits"), 4);
    cr_expect_eq(kilo_rig_own(k, "commit_ids"), 2 * (2 + 1 + 1), "nobody is validated with another group");
    for (uint32_t lane = 0; lane < 4; lane++)
        cr_expect_eq(rig_word(k->rig, WORD_OF(lane) + 1024), 1);
    kilo_rig_destroy(k);
}

/* ---- Own words --------------------------------------------------------------------------------------------------------------- */

/* A byte of the word is the lane's own: a load of that is no conflict, one of the word is. */
Test(tx_eapg_pauses, parts_of_own_words_are_own)
{
    for (uint32_t whole = 0; whole < 2; whole++) {
        const uint32_t words[] = {OWN_WORD,         begin_tx(1), sb(T0, 1, S1), whole ? lw(T1, 0, S1) : lb(T1, 1, S1),
                                  sw(T1, 1024, S1), commit_tx(), ret(),         0};
        kilo_rig *k = make(words, "tx.eapg.store_hits=read", NULL, NULL);
        tell(k, 6);
        run(k, 4);
        cr_expect_eq(kilo_rig_own(k, "pauses"), whole ? 2 : 0, "%s", whole ? "word" : "byte");
        for (uint32_t lane = 0; lane < 4; lane++)
            cr_expect_eq(rig_word(k->rig, WORD_OF(lane) + 1024), whole ? 0x100 : 1);
        kilo_rig_destroy(k);
    }
}
