/* SPDX-License-Identifier: MIT */
/* Schedules that have a name (Fung 2015 §5): what transactions by Kilo TM and by WarpTM never do to one another. */
#include "protocol_kilo_rig.h"
#include "scattered.h"

#include <criterion/criterion.h>

/* Two increments of one word, by lanes of two warps: both count, and one is tried again. */
Test(tx_kilo, no_update_is_lost)
{
    const uint32_t words[] = {
        OWN_WORD, bne(S0, ZERO, 24), begin_tx(1), lw(T1, 0, A0), addi(T1, T1, 1), sw(T1, 0, A0), commit_tx(), ret(), 0};
    for (uint32_t aggregates = 0; aggregates < 2; aggregates++) {
        kilo_rig *k = kilo_rig_create(NULL, aggregates, words);
        rig_launch(k->rig, 64, 0);
        kilo_rig_finish(k);
        cr_expect_eq(rig_word(k->rig, DATA), 2);
        cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_validation"), 1);
        kilo_rig_destroy(k);
    }
}

/* All lanes of a warp count in one word: the units find it out by value, or the core before it asks. */
Test(tx_kilo, conflicts_within_the_warp_are_found_in_the_units_or_in_the_core)
{
    const uint32_t words[] = {OWN_WORD,      begin_tx(1), lw(T1, 0, A0), addi(T1, T1, 1),
                              sw(T1, 0, A0), commit_tx(), ret(),         0};
    for (uint32_t aggregates = 0; aggregates < 2; aggregates++) {
        kilo_rig *k = kilo_rig_create(NULL, aggregates, words);
        rig_launch(k->rig, LANES, 0);
        kilo_rig_finish(k);
        cr_expect_eq(rig_word(k->rig, DATA), LANES);
        cr_expect_eq(kilo_rig_statistic(k, aggregates ? "tx_aborts_intra_warp" : "tx_aborts_validation"),
                     LANES * (LANES - 1) / 2);
        cr_expect_eq(kilo_rig_statistic(k, "tx_aborts"), LANES * (LANES - 1) / 2);
        kilo_rig_destroy(k);
    }
}

/* If b is 0, a becomes 1; if a is 0, b does: never both. */
Test(tx_kilo, writes_do_not_skew)
{
    const uint32_t program[] = {lui(A0, DATA),
                                csrr(S0, 0xCC0),
                                andi(T2, S0, 31),
                                bne(T2, ZERO, 48),
                                addi(A1, A0, 512),
                                beq(S0, ZERO, 16),
                                add(A2, A1, ZERO),
                                add(A1, A0, ZERO),
                                add(A0, A2, ZERO),
                                addi(T0, ZERO, 1),
                                begin_tx(1),
                                lw(T1, 0, A1),
                                bne(T1, ZERO, 8),
                                sw(T0, 0, A0),
                                commit_tx(),
                                ret(),
                                0};
    for (uint32_t aggregates = 0; aggregates < 2; aggregates++) {
        kilo_rig *k = kilo_rig_create(NULL, aggregates, program);
        rig_launch(k->rig, 64, 0);
        kilo_rig_finish(k);
        cr_expect_eq(rig_word(k->rig, DATA) + rig_word(k->rig, DATA + 512), 1);
        kilo_rig_destroy(k);
    }
}

/* A value that has changed and changed back has not changed; one that was read in two ways never was. */
static kilo_rig *start_with_a_pause(void)
{
    const uint32_t words[] = {OWN_WORD,
                              begin_tx(1),
                              lw(T1, 0, A0),
                              divu(A2, T1, T0),
                              divu(A2, A2, T0),
                              divu(A2, A2, T0),
                              divu(A2, A2, T0),
                              lw(T2, 0, A0),
                              add(T1, T1, T2),
                              sw(T1, 4, A0),
                              commit_tx(),
                              ret(),
                              0};
    kilo_rig *k = kilo_rig_create(NULL, 1, words);
    rig_set_word(k->rig, DATA, 5);
    rig_launch(k->rig, 1, 0);
    while (!k->first_load)
        kit_run_until(rig_kit(k->rig), kit_now(rig_kit(k->rig)) + kit_cycles(rig_kit(k->rig), 1));
    return k;
}

Test(tx_kilo, what_is_changed_and_changed_back_commits)
{
    kilo_rig *k = start_with_a_pause();
    kit_run_until(rig_kit(k->rig), kit_now(rig_kit(k->rig)) + kit_cycles(rig_kit(k->rig), 2));
    rig_set_word(k->rig, DATA, 7);
    kit_run_until(rig_kit(k->rig), kit_now(rig_kit(k->rig)) + kit_cycles(rig_kit(k->rig), 2));
    rig_set_word(k->rig, DATA, 5);
    kilo_rig_finish(k);
    cr_expect_eq(rig_word(k->rig, DATA + 4), 10);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts"), 0);
    kilo_rig_destroy(k);
}

Test(tx_kilo, who_has_read_two_values_of_a_word_never_commits)
{
    kilo_rig *k = start_with_a_pause();
    kit_run_until(rig_kit(k->rig), kit_now(rig_kit(k->rig)) + kit_cycles(rig_kit(k->rig), 2));
    rig_set_word(k->rig, DATA, 7);
    kilo_rig_finish(k);
    cr_expect_eq(rig_word(k->rig, DATA + 4), 14);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_validation"), 1);
    kilo_rig_destroy(k);
}

/* A load of an own word is not validated; bytes of it that another has written are. */
Test(tx_kilo, own_writes_are_read_and_not_validated)
{
    const uint32_t words[] = {OWN_WORD,
                              begin_tx(1),
                              sw(T0, 0, S1),
                              lw(T1, 0, S1),
                              sb(T0, 257, S1),
                              lw(T2, 256, S1),
                              add(T1, T1, T2),
                              sw(T1, 512, S1),
                              commit_tx(),
                              ret(),
                              0};
    kilo_rig *k = kilo_rig_create(NULL, 1, words);
    for (uint32_t lane = 0; lane < LANES; lane++)
        rig_set_word(k->rig, DATA + 256 + 4 * lane, 0x11223344);
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        cr_expect_eq(rig_word(k->rig, DATA + 512 + 4 * lane), 1 + 0x11220144);
        cr_expect_eq(rig_word(k->rig, DATA + 256 + 4 * lane), 0x11220144);
    }
    cr_expect_eq(k->sent[KIND_READ_SET], 1);
    cr_expect_eq(k->groups[0].reads[1].words[0].byte_mask, 0xD, "but for the byte that it has written");
    kilo_rig_destroy(k);
}

/* Its first attempt never ends by itself. */
Test(tx_kilo, the_watchdog_ends_attempts)
{
    const char *const parameters[] = {"tx.watchdog=500 cycles", "tx.back_off.base=0 cycles", NULL};
    const uint32_t words[] = {OWN_WORD,       begin_tx(1),   addi(A2, ZERO, 2), lw(T1, 0, S1), csrr(T2, ATTEMPT),
                              blt(T2, A2, 0), sw(T2, 0, S1), commit_tx(),       ret(),         0};
    kilo_rig *k = kilo_rig_create(parameters, 1, words);
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_watchdog"), LANES);
    cr_expect_eq(k->next_id, 1 + LANES);
    kilo_rig_destroy(k);
}
