/* SPDX-License-Identifier: MIT */
/* Lanes of one warp that pause, or abort early, because of what units have told the core (Ren & Lis 2018 §VI). */
#include "protocol_kilo_rig.h"

#include <criterion/criterion.h>
#include <string.h>

#define ATTEMPT 0xCD0
#define OWN_WORD lui(A0, DATA), csrr(S0, 0xCCC), slli(S1, S0, 2), add(S1, A0, S1), addi(T0, ZERO, 1)
#define WORD_OF(lane) (DATA + 4u * (lane))
enum { READ, WRITTEN };

/* Lanes in the order in which they commit. */
static struct {
    uint32_t lane[64];
    uint64_t order[64];
    uint32_t count;
    core_rig *rig; /* of which a word changes when somebody commits */
    uint32_t address, value;
} commits;

static void note(const hd_transaction *told)
{
    commits.lane[commits.count] = told->lane;
    commits.order[commits.count++] = told->order;
    if (commits.rig)
        rig_set_word(commits.rig, commits.address, commits.value);
}

static kilo_rig *make(const uint32_t *words, const char *parameter, const char *other)
{
    kilo_rig *k = kilo_rig_create_of("eapg", "tx_eapg_", (const char *[]){parameter, other, NULL}, 1, words);
    memset(&commits, 0, sizeof commits);
    k->told = note;
    return k;
}

/* Each lane counts in its word. */
static kilo_rig *make_increments(const char *parameter, const char *other)
{
    const uint32_t words[] = {OWN_WORD,      begin_tx(1), lw(T1, 0, S1), addi(T1, T1, 1),
                              sw(T1, 0, S1), commit_tx(), ret(),         0};
    return make(words, parameter, other);
}

/* The words of these lanes are being committed, for ever. */
static void tell(kilo_rig *k, uint32_t set, uint64_t lanes)
{
    for (uint64_t left = lanes; left; left &= left - 1)
        kilo_rig_tell(k, HD_KILO_ENTER, set, WORD_OF((uint32_t)__builtin_ctzll(left)), 0);
}

static void run(kilo_rig *k, uint32_t threads)
{
    rig_launch(k->rig, threads, kit_cycles(rig_kit(k->rig), 50));
    kilo_rig_finish(k);
}

static void expect_words(kilo_rig *k, uint32_t lanes, uint32_t value)
{
    for (uint32_t lane = 0; lane < lanes; lane++)
        cr_expect_eq(rig_word(k->rig, WORD_OF(lane)), value, "lane %u: %u", lane, rig_word(k->rig, WORD_OF(lane)));
}

/* ---- What is a conflict ------------------------------------------------------------------------------------------------- */

/* Lanes 1 and 2 of four load, or store, words of which something is known. */
static uint32_t pauses_of(uint32_t flags, uint32_t is_store, const char *rule)
{
    const uint32_t words[] = {OWN_WORD, begin_tx(1), is_store ? sw(T0, 0, S1) : lw(T1, 0, S1), commit_tx(), ret(), 0};
    kilo_rig *k = make(words, "tx.eapg.early_abort=false", rule);
    if (flags & 1)
        tell(k, READ, 6);
    if (flags & 2)
        tell(k, WRITTEN, 6);
    run(k, 4);
    const uint32_t pauses = (uint32_t)kilo_rig_own(k, "pauses");
    cr_expect_eq(kilo_rig_own(k, "paused_lanes"), pauses ? 2 + 1 : 0, "the two, and then one of them");
    cr_expect_eq(kilo_rig_own(k, "paused_transactions"), pauses ? 2 : 0);
    cr_expect_eq(kilo_rig_statistic(k, "tx_commits"), 4);
    kilo_rig_destroy(k);
    return pauses;
}

Test(tx_eapg, a_load_conflicts_with_writes_and_a_store_with_either)
{
    for (uint32_t flags = 0; flags < 4; flags++) {
        cr_expect_eq(pauses_of(flags, 0, "tx.eapg.store_hits=any"), flags & 2 ? 2 : 0, "flags %u", flags);
        cr_expect_eq(pauses_of(flags, 0, "tx.eapg.store_hits=read"), flags & 2 ? 2 : 0, "flags %u", flags);
        cr_expect_eq(pauses_of(flags, 1, "tx.eapg.store_hits=any"), flags ? 2 : 0, "flags %u", flags);
        cr_expect_eq(pauses_of(flags, 1, "tx.eapg.store_hits=read"), flags & 1 ? 2 : 0, "flags %u", flags);
    }
}

/* A word that has left is like any other; so is one that did not fit. */
Test(tx_eapg, nothing_is_known_of_a_word_that_has_left_or_found_no_room)
{
    kilo_rig *k = make_increments("tx.eapg.table.entries=2", NULL);
    tell(k, WRITTEN, 7);
    kilo_rig_tell(k, HD_KILO_LEAVE, WRITTEN, WORD_OF(1), 0);
    kilo_rig_tell(k, HD_KILO_LEAVE, READ, WORD_OF(0), 0);
    kilo_rig_tell(k, HD_KILO_LEAVE, WRITTEN, WORD_OF(2), 0);
    run(k, 4);
    cr_expect_eq(kilo_rig_own(k, "table_drops"), 1);
    cr_expect_eq(kilo_rig_own(k, "table_maximum"), 2);
    cr_expect_eq(kilo_rig_own(k, "pauses"), 1, "of lane 0");
    cr_expect_eq(kilo_rig_own(k, "paused_lanes"), 1);
    expect_words(k, 4, 1);
    kilo_rig_destroy(k);
}

/* A message is about as many words as it says. */
Test(tx_eapg, messages_are_about_all_of_their_words)
{
    const uint32_t addresses[] = {WORD_OF(0), WORD_OF(1), WORD_OF(2)};
    for (uint32_t left = 0; left <= 3; left++) {
        kilo_rig *k = make_increments("tx.eapg.early_abort=false", NULL);
        kilo_rig_tell_words(k, HD_KILO_ENTER, WRITTEN, addresses, 3, 0);
        if (left)
            kilo_rig_tell_words(k, HD_KILO_LEAVE, WRITTEN, addresses, left, kit_cycles(rig_kit(k->rig), 1));
        run(k, 4);
        cr_expect_eq(kilo_rig_own(k, "paused_transactions"), 3 - left);
        expect_words(k, 4, 1);
        kilo_rig_destroy(k);
    }
}

/* Nothing of a run is known in the next. */
Test(tx_eapg, nothing_is_known_after_a_reset)
{
    static const char *const tables[] = {"tx.eapg.table=words", "tx.eapg.table=signatures"};
    for (uint32_t i = 0; i < 2; i++) {
        kilo_rig *k = make_increments("tx.eapg.early_abort=false", tables[i]);
        if (i)
            kilo_rig_sign(k, WRITTEN, WORD_OF(0) / 256 % KILO_PARTITIONS, UINT64_MAX, 0);
        else
            tell(k, WRITTEN, 6);
        kit_run_until(rig_kit(k->rig), kit_edge(rig_kit(k->rig), 100));
        rig_reset(k->rig);
        run(k, 4);
        cr_expect_eq(kilo_rig_own(k, "pauses"), 0);
        kilo_rig_destroy(k);
    }
}

/* What the lane has written itself it gets from its log; the store had been made before anything was known. */
Test(tx_eapg, own_words_are_no_conflict)
{
    const uint32_t words[] = {OWN_WORD,        begin_tx(1),
                              sw(T0, 0, S1),   lw(T1, 1024, S1),
                              add(T1, T1, T0), lw(T1, 0, S1),
                              sw(T1, 0, S1),   commit_tx(),
                              ret(),           0};
    kilo_rig *k = make(words, "tx.eapg.store_hits=read", "tx.eapg.early_abort=false");
    tell(k, WRITTEN, 6);
    run(k, 4);
    cr_expect_eq(kilo_rig_own(k, "pauses"), 0);
    kilo_rig_destroy(k);
}

/* ---- Pauses --------------------------------------------------------------------------------------------------------------- */

/* Two groups of lanes, each with IDs, logs and verdicts of its own. */
Test(tx_eapg, lanes_that_pause_commit_behind_the_others)
{
    kilo_rig *k = make_increments("tx.eapg.early_abort=false", NULL);
    kilo_rig_tell(k, HD_KILO_ENTER, WRITTEN, WORD_OF(0), 0);
    kilo_rig_tell(k, HD_KILO_ENTER, WRITTEN, WORD_OF(3), 0);
    kilo_rig_tell(k, HD_KILO_LEAVE, WRITTEN, WORD_OF(0), kit_cycles(rig_kit(k->rig), 200));
    kilo_rig_tell(k, HD_KILO_LEAVE, WRITTEN, WORD_OF(3), kit_cycles(rig_kit(k->rig), 200));
    k->delay = 200;
    run(k, 4);
    const uint32_t lanes[] = {1, 2, 0, 3};
    for (uint32_t i = 0; i < 4; i++)
        cr_expect_eq(commits.lane[i], lanes[i]);
    cr_expect(commits.order[1] == 1 && commits.order[2] == 3, "IDs 1 and 2, then 3 and 4");
    cr_expect_eq(kilo_rig_own(k, "pauses"), 1);
    cr_expect_eq(k->sent[KIND_TAKE_IDS], 2);
    cr_expect_eq(k->sent[KIND_READ_SET], 2, "an entry of each group");
    cr_expect_eq(k->sent[KIND_WRITE_SET], 2);
    cr_expect_eq(k->groups[0].reads[0].count + k->groups[1].reads[0].count, 4);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts"), 0);
    cr_expect_eq(kilo_rig_statistic(k, "tx_retries"), 0);
    cr_expect_gt(kilo_rig_statistic(k, "thread_cycles_committed"), 2 * 200, "those that pause wait for the others");
    expect_words(k, 4, 1);
    kilo_rig_destroy(k);
}

Test(tx_eapg, of_lanes_that_all_conflict_the_highest_goes_on)
{
    kilo_rig *k = make_increments("tx.eapg.early_abort=false", NULL);
    tell(k, WRITTEN, 0xF);
    run(k, 4);
    for (uint32_t i = 0; i < 4; i++)
        cr_expect_eq(commits.lane[i], 3 - i);
    cr_expect_eq(kilo_rig_own(k, "pauses"), 3);
    cr_expect_eq(kilo_rig_own(k, "paused_lanes"), 3 + 2 + 1);
    expect_words(k, 4, 1);
    kilo_rig_destroy(k);
}

/* All groups log at the same place: four entries suffice. */
Test(tx_eapg, a_warp_of_n_lanes_parts_n_minus_1_times)
{
    kilo_rig *k = make_increments("tx.eapg.early_abort=false", "tx.log_bytes=64 B");
    tell(k, WRITTEN, 0xFFFFFFFF);
    run(k, 32);
    cr_expect_eq(kilo_rig_own(k, "pauses"), 31);
    cr_expect_eq(kilo_rig_own(k, "paused_lanes"), 31 * 32 / 2);
    cr_expect_eq(kilo_rig_own(k, "paused_transactions"), 31);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts"), 0);
    expect_words(k, 32, 1);
    kilo_rig_destroy(k);
}

Test(tx_eapg, a_single_lane_never_pauses)
{
    kilo_rig *k = make_increments("tx.eapg.early_abort=false", NULL);
    tell(k, WRITTEN, 1);
    run(k, 1);
    cr_expect_eq(kilo_rig_own(k, "pauses"), 0);
    expect_words(k, 1, 1);
    kilo_rig_destroy(k);
}

/* A load that all lanes have made is on its way when the next one would part them: it waits, and nobody's register is lost. */
Test(tx_eapg, what_is_in_flight_comes_to_all_lanes)
{
    const uint32_t words[] = {OWN_WORD,
                              begin_tx(1),
                              lw(A3, 1024, S1),
                              addi(A4, S0, 7),
                              lw(T1, 0, S1),
                              add(A3, A3, T1),
                              add(A3, A3, A4),
                              sw(A3, 0, S1),
                              commit_tx(),
                              ret(),
                              0};
    for (uint32_t repeats = 0; repeats < 2; repeats++) {
        kilo_rig *k = make(words, repeats ? "tx.eapg.pause.repeats=true" : "tx.eapg.pause.repeats=false",
                           "tx.eapg.early_abort=false");
        rig_memory_delay(k->rig, 200);
        for (uint32_t lane = 0; lane < 4; lane++) {
            rig_set_word(k->rig, WORD_OF(lane) + 1024, 1000 * (lane + 1));
            rig_set_word(k->rig, WORD_OF(lane), 100 * (lane + 1));
        }
        tell(k, WRITTEN, 6);
        run(k, 4);
        cr_expect_gt(kilo_rig_own(k, "pauses"), 0);
        cr_expect_eq(kilo_rig_statistic(k, "tx_aborts"), 0);
        for (uint32_t lane = 0; lane < 4; lane++)
            cr_expect_eq(rig_word(k->rig, WORD_OF(lane)), 1100 * (lane + 1) + lane + 7, "lane %u: %u", lane,
                         rig_word(k->rig, WORD_OF(lane)));
        kilo_rig_destroy(k);
    }
}

/* While lane 0 pauses at its word, that becomes another: the lane reads it; or has read it before, and fails. */
Test(tx_eapg, an_access_is_repeated_or_has_been_made)
{
    for (uint32_t repeats = 0; repeats < 2; repeats++) {
        kilo_rig *k = make_increments(repeats ? "tx.eapg.pause.repeats=true" : "tx.eapg.pause.repeats=false",
                                      "tx.eapg.early_abort=false");
        tell(k, WRITTEN, 1);
        commits.rig = k->rig;
        commits.address = WORD_OF(0);
        commits.value = 40;
        rig_launch(k->rig, 2, kit_cycles(rig_kit(k->rig), 50));
        while (!commits.count)
            kit_run_until(rig_kit(k->rig), kit_now(rig_kit(k->rig)) + kit_cycles(rig_kit(k->rig), 1));
        commits.rig = NULL;
        kilo_rig_finish(k);
        cr_expect_eq(commits.lane[0], 1);
        cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_eapg_validation"), !repeats);
        cr_expect_eq(rig_word(k->rig, WORD_OF(0)), 41);
        kilo_rig_destroy(k);
    }
}

/* What a lane has logged before it pauses is still there: both words have been counted in. */
Test(tx_eapg, logs_of_lanes_that_pause_are_kept)
{
    const uint32_t words[] = {OWN_WORD,
                              begin_tx(1),
                              lw(T1, 1024, S1),
                              addi(T1, T1, 1),
                              sw(T1, 1024, S1),
                              lw(T1, 0, S1),
                              addi(T1, T1, 1),
                              sw(T1, 0, S1),
                              commit_tx(),
                              ret(),
                              0};
    kilo_rig *k = make(words, "tx.eapg.early_abort=false", NULL);
    tell(k, WRITTEN, 0xF);
    run(k, 4);
    expect_words(k, 4, 1);
    for (uint32_t lane = 0; lane < 4; lane++)
        cr_expect_eq(rig_word(k->rig, WORD_OF(lane) + 1024), 1, "lane %u", lane);
    for (uint32_t group = 0; group < 4; group++)
        cr_expect_eq(k->groups[group].reads[0].count + k->groups[group].writes[0].count, 4, "group %u", group);
    kilo_rig_destroy(k);
}

/* All that go on give up the first time: who pauses commits before they try again. */
Test(tx_eapg, who_pauses_comes_before_who_has_aborted)
{
    const uint32_t words[] = {OWN_WORD,
                              begin_tx(1),
                              lw(T1, 0, S1),
                              addi(T1, T1, 1),
                              sw(T1, 0, S1),
                              csrr(A2, ATTEMPT),
                              andi(A3, S0, 1),
                              add(A2, A2, A3),
                              bne(A2, T0, 8),
                              abort_tx(1),
                              commit_tx(),
                              ret(),
                              0};
    kilo_rig *k = make(words, "tx.eapg.early_abort=false", NULL);
    tell(k, WRITTEN, 0xA);
    run(k, 4);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_program"), 2);
    cr_expect_eq(kilo_rig_statistic(k, "tx_retries"), 1);
    cr_expect(commits.lane[0] % 2 && commits.lane[1] % 2, "lanes 1 and 3 are first: %u, %u", commits.lane[0],
              commits.lane[1]);
    expect_words(k, 4, 1);
    kilo_rig_destroy(k);
}

Test(tx_eapg, lanes_pause_in_nested_transactions)
{
    const uint32_t words[] = {OWN_WORD,    begin_tx(1),   begin_tx(1), lw(T1, 0, S1), addi(T1, T1, 1),
                              commit_tx(), sw(T1, 0, S1), commit_tx(), ret(),         0};
    kilo_rig *k = make(words, "tx.eapg.early_abort=false", NULL);
    tell(k, WRITTEN, 6);
    run(k, 4);
    cr_expect_gt(kilo_rig_own(k, "pauses"), 0);
    expect_words(k, 4, 1);
    kilo_rig_destroy(k);
}

static hd_time written_while_it_pauses;
static hd_kilo_written written(uint64_t address, hd_time t)
{
    (void)t;
    return (hd_kilo_written){.t = address >= WORD_OF(0) + 1024 ? written_while_it_pauses : 0};
}

/* A reader's time is that of its first load, whatever it has waited for in between: what was written then may not fit. */
Test(tx_eapg, a_lane_that_pauses_is_as_old_as_its_first_load)
{
    const uint32_t words[] = {OWN_WORD,         begin_tx(1), lw(T1, 0, S1), add(T1, T1, T0),
                              lw(T2, 1024, S1), commit_tx(), ret(),         0};
    for (uint32_t late = 0; late < 2; late++) {
        kilo_rig *k = make(words, "tx.eapg.tcd=true", "tx.eapg.early_abort=false");
        kilo_rig_tell(k, HD_KILO_ENTER, WRITTEN, WORD_OF(0) + 1024, 0);
        k->written = written;
        written_while_it_pauses = 0;
        rig_launch(k->rig, 2, kit_cycles(rig_kit(k->rig), 50));
        while (!commits.count)
            kit_run_until(rig_kit(k->rig), kit_now(rig_kit(k->rig)) + kit_cycles(rig_kit(k->rig), 1));
        written_while_it_pauses = late ? kit_now(rig_kit(k->rig)) - kit_cycles(rig_kit(k->rig), 10) : 0;
        kilo_rig_finish(k);
        cr_expect_eq(kilo_rig_own(k, "pauses"), 1);
        cr_expect_eq(kilo_rig_own(k, "second_chances"), late);
        cr_expect_eq(k->silent, 2 - late);
        kilo_rig_destroy(k);
    }
}

/* The watchdog of a lane that pauses stands still: what the others do is not its time. */
Test(tx_eapg, lanes_that_pause_do_not_get_older)
{
    kilo_rig *k = make_increments("tx.eapg.early_abort=false", "tx.watchdog=600 cycles");
    tell(k, WRITTEN, 6);
    k->delay = 500;
    run(k, 4);
    cr_expect_eq(kilo_rig_own(k, "pauses"), 2);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts"), 0);
    kilo_rig_destroy(k);
}

/* ---- Early aborts ----------------------------------------------------------------------------------------------------------- */

Test(tx_eapg, lanes_that_conflict_abort_before_they_send_anything)
{
    kilo_rig *k = make_increments("tx.eapg.pause=off", NULL);
    tell(k, WRITTEN, 6);
    run(k, 4);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_early"), 2 + 1, "lanes 1 and 2, and 2 beside 1");
    cr_expect_eq(kilo_rig_own(k, "reprieves"), 2, "lanes 1, and 2 alone");
    cr_expect_eq(kilo_rig_own(k, "commit_ids"), 4, "nobody hears of the others");
    const uint32_t lanes[] = {0, 3, 1, 2};
    for (uint32_t i = 0; i < 4; i++)
        cr_expect_eq(commits.lane[i], lanes[i]);
    expect_words(k, 4, 1);
    kilo_rig_destroy(k);
}

/* A word that others read as well is no conflict for who has only read it. */
Test(tx_eapg, readers_do_not_abort_because_of_readers)
{
    const uint32_t words[] = {OWN_WORD, begin_tx(1), lw(T1, 0, S1), sw(T1, 1024, S1), commit_tx(), ret(), 0};
    for (uint32_t set = READ; set <= WRITTEN; set++) {
        kilo_rig *k = make(words, "tx.eapg.pause=off", NULL);
        tell(k, set, 6);
        run(k, 4);
        cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_early"), set == WRITTEN ? 2 + 1 : 0);
        cr_expect_eq(kilo_rig_statistic(k, "tx_commits"), 4);
        kilo_rig_destroy(k);
    }
}

/* Nor because of a word of which it has only loaded what it had written itself. */
Test(tx_eapg, own_words_are_no_conflict_at_the_commit)
{
    const uint32_t words[] = {OWN_WORD, begin_tx(1), sw(T0, 0, S1), lw(T1, 0, S1), commit_tx(), ret(), 0};
    kilo_rig *k = kilo_rig_create_of(
        "eapg", "tx_eapg_",
        (const char *[]){"tx.eapg.pause=off", "tx.eapg.store_hits=read", "tx.own_reads=validate", NULL}, 1, words);
    tell(k, WRITTEN, 6);
    run(k, 4);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_early"), 0);
    kilo_rig_destroy(k);
}

/* Who has lost against another lane of the warp has not aborted early; the one that is left goes on. */
Test(tx_eapg, conflicts_within_the_warp_come_first)
{
    const uint32_t words[] = {OWN_WORD,      begin_tx(1), lw(T1, 0, A0), addi(T1, T1, 1),
                              sw(T1, 0, A0), commit_tx(), ret(),         0};
    kilo_rig *k = make(words, "tx.eapg.pause=off", NULL);
    tell(k, WRITTEN, 1);
    run(k, 4);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_intra_warp"), 3 + 2 + 1);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_early"), 0);
    cr_expect_eq(kilo_rig_own(k, "reprieves"), 4);
    cr_expect_eq(rig_word(k->rig, DATA), 4);
    kilo_rig_destroy(k);
}

/* Lane 0 has done nothing, and commits before: of those that are left the lowest goes on. */
Test(tx_eapg, the_lowest_of_those_that_are_left_goes_on)
{
    const uint32_t words[] = {
        OWN_WORD, begin_tx(1), beq(S0, ZERO, 16), lw(T1, 0, S1), addi(T1, T1, 1), sw(T1, 0, S1), commit_tx(), ret(), 0};
    kilo_rig *k = make(words, "tx.eapg.pause=off", NULL);
    tell(k, READ, 0xE);
    run(k, 4);
    cr_expect_eq(k->silent, 1);
    cr_expect_eq(kilo_rig_statistic(k, "tx_aborts_early"), 2 + 1);
    for (uint32_t i = 1; i < 4; i++)
        cr_expect_eq(commits.lane[i], i);
    kilo_rig_destroy(k);
}

/* Without that they go round until the word leaves. */
Test(tx_eapg, without_a_reprieve_lanes_wait_for_words_to_leave)
{
    kilo_rig *k = make_increments("tx.eapg.pause=off", "tx.eapg.test.reprieve=no");
    tell(k, WRITTEN, 1);
    rig_launch(k->rig, 1, kit_cycles(rig_kit(k->rig), 50));
    kit_run_until(rig_kit(k->rig), kit_cycles(rig_kit(k->rig), 20000));
    kilo_rig_tell(k, HD_KILO_LEAVE, WRITTEN, WORD_OF(0), kit_now(rig_kit(k->rig)));
    kilo_rig_finish(k);
    cr_expect_gt(kilo_rig_statistic(k, "tx_aborts_early"), 5);
    cr_expect_eq(kilo_rig_own(k, "reprieves"), 0);
    expect_words(k, 1, 1);
    kilo_rig_destroy(k);
}
