/* SPDX-License-Identifier: MIT */
/* What warps that commit side by side wait for, and how long. */
#include "protocol_kilo_rig.h"
#include "scattered.h"

#include <criterion/criterion.h>

/* Warps that commit together send in turn, and each waits for nobody else's answers. */
Test(tx_kilo, warps_commit_side_by_side)
{
    const uint32_t words[] = {OWN_WORD,
                              csrr(S0, 0xCC0),
                              slli(S1, S0, 2),
                              add(S1, A0, S1),
                              begin_tx(1),
                              lw(T1, 0, S1),
                              addi(T1, T1, 1),
                              sw(T1, 0, S1),
                              commit_tx(),
                              ret(),
                              0};
    const char *const alone[] = {"tx.concurrency=1", NULL};
    uint64_t cycles[2];
    uint32_t turns[2];
    for (uint32_t i = 0; i < 2; i++) {
        kilo_rig *k = kilo_rig_create(i ? alone : NULL, 1, words);
        rig_launch(k->rig, 256, 0);
        kilo_rig_finish(k);
        cycles[i] = rig_ended(k->rig);
        for (uint32_t thread = 0; thread < 256; thread++)
            cr_expect_eq(rig_word(k->rig, DATA + 4 * thread), 1);
        cr_expect_eq(k->sent[KIND_TAKE_IDS], 8);
        turns[i] = k->turns;
        kilo_rig_destroy(k);
    }
    cr_expect_lt(cycles[0], cycles[1] / 2);
    cr_expect_eq(turns[1], 8 - 1, "one after the other");
    cr_expect_gt(turns[0], 3 * 8, "in turn: %u", turns[0]);
}

/* Commit IDs that come late are waited for, and so are verdicts and writes. */
Test(tx_kilo, says_what_it_waits_for)
{
    const uint32_t words[] = {OWN_WORD, begin_tx(1), lw(T1, 0, S1), sw(T1, 0, S1), commit_tx(), ret(), 0};
    kilo_rig *k = kilo_rig_create(NULL, 1, words);
    k->id_delay = 300;
    k->delay = 500;
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    const uint64_t ids = kilo_rig_statistic(k, "tx_id_cycles"), sends = kilo_rig_statistic(k, "tx_send_cycles");
    cr_expect(ids >= 300 && ids < 310, "%lu", ids);
    cr_expect_eq(sends, 1 + 1 + KILO_PARTITIONS - 1, "a packet a cycle");
    cr_expect_geq(kilo_rig_statistic(k, "tx_verdict_cycles"), 500);
    cr_expect_geq(kilo_rig_statistic(k, "tx_write_cycles"), 500);
    cr_expect_lt(kilo_rig_statistic(k, "tx_verdict_cycles") + kilo_rig_statistic(k, "tx_write_cycles"), 1040);
    kilo_rig_destroy(k);
}

/* Lanes are judged one after the other: verdicts are waited for until the last of them has one. */
Test(tx_kilo, a_warp_waits_for_verdicts_until_all_lanes_have_theirs)
{
    const uint32_t words[] = {OWN_WORD, begin_tx(1), lw(T1, 0, S1), sw(T1, 0, S1), commit_tx(), ret(), 0};
    kilo_rig *k = kilo_rig_create(NULL, 0, words);
    k->delay = 50;
    rig_launch(k->rig, 8, 0);
    kilo_rig_finish(k);
    cr_expect_geq(kilo_rig_statistic(k, "tx_verdict_cycles"), 8 * 50);
    cr_expect_lt(kilo_rig_statistic(k, "tx_write_cycles"), 2 * 50);
    kilo_rig_destroy(k);
}

/* Bytes of logs on the network: 8 per word, whoever they go to. Words are 12 + 12 that are read, and 12 that are written. */
Test(tx_kilo, counts_the_bytes_of_its_logs)
{
    const uint32_t words[] = {OWN_WORD,      begin_tx(1), lw(T1, 0, S1), lw(T2, 256, S1),
                              sw(T1, 0, S1), commit_tx(), ret(),         0};
    kilo_rig *k = kilo_rig_create(NULL, 1, words);
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    cr_expect_eq(kilo_rig_statistic(k, "tx_logs"), 3);
    cr_expect_eq(kilo_rig_statistic(k, "transaction_bytes"), 3 * LANES * HD_KILO_WORD_WIRE_BYTES);
    cr_expect_eq(kilo_rig_statistic(k, "tx_read_words"), 2 * LANES);
    cr_expect_eq(kilo_rig_statistic(k, "tx_maximum_read_words"), 2);
    cr_expect_eq(kilo_rig_statistic(k, "tx_maximum_write_words"), 1);
    kilo_rig_destroy(k);
}

/* Two phases over the logs, a cycle per entry, and one until the result is there (Fung 2015 §6.3). */
Test(tx_kilo, resolves_in_the_cycles_of_its_logs)
{
    const char *const free_logs[] = {"tx.log_traffic=none", NULL};
    const uint32_t words[] = {OWN_WORD,      begin_tx(1), lw(T1, 0, S1), lw(T2, 256, S1),
                              sw(T1, 0, S1), commit_tx(), ret(),         0};
    kilo_rig *k = kilo_rig_create(free_logs, 1, words);
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    cr_expect_eq(kilo_rig_statistic(k, "tx_resolve_cycles"), 2 * 1 + 2 + 1);
    kilo_rig_destroy(k);
}

/* Of each transaction: two in which the first attempt is in vain. */
Test(tx_kilo, attempts_in_vain_are_those_of_one_transaction)
{
    uint64_t longest[2];
    for (uint32_t twice = 0; twice < 2; twice++) {
        const uint32_t words[] = {OWN_WORD,
                                  begin_tx(1),
                                  csrr(A2, ATTEMPT),
                                  bne(A2, T0, 8),
                                  abort_tx(1),
                                  sw(T0, 0, S1),
                                  commit_tx(),
                                  twice ? begin_tx(1) : ret(),
                                  csrr(A2, ATTEMPT),
                                  bne(A2, T0, 8),
                                  abort_tx(1),
                                  sw(T0, 0, S1),
                                  commit_tx(),
                                  ret(),
                                  0};
        kilo_rig *k = kilo_rig_create(NULL, 1, words);
        rig_launch(k->rig, LANES, 0);
        kilo_rig_finish(k);
        longest[twice] = kilo_rig_statistic(k, "tx_maximum_fruitless_cycles");
        cr_expect_eq(kilo_rig_statistic(k, "tx_retries"), 1 + twice);
        kilo_rig_destroy(k);
    }
    cr_expect(longest[0] && longest[1] < longest[0] + longest[0] / 2, "%lu and %lu", longest[0], longest[1]);
}
