/* SPDX-License-Identifier: MIT */
/* Lanes that only read, and commit without the units where nothing was written meanwhile (TCD; Fung 2015 §6.4). */
#include "protocol_kilo_rig.h"
#include "scattered.h"

#include <criterion/criterion.h>

static hd_time written_at;
static uint32_t is_pending;

static hd_kilo_written when(uint64_t address, hd_time t)
{
    (void)t;
    return (hd_kilo_written){.t = address < DATA + 128 ? 0 : written_at,
                             .is_pending = address >= DATA + 256 && is_pending};
}

/* Lane 0 loads two words, the second in another line. Returns how many lanes committed silently, of one. */
static uint32_t read_two(hd_time second_written, uint32_t pending, uint32_t has_times, int32_t second)
{
    const char *const parameters[] = {has_times ? "tx.kilo.tcd=true" : "tx.kilo.tcd=false", NULL};
    const uint32_t words[] = {OWN_WORD, begin_tx(1), lw(T1, 0, A0), lw(T2, second, A0), commit_tx(), ret(), 0};
    kilo_rig *k = kilo_rig_create(parameters, 1, words);
    k->written = has_times ? when : NULL;
    written_at = second_written;
    is_pending = pending;
    rig_launch(k->rig, 1, 0);
    kilo_rig_finish(k);
    const uint32_t silent = k->silent;
    cr_expect_eq(kilo_rig_statistic(k, "tx_second_chances"), has_times && !silent);
    cr_expect_eq(k->next_id, silent ? 1 : 2, "who does not commit silently goes the ordinary way");
    cr_expect_eq(k->last.order, silent ? HD_NO_ORDER : 1);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts"), 0);
    kilo_rig_destroy(k);
    return silent;
}

Test(tx_kilo, readers_commit_silently_where_nothing_was_written_since_their_first_load)
{
    cr_expect_eq(read_two(0, 0, 1, 128), 1);
    cr_expect_eq(read_two(0, 0, 0, 128), 0, "nobody says when anything was written");
    cr_expect_eq(read_two(HD_NEVER - 1, 0, 1, 128), 0);
    cr_expect_eq(read_two(HD_NEVER - 1, 0, 1, 64), 1, "a word that was not written");
    cr_expect_eq(read_two(0, 1, 1, 128), 1, "somebody else's word");
    cr_expect_eq(read_two(0, 1, 1, 256), 0, "somebody is about to write");
}

/* The time of the first load is when it leaves: a write at that time is not one since then. */
Test(tx_kilo, readers_compare_with_the_time_of_their_first_load)
{
    uint32_t silent = 0, first = 0;
    hd_time at = 0;
    kilo_rig *k;
    const char *const parameters[] = {"tx.kilo.tcd=true", NULL};
    const uint32_t words[] = {OWN_WORD, begin_tx(1), lw(T1, 0, A0), commit_tx(), ret(), 0};
    k = kilo_rig_create(parameters, 1, words);
    rig_launch(k->rig, 1, 0);
    kilo_rig_finish(k);
    at = k->first_load;
    cr_expect_eq(k->silent, 0, "a reply without a time is no proof");
    kilo_rig_destroy(k);
    /* The latest write that is none since then is at an edge of the core. */
    hd_time last = at - 8 * 714, edge = 0;
    for (hd_time step = 4096; step; step /= 2)
        last += read_two(last + step, 0, 1, 128) ? step : 0;
    k = kilo_rig_create(parameters, 1, words);
    for (uint32_t n = 0; edge < last; n++)
        edge = kit_edge(rig_kit(k->rig), n);
    cr_expect_eq(edge, last, "%lu and %lu", edge, last);
    kilo_rig_destroy(k);
    for (uint32_t before = 0; before < 4; before++) {
        const hd_time cycle = 714; /* or more */
        silent = read_two(at - before * cycle, 0, 1, 128);
        first += silent;
        cr_expect(silent || !first, "the earlier, the more so");
    }
    cr_expect(first > 0 && first < 4, "%u", first);
}

/* Who has also written is no reader; loads of the next attempt begin anew. */
Test(tx_kilo, writers_do_not_commit_silently)
{
    const char *const parameters[] = {"tx.kilo.tcd=true", NULL};
    const uint32_t words[] = {OWN_WORD,        begin_tx(1), lw(T1, 0, A0), bne(S0, ZERO, 8),
                              sw(T0, 256, A0), commit_tx(), ret(),         0};
    written_at = is_pending = 0;
    kilo_rig *k = kilo_rig_create(parameters, 1, words);
    k->written = when;
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    cr_expect_eq(k->silent, LANES - 1);
    cr_expect_eq(k->next_id, 2);
    kilo_rig_destroy(k);
}

static uint32_t loads_answered;

static hd_kilo_written first_is_late(uint64_t address, hd_time t)
{
    (void)address, (void)t;
    return (hd_kilo_written){.t = loads_answered++ ? 0 : HD_NEVER - 1};
}

/* What was written after the loads of an attempt that is over is of no account. */
Test(tx_kilo, readers_begin_anew_with_each_attempt)
{
    const char *const parameters[] = {"tx.kilo.tcd=true", NULL};
    const uint32_t words[] = {
        OWN_WORD, begin_tx(1), lw(T1, 0, A0), csrr(A2, ATTEMPT), bne(A2, T0, 8), abort_tx(1), commit_tx(), ret(), 0};
    loads_answered = 0;
    kilo_rig *k = kilo_rig_create(parameters, 1, words);
    k->written = first_is_late;
    rig_launch(k->rig, 1, 0);
    kilo_rig_finish(k);
    cr_expect_eq(loads_answered, 2);
    cr_expect_eq(k->silent, 1);
    kilo_rig_destroy(k);
}

/* A load of nothing but what the lane has written is no word to compare, even if it goes to memory. */
Test(tx_kilo, own_words_are_not_compared_however_they_are_loaded)
{
    const char *const parameters[] = {"tx.own_reads=validate", NULL};
    const uint32_t words[] = {OWN_WORD,        begin_tx(1), sw(T0, 0, S1), lw(T1, 0, S1),
                              sw(T1, 256, S1), commit_tx(), ret(),         0};
    kilo_rig *k = kilo_rig_create(parameters, 1, words);
    rig_launch(k->rig, LANES, 0);
    kilo_rig_finish(k);
    cr_expect_eq(k->sent[KIND_READ_SET], 0);
    cr_expect_eq(rig_word(k->rig, DATA + 256), 1);
    kilo_rig_destroy(k);
}
