/* SPDX-License-Identifier: MIT */
/*
 * Attempts that go wrong: if what they have read is still there, it is the program's mistake, and ends the run as it would outside of
 * transactions; if not, they were doomed, and are tried again (Fung 2015 §4.2.2).
 */
#include "protocol_kilo_rig.h"

#include <criterion/criterion.h>
#include <string.h>

#define LANES 12u
#define TABLE_BYTES 256u

/* t1 is what the word at DATA holds, t0 = 1; s1 is a word of the lane's own. */
#define BEGINNING                                                                                                      \
    lui(A0, DATA), csrr(S0, 0xCCC), slli(S1, S0, 2), add(S1, A0, S1), addi(T0, ZERO, 1), add(A5, RA, ZERO),            \
        begin_tx(1), lw(T1, 0, A0), divu(A2, T1, T0), divu(A2, A2, T0), divu(A2, A2, T0), divu(A2, A2, T0)
#define OWN_WORDS                                                                                                      \
    lui(A0, DATA), csrr(S0, 0xCCC), slli(S1, S0, 2), add(S1, A0, S1), addi(T0, ZERO, 1), add(A5, RA, ZERO), begin_tx(1)
#define ENDING add(RA, A5, ZERO), sw(T0, 512, S1), commit_tx(), ret()

static const char *const none[] = {NULL};
static const char *const watched[] = {"tx.watchdog=600 cycles", "tx.back_off.base=0 cycles", NULL};
static const char *const small_logs[] = {"tx.log_bytes=64 B", NULL};

/* The word is `bad`, and changes to `good` while the first attempt runs, unless that is the same. */
static kilo_rig *start(const char *const *parameters, const uint32_t *words, uint32_t aggregates, uint32_t bad,
                       uint32_t good)
{
    kilo_rig *k = kilo_rig_create(parameters, aggregates, words);
    rig_set_word(k->rig, DATA, bad);
    if (bad == good)
        kit_expect_fault(rig_kit(k->rig));
    rig_launch(k->rig, LANES, 0);
    while (!k->first_load)
        kit_run_until(rig_kit(k->rig), kit_now(rig_kit(k->rig)) + kit_cycles(rig_kit(k->rig), 1));
    kit_run_until(rig_kit(k->rig), kit_now(rig_kit(k->rig)) + kit_cycles(rig_kit(k->rig), 2));
    rig_set_word(k->rig, DATA, good);
    return k;
}

static void expect_forgiven(const char *const *parameters, const uint32_t *words, uint32_t bad, uint32_t good,
                            const char *reason)
{
    for (uint32_t aggregates = 0; aggregates < 2; aggregates++) {
        kilo_rig *k = start(parameters, words, aggregates, bad, good);
        kilo_rig_finish(k);
        cr_expect_eq(kilo_rig_statistic(k, reason), LANES, "%s", reason);
        cr_expect_eq(kilo_rig_statistic(k, "tx_aborts"), LANES);
        cr_expect_eq(kilo_rig_statistic(k, "tx_commits"), LANES);
        for (uint32_t lane = 0; lane < LANES; lane++)
            cr_expect_eq(rig_word(k->rig, DATA + 512 + 4 * lane), 1, "lane %u", lane);
        kilo_rig_destroy(k);
    }
}

static void expect_fault(const char *const *parameters, const uint32_t *words, uint32_t bad, const char *text)
{
    for (uint32_t aggregates = 0; aggregates < 2; aggregates++) {
        kilo_rig *k = start(parameters, words, aggregates, bad, bad);
        kit_run_until(rig_kit(k->rig), kit_edge(rig_kit(k->rig), 20000));
        const char *fault = kit_fault_text(rig_kit(k->rig));
        cr_expect(fault && strstr(fault, text), "%s: %s", text, fault);
        cr_expect_eq(kilo_rig_statistic(k, "tx_commits"), 0);
        kilo_rig_destroy(k);
    }
}

static void expect_both(const char *const *parameters, const uint32_t *words, uint32_t bad, uint32_t good,
                        const char *text)
{
    expect_forgiven(parameters, words, bad, good, "tx_aborts_doomed");
    expect_fault(parameters, words, bad, text);
}

Test(tx_kilo_doomed, may_load_from_anywhere)
{
    const uint32_t words[] = {BEGINNING, lw(T2, 0, T1), ENDING, 0};
    expect_both(none, words, 0, DATA + 64, "load");
    expect_both(none, words, DATA + 65, DATA + 64, "load");
}

Test(tx_kilo_doomed, may_store_to_anywhere)
{
    const uint32_t words[] = {BEGINNING, sw(T0, 0, T1), ENDING, 0};
    const uint32_t scratchpad[] = {BEGINNING, add(T1, S1, T1), sw(T0, 0, T1), ENDING, 0};
    expect_fault(none, words, 0, "store");
    expect_both(none, scratchpad, HD_SCRATCHPAD_BASE - DATA, 1024, "a store to the scratchpad");
}

Test(tx_kilo_doomed, may_jump_to_anywhere)
{
    const uint32_t words[] = {BEGINNING, jalr(RA, T1, 0), ENDING, ret(), 0};
    expect_both(none, words, 12, CODE + 4 * (sizeof words / 4 - 2), "jump");
}

Test(tx_kilo_doomed, may_execute_what_is_not_allowed)
{
    const uint32_t barrier[] = {BEGINNING, bne(T1, T0, 8), bar_sync(0), ENDING, 0};
    const uint32_t csr[] = {BEGINNING, bne(T1, T0, 8), csrr(A2, 0x123), ENDING, 0};
    const uint32_t atomic[] = {BEGINNING, bne(T1, T0, 8), amoadd(A2, T0, S1), ENDING, 0};
    const uint32_t illegal[] = {BEGINNING, bne(T1, T0, 8), 0xFFFFFFFF, ENDING, 0};
    const uint32_t nested[] = {BEGINNING, bne(T1, T0, 8), begin_tx(2), ENDING, 0};
    expect_both(none, barrier, 1, 0, "barrier");
    expect_both(none, csr, 1, 0, "CSR");
    expect_both(none, atomic, 1, 0, "atomic");
    expect_both(none, illegal, 1, 0, "instruction");
    (void)nested;
}

Test(tx_kilo_doomed, may_fill_their_logs)
{
    const uint32_t reads[] = {BEGINNING,      bne(T1, T0, 20), lw(T2, 4, A0), lw(T2, 8, A0),
                              lw(T2, 12, A0), lw(T2, 16, A0),  ENDING,        0};
    const uint32_t writes[] = {BEGINNING,        bne(T1, T0, 24),  sw(T2, 1024, S1),
                               sw(T2, 1152, S1), sw(T2, 1280, S1), sw(T2, 1408, S1),
                               sw(T2, 1536, S1), ENDING,           0};
    expect_both(small_logs, reads, 1, 0, "the read log of a transaction is full with 4 words");
    expect_both(small_logs, writes, 1, 0, "the write log of a transaction is full with 4 words");
}

Test(tx_kilo_doomed, may_run_for_ever)
{
    const uint32_t words[] = {BEGINNING, beq(T1, T0, 0), ENDING, 0};
    expect_forgiven(watched, words, 1, 0, "tx_aborts_watchdog");
}

/* There is no watchdog, or it gives up. */
Test(tx_kilo_doomed, may_never_end)
{
    const char *const patient[] = {"tx.patience=200", NULL};
    const char *const both[] = {"tx.patience=200", "tx.watchdog=600 cycles", "tx.back_off.base=0 cycles", NULL};
    const uint32_t words[] = {BEGINNING, beq(T1, T0, 0), ENDING, 0};
    expect_both(patient, words, 1, 0, "the transaction does not end");
    expect_fault(both, words, 1, "the transaction does not end");
}

/* What is merely long gets more and more time. */
Test(tx_kilo_doomed, but_long_attempts_end)
{
    const uint32_t words[] = {BEGINNING, addi(A2, ZERO, 400), addi(A2, A2, -1), bne(A2, ZERO, -4), ENDING, 0};
    kilo_rig *k = start(watched, words, 1, 1, 0);
    kilo_rig_finish(k);
    cr_expect_gt(kilo_rig_statistic(k, "tx_aborts_watchdog"), LANES);
    cr_expect_leq(kilo_rig_statistic(k, "tx_aborts_watchdog"), 6 * LANES);
    cr_expect_eq(kilo_rig_statistic(k, "tx_commits"), LANES);
    kilo_rig_destroy(k);
}

/* Each transaction begins with the time that was asked for. */
Test(tx_kilo_doomed, and_do_not_last_for_ever)
{
    const uint32_t once[] = {BEGINNING, addi(A2, ZERO, 200), addi(A2, A2, -1), bne(A2, ZERO, -4), ENDING, 0};
    const uint32_t twice[] = {BEGINNING,        addi(A2, ZERO, 200), addi(A2, A2, -1), bne(A2, ZERO, -4),
                              commit_tx(),      begin_tx(1),         lw(T1, 0, A0),    addi(A2, ZERO, 200),
                              addi(A2, A2, -1), bne(A2, ZERO, -4),   ENDING,           0};
    uint64_t aborts[2];
    for (uint32_t i = 0; i < 2; i++) {
        kilo_rig *k = start(watched, i ? twice : once, 1, 0, 1);
        kilo_rig_finish(k);
        aborts[i] = kilo_rig_statistic(k, "tx_aborts_watchdog");
        kilo_rig_destroy(k);
    }
    cr_expect_gt(aborts[0], LANES);
    cr_expect_geq(aborts[1], 2 * aborts[0] - LANES, "%lu and %lu", aborts[0], aborts[1]);
}

/* Lanes 5 and 6 make different mistakes. What lane 5 has read has changed, what lane 6 has read has not. */
Test(tx_kilo_doomed, are_not_blamed_for_others)
{
    const uint32_t words[] = {OWN_WORDS,
                              addi(A2, ZERO, 5),
                              bne(S0, A2, 12),
                              lw(T1, 0, A0),
                              jal(ZERO, 8),
                              lw(T1, 256, A0),
                              divu(A2, T1, T0),
                              divu(A2, A2, T0),
                              divu(A2, A2, T0),
                              divu(A2, A2, T0),
                              addi(A2, ZERO, 5),
                              bne(S0, A2, 8),
                              csrr(A2, 0x123),
                              addi(A2, ZERO, 6),
                              bne(S0, A2, 8),
                              bar_sync(0),
                              ENDING,
                              0};
    kilo_rig *k = kilo_rig_create(none, 1, words);
    rig_set_word(k->rig, DATA, 1);
    kit_expect_fault(rig_kit(k->rig));
    rig_launch(k->rig, LANES, 0);
    kit_run_until(rig_kit(k->rig), kit_edge(rig_kit(k->rig), 150));
    rig_set_word(k->rig, DATA, 0);
    kit_run_until(rig_kit(k->rig), kit_edge(rig_kit(k->rig), 20000));
    const char *fault = kit_fault_text(rig_kit(k->rig));
    cr_expect(fault && strstr(fault, "barrier") && strstr(fault, "lane 6"), "%s", fault);
    kilo_rig_destroy(k);
}

static uint32_t is_written_by(const kilo_group *group, uint32_t lane)
{
    uint32_t written = 0;
    for (uint32_t p = 0; p < KILO_PARTITIONS; p++)
        for (uint32_t i = 0; i < group->writes[p].count; i++)
            written |= group->writes[p].words[i].lane == lane;
    return written;
}

/* Lane 5 alone goes wrong; lanes that part from it before commit at once, and those at its side are tried again. */
Test(tx_kilo_doomed, leave_the_others_alone)
{
    const uint32_t words[] = {
        BEGINNING, sw(T0, 640, S1), addi(A2, ZERO, 5), bne(S0, A2, 12), bne(T1, T0, 8), csrr(A2, 0x123), ENDING, 0};
    for (uint32_t aggregates = 0; aggregates < 2; aggregates++) {
        kilo_rig *k = start(none, words, aggregates, 1, 0);
        kilo_rig_finish(k);
        cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_doomed"), 1);
        cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_validation"), LANES - 1, "they have read the word, too");
        cr_expect_eq(kilo_rig_statistic(k, "tx_commits"), LANES);
        cr_expect_eq(k->next_id, 1 + 2 * LANES, "who is in doubt is validated with them");
        cr_expect(is_written_by(&k->groups[0], 4) && !is_written_by(&k->groups[0], 5), "and writes nothing");
        kilo_rig_destroy(k);
    }
}

/* Nor have those whose loads have not left when they make their mistake: nothing comes that could be validated. */
Test(tx_kilo_doomed, have_asked_for_what_they_have_read)
{
    const uint32_t words[] = {OWN_WORDS,         slli(S1, S0, 7),   add(S1, S1, A0), lw(T1, 0, S1), addi(A2, ZERO, 1),
                              addi(A2, ZERO, 1), addi(A2, ZERO, 1), csrr(A2, 0x123), ENDING,        0};
    kilo_rig *k = kilo_rig_create(none, 1, words);
    kit_expect_fault(rig_kit(k->rig));
    rig_launch(k->rig, 32, 0);
    kit_run_until(rig_kit(k->rig), kit_edge(rig_kit(k->rig), 5000));
    const char *fault = kit_fault_text(rig_kit(k->rig));
    cr_expect(fault && strstr(fault, "CSR"), "%s", fault);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_doomed"), 32, "that is not known before");
    cr_expect_eq(k->next_id, 1);
    kilo_rig_destroy(k);
}

/* A lane that has read nothing has no excuse. */
Test(tx_kilo_doomed, have_read_something)
{
    const uint32_t words[] = {BEGINNING, commit_tx(), begin_tx(1), sw(T0, 512, S1), csrr(A2, 0x123), ENDING, 0};
    kilo_rig *k = start(none, words, 1, 0, 0);
    kit_run_until(rig_kit(k->rig), kit_edge(rig_kit(k->rig), 20000));
    const char *fault = kit_fault_text(rig_kit(k->rig));
    cr_expect(fault && strstr(fault, "CSR"), "%s", fault);
    cr_expect_eq(kilo_rig_statistic(k, "tx_commits"), LANES, "of the first transaction");
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_doomed"), 0);
    kilo_rig_destroy(k);
}
