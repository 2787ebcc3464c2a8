/* SPDX-License-Identifier: MIT */
/* The core's side of WarpTM-EL: what it registers, when it compares, and what of a commit remains (Ren & Lis 2018 §III, Fig. 2). */
#include "protocol_warptm_el_rig.h"
#include "tx_program.h"

#include <criterion/criterion.h>
#include <string.h>

static el_rig *run(const char *const *parameters, const uint32_t *words, uint32_t threads)
{
    el_rig *g = el_rig_create(parameters, words);
    el_rig_launch(g, threads);
    el_rig_finish(g);
    return g;
}

/* Each lane counts in a word of its own, 32 bytes apart. */
#define COUNTS_APART                                                                                                   \
    ((const uint32_t[]){PROLOGUE, begin_tx(1), lw(T1, 0, A1), addi(T1, T1, 1), sw(T1, 0, A1), commit_tx(), ret(), 0})

/* ---- What is sent --------------------------------------------------------------------------------------------------------- */

/* Lanes of a warp write 1 KiB: eight lanes in each of four partitions. */
Test(tx_warptm_el, sends_write_logs_and_waits_until_they_are_written)
{
    el_rig *g = run(NULL, COUNTS_APART, 32);
    cr_expect_eq(g->seen.reads, 8, "four lanes in a line");
    cr_expect_eq(g->seen.commits, 1);
    cr_expect_eq(g->last_lanes, UINT32_MAX);
    cr_expect_eq(g->last_commit.pc, CODE + 4 * 12);
    cr_expect_eq(g->seen.write_sets, 4, "an entry, in four partitions");
    cr_expect_eq(g->seen.done_skips, 4);
    cr_expect_eq(g->seen.committed, 4);
    cr_expect_eq(g->seen.written, g->seen.parts);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts"), 0);
    cr_expect_eq(el_rig_statistic(g, "packets_sent_global"), 8, "loads");
    cr_expect_eq(el_rig_statistic(g, "packets_sent_transaction"), 8, "logs, and their end");
    cr_expect_gt(el_rig_statistic(g, "tx_el_decision_cycles"), 0);
    cr_expect_gt(el_rig_statistic(g, "tx_el_send_cycles"), 0);
    cr_expect_gt(el_rig_statistic(g, "tx_el_write_cycles"), 0);
    for (uint32_t lane = 0; lane < 32; lane++)
        cr_expect_eq(rig_word(g->rig, DATA + 32 * lane), 1);
    el_rig_destroy(g);
}

/* One unit has not written: the warp stays where it is, and the block is told nothing. */
Test(tx_warptm_el, waits_for_the_last_unit)
{
    el_rig *g = el_rig_create(NULL, COUNTS_APART);
    g->mute = 1;
    el_rig_launch(g, 32);
    el_rig_pass(g, 3000);
    cr_expect_eq(g->seen.done_skips, 4);
    cr_expect_eq(g->seen.written, 0);
    cr_expect_eq(rig_done(g->rig), 0);
    cr_expect_eq(el_rig_statistic(g, "tx_commits"), 0);
    el_rig_finish(g);
    cr_expect_eq(el_rig_statistic(g, "tx_commits"), 32);
    el_rig_destroy(g);
}

/* Of a unit that speaks of each lane alone, the last counts. */
Test(tx_warptm_el, waits_for_each_lane_where_units_speak_of_lanes)
{
    el_rig *g = el_rig_create(NULL, COUNTS_APART);
    g->per_lane = 1;
    el_rig_launch(g, 8); /* one unit */
    el_rig_finish(g);
    cr_expect_eq(g->seen.committed, 8);
    cr_expect_eq(g->seen.written, g->seen.parts, "told once");
    el_rig_destroy(g);
}

/* Each store has its entry, as WarpTM has it; the latest stays. */
Test(tx_warptm_el, stores_a_word_as_often_as_its_program)
{
    const uint32_t words[] = {PROLOGUE,
                              begin_tx(1),
                              lw(T1, 0, A1),
                              sw(T0, 0, A1),
                              addi(T1, T1, 7),
                              sw(T1, 0, A1),
                              lw(T2, 0, A1),
                              sw(T2, 4, A1),
                              commit_tx(),
                              ret(),
                              0};
    el_rig *g = run(NULL, words, 1);
    cr_expect_eq(g->seen.write_sets, 3);
    cr_expect_eq(rig_word(g->rig, DATA), 7);
    cr_expect_eq(rig_word(g->rig, DATA + 4), 7, "it reads its own");
    el_rig_destroy(g);
}

/* Nothing but a commit ID is missing: no message at all. */
Test(tx_warptm_el, readers_send_nothing)
{
    const uint32_t words[] = {PROLOGUE, begin_tx(1), lw(T1, 0, A1), commit_tx(), sw(T1, 0, S1), ret(), 0};
    el_rig *g = el_rig_create(NULL, words);
    el_rig_set(g, DATA, 5);
    el_rig_launch(g, 32);
    el_rig_finish(g);
    cr_expect_eq(g->seen.parts + g->seen.done_skips, 0);
    cr_expect_eq(g->silent, 32);
    cr_expect_eq(rig_word(g->rig, RESULTS), 5);
    el_rig_destroy(g);
}

/* A write log of more words than a packet to the block has room for: two stores of each lane. */
Test(tx_warptm_el, tells_of_long_logs_in_parts)
{
    const uint32_t words[] = {PROLOGUE,      begin_tx(1), sw(T0, 0, A1), sw(T0, 4, A1),
                              sw(T0, 8, A1), commit_tx(), ret(),         0};
    el_rig *g = run(NULL, words, 32);
    cr_expect_eq(g->seen.commits, 1);
    cr_expect_eq(g->seen.parts, (96 + HD_IDEAL_WRITES - 1) / HD_IDEAL_WRITES);
    cr_expect_gt(g->seen.parts, 1);
    cr_expect_eq(g->seen.written, g->seen.parts);
    el_rig_destroy(g);
}

/* ---- When it is compared ---------------------------------------------------------------------------------------------------- */

#define READS_THREE                                                                                                    \
    ((const uint32_t[]){PROLOGUE, begin_tx(1), lw(T1, 0, A0), lw(T2, 256, A0), add(T1, T1, T2), lw(T2, 512, A0),       \
                        add(T1, T1, T2), sw(T1, 0, S1), commit_tx(), ret(), 0})

/* While the second load is under way, the first is no longer right: the third does not take place. */
Test(tx_warptm_el, finds_a_conflict_at_the_next_access)
{
    el_rig *g = el_rig_create(NULL, READS_THREE);
    g->change_at = 2;
    el_rig_launch(g, 1);
    el_rig_finish(g);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts_access"), 1);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts"), 1);
    cr_expect_eq(g->seen.reads, 5, "two of the first attempt, three of the second");
    cr_expect_eq(el_rig_statistic(g, "tx_el_changed_words"), 1);
    cr_expect_eq(rig_word(g->rig, RESULTS), 100);
    el_rig_destroy(g);
}

/* A store is an access. */
Test(tx_warptm_el, finds_a_conflict_at_a_store)
{
    const uint32_t words[] = {PROLOGUE,      begin_tx(1),     lw(T1, 0, A0), lw(T2, 256, A0), add(T1, T1, T2),
                              sw(T1, 0, S1), sw(T1, 256, S1), commit_tx(),   ret(),           0};
    el_rig *g = el_rig_create(NULL, words);
    g->change_at = 2;
    el_rig_launch(g, 1);
    el_rig_finish(g);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts_access"), 1);
    cr_expect_eq(rig_word(g->rig, RESULTS + 256), 100);
    el_rig_destroy(g);
}

/* Only at the end, if it is told so. */
Test(tx_warptm_el, compares_at_the_end_alone_if_asked_to)
{
    el_rig *g = el_rig_create((const char *[]){"tx.warptm_el.compare=end", NULL}, READS_THREE);
    g->change_at = 2;
    el_rig_launch(g, 1);
    el_rig_finish(g);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts_access"), 0);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts_outdated"), 1);
    cr_expect_eq(g->seen.reads, 6);
    el_rig_destroy(g);
}

/* Its first load is of two lines. The other lanes go on. */
Test(tx_warptm_el, aborts_the_lanes_that_have_read_it)
{
    const uint32_t words[] = {
        PROLOGUE, begin_tx(1), lw(T1, 0, A1), lw(T2, 1024, A1), add(T1, T1, T2), sw(T1, 0, S1), commit_tx(), ret(), 0};
    el_rig *g = el_rig_create((const char *[]){"tx.back_off.base=0 cycles", NULL}, words);
    g->change_at = 3;
    el_rig_launch(g, 8);
    el_rig_finish(g);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts"), 1, "lane 0");
    cr_expect_eq(el_rig_statistic(g, "tx_commits"), 8);
    cr_expect_eq(g->last_lanes, 1);
    cr_expect_eq(rig_word(g->rig, RESULTS), 100);
    el_rig_destroy(g);
}

static void commit_same_value_at_second_read(el_rig *g, const hd_packet *packet)
{
    (void)packet;
    if (g->seen.reads == 2)
        el_rig_strange_word(g, DATA, 5, 15, 0);
}

static void change_and_change_back_at_second_read(el_rig *g, const hd_packet *packet)
{
    if (g->seen.reads == 2)
        el_rig_strange_word(g, DATA, 100, 15, 0);
    commit_same_value_at_second_read(g, packet);
}

static void change_other_bytes_at_second_read(el_rig *g, const hd_packet *packet)
{
    (void)packet;
    if (g->seen.reads == 2)
        el_rig_strange_word(g, DATA, 0xAABBCC00, 14, 0);
}

static void expect_no_abort(void (*at_read)(el_rig *, const hd_packet *), const uint32_t *words, uint32_t result)
{
    el_rig *g = el_rig_create(NULL, words);
    el_rig_set(g, DATA, 5);
    g->at_read = at_read;
    el_rig_launch(g, 1);
    el_rig_finish(g);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts"), 0);
    cr_expect_gt(el_rig_statistic(g, "tx_el_changed_words"), 0);
    cr_expect_eq(rig_word(g->rig, RESULTS), result);
    el_rig_destroy(g);
}

/* By value, as WarpTM validates. */
Test(tx_warptm_el, what_has_its_value_again_is_no_conflict)
{
    expect_no_abort(commit_same_value_at_second_read, READS_THREE, 5);
    expect_no_abort(change_and_change_back_at_second_read, READS_THREE, 5);
}

Test(tx_warptm_el, bytes_that_were_not_read_are_no_conflict)
{
    const uint32_t words[] = {
        PROLOGUE, begin_tx(1), lb(T1, 0, A0), lw(T2, 256, A0), add(T1, T1, T2), sw(T1, 0, S1), commit_tx(), ret(), 0};
    expect_no_abort(change_other_bytes_at_second_read, words, 5);
}

static void change_byte_after_byte_at_second_read(el_rig *g, const hd_packet *packet)
{
    (void)packet;
    if (g->seen.reads != 2)
        return;
    el_rig_strange_word(g, DATA, 0xAA00, 2, 0);
    el_rig_strange_word(g, DATA, 5, 1, 0); /* as it is already */
}

/* The second change says nothing of the byte that the first one has changed. */
Test(tx_warptm_el, bytes_that_have_changed_stay_changed)
{
    el_rig *g = el_rig_create(NULL, READS_THREE);
    el_rig_set(g, DATA, 5);
    g->at_read = change_byte_after_byte_at_second_read;
    el_rig_launch(g, 1);
    el_rig_finish(g);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts_access"), 1);
    cr_expect_eq(rig_word(g->rig, RESULTS), 0xAA05);
    el_rig_destroy(g);
}

/* What the lane has written itself is not compared: its load has read nothing of it. */
Test(tx_warptm_el, own_words_are_no_conflict)
{
    const uint32_t words[] = {PROLOGUE,        begin_tx(1),   sw(T0, 0, A0), lw(T1, 0, A0), lw(T2, 256, A0),
                              lw(T2, 512, A0), sw(T1, 0, S1), commit_tx(),   ret(),         0};
    const char *const parameters[] = {"tx.own_reads=validate", NULL};
    el_rig *g = el_rig_create(parameters, words);
    g->change_at = 2;
    el_rig_launch(g, 1);
    el_rig_finish(g);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts"), 0);
    cr_expect_eq(rig_word(g->rig, DATA), 1, "it is the last that commits");
    el_rig_destroy(g);
}

/* The words of a change come in two messages, and what has changed twice is what it was last. */
static void change_many_at_third_read(el_rig *g, const hd_packet *packet)
{
    (void)packet;
    const hd_ideal_write writes[] = {{.address = DATA, .value = 1, .byte_mask = 15},
                                     {.address = DATA + 256, .value = 2, .byte_mask = 15},
                                     {.address = DATA, .value = 0, .byte_mask = 15}};
    if (g->seen.reads == 3)
        el_rig_strange(g, writes, 3);
}

Test(tx_warptm_el, takes_all_of_what_has_changed)
{
    el_rig *g = el_rig_create(NULL, READS_THREE);
    g->at_read = change_many_at_third_read;
    g->parts = 1;
    el_rig_launch(g, 1);
    el_rig_finish(g);
    cr_expect_eq(el_rig_statistic(g, "tx_el_changed_words"), 2);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts_access"), 1);
    cr_expect_eq(rig_word(g->rig, RESULTS), 2);
    el_rig_destroy(g);
}

/* The first attempt gives up; what is said of it comes when the second runs. */
static void change_late(el_rig *g, const hd_packet *packet)
{
    if (g->seen.reads != 2)
        return;
    g->epoch[packet->flow]--;
    el_rig_strange_word(g, DATA, 100, 15, 0);
    g->epoch[packet->flow]++;
    g->changes[packet->flow]--;
}

Test(tx_warptm_el, a_change_of_another_attempt_is_nothing)
{
    const uint32_t words[] = {PROLOGUE,         begin_tx(1),      lw(T1, 0, A0), csrr(T2, ATTEMPT),
                              addi(T2, T2, -1), bne(T2, ZERO, 8), abort_tx(1),   addi(T1, T1, 1),
                              sw(T1, 0, S1),    commit_tx(),      ret(),         0};
    el_rig *g = el_rig_create(NULL, words);
    g->at_read = change_late;
    el_rig_launch(g, 1);
    el_rig_finish(g);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts_program"), 1);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts"), 1);
    cr_expect_eq(el_rig_statistic(g, "tx_el_changed_words"), 0);
    el_rig_destroy(g);
}

/* ---- Loads ------------------------------------------------------------------------------------------------------------------------ */

/* Bytes 1 and 2 are committed by somebody and not in memory, byte 2 has been written by the lane itself. */
Test(tx_warptm_el, reads_its_own_bytes_over_those_committed_over_those_in_memory)
{
    const uint32_t words[] = {PROLOGUE,      begin_tx(1),   sb(T0, 2, A0), lw(T1, 0, A0), lb(T2, 1, A0),
                              sw(T1, 0, S1), sw(T2, 4, S1), commit_tx(),   ret(),         0};
    el_rig *g = el_rig_create(NULL, words);
    el_rig_set(g, DATA, 0x44332211);
    el_rig_strange_word(g, DATA, 0x00BBAA00, 6, 1);
    el_rig_launch(g, 1);
    el_rig_pass(g, 2000);
    cr_expect_eq(el_rig_statistic(g, "tx_commits"), 1);
    cr_expect_eq(rig_word(g->rig, RESULTS), 0x4401AA11);
    cr_expect_eq(rig_word(g->rig, RESULTS + 4), 0xFFFFFFAA);
    el_rig_destroy(g);
}

/* What another lane of the warp has committed before is seen, though no unit has written yet. */
Test(tx_warptm_el, lanes_of_a_warp_follow_each_other)
{
    const uint32_t words[] = {PROLOGUE,      begin_tx(1), lw(T1, 0, A0), addi(T1, T1, 1),
                              sw(T1, 0, A0), commit_tx(), ret(),         0};
    el_rig *g = run((const char *[]){"tx.concurrency=0", "tx.back_off.base=0 cycles", NULL}, words, 96);
    cr_expect_eq(rig_word(g->rig, DATA), 96);
    cr_expect_gt(el_rig_statistic(g, "tx_aborts_intra_warp"), 0);
    cr_expect_gt(el_rig_statistic(g, "tx_aborts_access") + el_rig_statistic(g, "tx_aborts_outdated"), 0);
    el_rig_destroy(g);
}

/* ---- Mistakes ----------------------------------------------------------------------------------------------------------------------- */

/* Where DATA and DATA + 256 differ, the program goes astray: it loads from where no word is. */
#define GOES_ASTRAY                                                                                                    \
    ((const uint32_t[]){PROLOGUE, begin_tx(1), lw(T1, 0, A0), lw(T2, 256, A0), sub(T1, T1, T2), add(T1, T1, A0),       \
                        lw(T2, 0, T1), sw(T2, 0, S1), commit_tx(), ret(), 0})

static void change_both_at_second_read(el_rig *g, const hd_packet *packet)
{
    const hd_ideal_write writes[] = {{.address = DATA, .value = 3, .byte_mask = 15},
                                     {.address = DATA + 256, .value = 3, .byte_mask = 15}};
    (void)packet;
    if (g->seen.reads == 2)
        el_rig_strange(g, writes, 2);
}

static void expect_forgiven(const char *const *parameters)
{
    el_rig *g = el_rig_create(parameters, GOES_ASTRAY);
    g->at_read = change_both_at_second_read;
    el_rig_launch(g, 1);
    el_rig_finish(g);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts_mistake") + el_rig_statistic(g, "tx_aborts_access"), 1);
    cr_expect_eq(el_rig_statistic(g, "tx_commits"), 1);
    cr_expect_eq(rig_word(g->rig, RESULTS), 3);
    el_rig_destroy(g);
}

Test(tx_warptm_el, mistakes_of_the_outdated_are_forgiven)
{
    expect_forgiven(NULL);
    expect_forgiven((const char *[]){"tx.warptm_el.compare=end", NULL});
}

/* They differ from the start. */
Test(tx_warptm_el, mistakes_of_others_end_the_run)
{
    el_rig *g = el_rig_create(NULL, GOES_ASTRAY);
    el_rig_set(g, DATA, 1);
    kit_expect_fault(rig_kit(g->rig));
    el_rig_launch(g, 1);
    el_rig_pass(g, 2000);
    const char *fault = kit_fault_text(rig_kit(g->rig));
    cr_expect(fault && strstr(fault, "0x10010001"), "%s", fault);
    el_rig_destroy(g);
}

/* Until DATA has changed, the lane loops without an access. */
Test(tx_warptm_el, loops_of_the_outdated_end)
{
    const uint32_t words[] = {PROLOGUE,           begin_tx(1),   lw(T1, 0, A0), lw(T2, 256, A0), bne(T1, ZERO, 8),
                              beq(ZERO, ZERO, 0), sw(T1, 0, S1), commit_tx(),   ret(),           0};
    el_rig *g = el_rig_create((const char *[]){"tx.watchdog=500 cycles", NULL}, words);
    el_rig_launch(g, 1);
    el_rig_pass(g, 5000);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts"), 0, "who is up to date runs on");
    el_rig_strange_word(g, DATA, 9, 15, 0);
    el_rig_finish(g);
    cr_expect_eq(el_rig_statistic(g, "tx_aborts_watchdog"), 1);
    cr_expect_eq(rig_word(g->rig, RESULTS), 9);
    el_rig_destroy(g);
}
