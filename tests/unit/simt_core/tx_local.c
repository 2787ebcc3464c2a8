/* SPDX-License-Identifier: MIT */
/* Transactions on the scratchpad in a core: what threads see, what is counted, and how long it takes (Villegas et al.). */
#include "tx_local_rig.h"

#include <criterion/criterion.h>
#include <string.h>

#define WORDS_MAX 64u

/* ---- What threads see ------------------------------------------------------------------------------------------------------ */

/* All threads of all warps count in one word, which the first one puts into memory. */
static void expect_count(const char *const *parameters, uint32_t threads)
{
    const uint32_t words[] = {PROLOGUE,      begin_tx(2), COUNT(8), commit_tx(), bar_sync(0), lw(T2, 8, A1),
                              sw(T2, 0, A0), ret(),       0};
    core_rig *rig = tx_local_run(parameters, words, threads);
    cr_expect_eq(rig_word(rig, DATA), threads, "%u", rig_word(rig, DATA));
    cr_expect_eq(tx_local_statistic(rig, "tx_commits"), threads);
    cr_expect_eq(tx_local_statistic(rig, "tx_attempts"), threads + tx_local_statistic(rig, "tx_aborts"));
    const uint64_t conflicts =
        tx_local_statistic(rig, "tx_aborts_read_read") + tx_local_statistic(rig, "tx_aborts_read_after_write") +
        tx_local_statistic(rig, "tx_aborts_write_after_read") + tx_local_statistic(rig, "tx_aborts_write_after_write");
    cr_expect_eq(tx_local_statistic(rig, "tx_aborts"), conflicts + tx_local_statistic(rig, "tx_aborts_gave_way"));
    cr_expect_eq(tx_local_statistic(rig, "tx_bank_conflicts_2"), conflicts, "all of them in the bank of word 2");
    cr_expect_gt(conflicts, threads / 2);
    rig_destroy(rig);
}

Test(tx_local, all_threads_count_in_one_word)
{
    static const char *const lists[][4] = {{"tx.local.detection=dcd"},
                                           {"tx.local.detection=smdcd"},
                                           {"tx.local.shared_release=sticky"},
                                           {"tx.local.shared_release=precise"},
                                           {"tx.local.in_warp=false"},
                                           {"tx.local.select=rotate", "tx.local.equal_masks=1"},
                                           {"tx.local.commit_cycles=0 cycles", "tx.local.restore=ideal"},
                                           {"tx.local.layout=flat", "tx.local.strict_parallel=false"},
                                           {"tx.concurrency=2"},
                                           {"tx.concurrency=2", "tx.token_hold=false"},
                                           {"tx.back_off.base=64 cycles"},
                                           {"lanes=64"}};
    for (uint32_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        expect_count(lists[i], 32);
        expect_count(lists[i], 100);
        expect_count(lists[i], 256);
    }
}

/* Warp 0's lanes read word 0 and write their own; lane 1 of four meets another once, and begins again, with the registers and the
 * stack that it had (Fig. 3 of the paper). */
Test(tx_local, a_lane_that_loses_begins_again_by_itself)
{
    const uint32_t words[] = {PROLOGUE,          csrr(A2, THREAD), slli(A2, A2, 2), add(A3, A1, A2),
                              addi(T2, ZERO, 5), sw(T2, -4, SP),   begin_tx(2),     csrr(T1, ATTEMPT),
                              addi(T2, T2, 7),   sw(T2, -4, SP),   bne(S0, T0, 12), bne(T1, T0, 8),
                              lw(T1, 0, A1), /* lane 1 in its first attempt */
                              sw(T2, 0, A3),     commit_tx(),      lw(T1, -4, SP),  add(T1, T1, T2),
                              add(A4, A0, A2),   sw(T1, 0, A4),    ret(),           0};
    static const char *const strict[] = {"tx.local.detection=dcd", NULL};
    core_rig *rig = tx_local_run(strict, words, 4);
    for (uint32_t lane = 0; lane < 4; lane++)
        cr_expect_eq(rig_word(rig, DATA + 4 * lane), 24, "lane %u: %u", lane, rig_word(rig, DATA + 4 * lane));
    cr_expect_eq(tx_local_statistic(rig, "tx_aborts"), 1);
    cr_expect_eq(tx_local_statistic(rig, "tx_commits"), 4);
    cr_expect_eq(tx_local_statistic(rig, "tx_retries"), 1);
    cr_expect_eq(tx_local_statistic(rig, "tx_attempts"), 5);
    rig_destroy(rig);
}

/* A lane that loses takes nothing but its own words back, bytes included. */
Test(tx_local, bytes_that_were_stored_are_taken_back)
{
    const uint32_t words[] = {PROLOGUE,
                              lui(T2, 0x11223000),
                              sw(T2, 4, A1),
                              begin_tx(2),
                              csrr(T1, ATTEMPT),
                              sb(T0, 5, A1),
                              sh(T0, 6, A1),
                              sb(T0, 9, A1),
                              bne(T1, T0, 8),
                              abort_tx(1),
                              lw(A2, 4, A1),
                              lb(A3, 9, A1),
                              sb(A3, 4, A1),
                              commit_tx(),
                              lw(A4, 4, A1),
                              sw(A2, 0, A0),
                              sw(A4, 4, A0),
                              ret(),
                              0};
    core_rig *rig = tx_local_run(NULL, words, 1);
    cr_expect_eq(rig_word(rig, DATA), 0x00010100, "0x%x", rig_word(rig, DATA));
    cr_expect_eq(rig_word(rig, DATA + 4), 0x00010101, "0x%x", rig_word(rig, DATA + 4));
    cr_expect_eq(tx_local_statistic(rig, "tx_aborts_program"), 1);
    cr_expect_eq(tx_local_statistic(rig, "tx_restore_cycles"), 2, "two words, in two banks");
    rig_destroy(rig);
}

/* Global memory may be read, and is no part of it. */
Test(tx_local, global_memory_may_be_read)
{
    const uint32_t words[] = {
        PROLOGUE, begin_tx(2), lw(T1, 8, A0), sw(T1, 0, A1), commit_tx(), lw(T2, 0, A1), sw(T2, 0, A0), ret(), 0};
    core_rig *rig = tx_local_create(NULL, words);
    rig_set_word(rig, DATA + 8, 77);
    tx_local_launch(rig, 1, 64);
    rig_finish(rig);
    cr_expect_eq(rig_word(rig, DATA), 77);
    cr_expect_eq(tx_local_statistic(rig, "tx_scratchpad_accesses"), 1);
    cr_expect_eq(tx_local_statistic(rig, "tx_requests"), 0);
    rig_destroy(rig);
}

/* Each lane reads the word that its neighbour writes: whoever is second loses, and all are served. */
Test(tx_local, two_warps_that_meet_are_serialised)
{
    const uint32_t words[] = {PROLOGUE,
                              csrr(A2, WARP),
                              slli(A2, A2, 2),
                              add(A3, A1, A2),
                              addi(A4, ZERO, 4),
                              sub(A4, A4, A2),
                              add(A4, A1, A4),
                              begin_tx(2),
                              lw(T1, 0, A3),
                              addi(T1, T1, 1),
                              sw(T1, 0, A3),
                              lw(T2, 0, A4),
                              add(T2, T2, T1),
                              sw(T2, 0, A4),
                              commit_tx(),
                              ret(),
                              0};
    core_rig *rig = tx_local_run(NULL, words, 64);
    cr_expect_eq(tx_local_statistic(rig, "tx_commits"), 64);
    cr_expect_gt(tx_local_statistic(rig, "tx_serial_attempts"), 0);
    cr_expect_gt(tx_local_statistic(rig, "tx_alone_attempts"), 0);
    cr_expect_eq(tx_local_statistic(rig, "tx_alone_commits"), tx_local_statistic(rig, "tx_alone_attempts"),
                 "who is alone commits");
    cr_expect_gt(tx_local_statistic(rig, "tx_block_wait_cycles"), 0);
    cr_expect_gt(tx_local_statistic(rig, "tx_aborts_gave_way"), 0);
    cr_expect_leq(tx_local_statistic(rig, "tx_serial_commits"), tx_local_statistic(rig, "tx_serial_attempts"));
    rig_destroy(rig);
}

/* ---- How long it takes ------------------------------------------------------------------------------------------------------- */

/* Cycles that a run takes longer if each access of a bank takes 10 more. */
static uint64_t bank_accesses(const char *detection, const uint32_t *words, uint32_t threads)
{
    uint64_t cycles[2];
    for (uint32_t slow = 0; slow < 2; slow++) {
        const char *const parameters[] = {
            detection, slow ? "tx.local.bank_cycles=11 cycles" : "tx.local.bank_cycles=1 cycle", NULL};
        core_rig *rig = tx_local_create(parameters, words);
        tx_local_launch(rig, threads, 1024);
        cycles[slow] = rig_finish(rig);
        rig_destroy(rig);
    }
    cr_expect_eq((cycles[1] - cycles[0]) % 10, 0);
    return (cycles[1] - cycles[0]) / 10;
}

#define LOAD lw(T1, 0, A1), add(T1, T1, T1)
#define STORE sw(T0, 0, A1)

Test(tx_local, accesses_of_banks_are_those_of_the_tables)
{
    const uint32_t load[] = {PROLOGUE, begin_tx(2), LOAD, commit_tx(), ret(), 0};
    const uint32_t loads[] = {PROLOGUE, begin_tx(2), LOAD, LOAD, commit_tx(), ret(), 0};
    const uint32_t store[] = {PROLOGUE, begin_tx(2), STORE, commit_tx(), ret(), 0};
    const uint32_t stores[] = {PROLOGUE, begin_tx(2), STORE, STORE, commit_tx(), ret(), 0};
    const uint32_t both[] = {PROLOGUE, begin_tx(2), LOAD, STORE, commit_tx(), ret(), 0};
    static const char dcd[] = "tx.local.detection=dcd", smdcd[] = "tx.local.detection=smdcd";
    cr_expect_eq(bank_accesses(dcd, load, 1), 3);
    cr_expect_eq(bank_accesses(smdcd, load, 1), 2);
    cr_expect_eq(bank_accesses(dcd, loads, 1), 3 + 2);
    cr_expect_eq(bank_accesses(smdcd, loads, 1), 2 + 2);
    cr_expect_eq(bank_accesses(dcd, store, 1), 4);
    cr_expect_eq(bank_accesses(smdcd, store, 1), 4);
    cr_expect_eq(bank_accesses(smdcd, stores, 1), 4 + 2);
    cr_expect_eq(bank_accesses(dcd, both, 1), 3 + 2);
    cr_expect_eq(bank_accesses(smdcd, both, 1), 2 + 4);
    cr_expect_eq(bank_accesses(smdcd, load, 4), 2 + 3 + 2 + 2, "a lane at a time; the second one writes the map");
}

static uint64_t cycles_of(const char *parameter, const uint32_t *words, uint32_t threads)
{
    const char *const parameters[] = {parameter, NULL};
    core_rig *rig = tx_local_create(parameters, words);
    tx_local_launch(rig, threads, 1024);
    const uint64_t cycles = rig_finish(rig);
    rig_destroy(rig);
    return cycles;
}

Test(tx_local, instructions_and_states_take_their_time)
{
    const uint32_t load[] = {PROLOGUE, begin_tx(2), LOAD, commit_tx(), ret(), 0};
    const uint64_t plain = cycles_of("tx.local.state_cycles=0 cycles", load, 1);
    cr_expect_eq(cycles_of("tx.local.state_cycles=7 cycles", load, 1), plain + 7);
    cr_expect_eq(cycles_of("tx.local.state_cycles=7 cycles", load, 3),
                 cycles_of("tx.local.state_cycles=0 cycles", load, 3) + 21);
    cr_expect_eq(cycles_of("tx.local.commit_cycles=21 cycles", load, 1),
                 cycles_of("tx.local.commit_cycles=1 cycle", load, 1) + 20);
    cr_expect_eq(cycles_of("tx.checkpoint=20 cycles", load, 1), cycles_of("tx.checkpoint=10 cycles", load, 1) + 10);
    cr_expect_eq(cycles_of("scratchpad.latency=13 cycles", load, 1),
                 cycles_of("scratchpad.latency=3 cycles", load, 1) + 10);
}

/* Outside of transactions the scratchpad is what it is with a protocol that has nothing to do with it. */
Test(tx_local, plain_accesses_cost_what_they_do_without)
{
    const uint32_t words[] = {PROLOGUE,      slli(A2, S0, 3), add(A2, A1, A2), sw(S0, 0, A2),
                              lw(T1, 0, A2), add(T1, T1, T1), sw(T1, 4, A2),   bar_sync(0),
                              lw(T2, 4, A1), add(T2, T2, T2), ret(),           0};
    cr_expect_eq(cycles_of("tx=getm", words, 100), cycles_of("tx=local", words, 100));
}

Test(tx_local, cycles_are_split_by_what_they_are_for)
{
    const uint32_t words[] = {PROLOGUE,       begin_tx(2), csrr(T1, ATTEMPT), COUNT(0), csrr(T1, ATTEMPT),
                              bne(T1, T0, 8), abort_tx(1), commit_tx(),       ret(),    0};
    static const char *const parameters[] = {"tx.checkpoint=5 cycles", NULL};
    core_rig *rig = tx_local_run(parameters, words, 1);
    cr_expect_eq(tx_local_statistic(rig, "tx_data_cycles"), 2 * 2);
    cr_expect_eq(tx_local_statistic(rig, "tx_detection_cycles"), 2 * (2 + 4) + 2 * 2 - 2 * 2,
                 "states too, and without the data");
    cr_expect_eq(tx_local_statistic(rig, "tx_restore_cycles"), 2);
    cr_expect_eq(tx_local_statistic(rig, "tx_begin_cycles"), 5);
    cr_expect_eq(tx_local_statistic(rig, "tx_scratchpad_accesses"), 4);
    rig_destroy(rig);
}

/* Of commits alone: loads of what the lane has not written, and words that it has. */
Test(tx_local, words_are_counted_by_lane)
{
    const uint32_t words[] = {PROLOGUE,       csrr(A2, THREAD), slli(A2, A2, 3),   add(A3, A1, A2), begin_tx(2),
                              lw(T1, 0, A3),  lw(T1, 0, A3),    sb(T0, 0, A3),     sb(T0, 1, A3),   lw(T1, 0, A3),
                              sw(T0, 4, A3),  lw(T1, 4, A3),    csrr(T1, ATTEMPT), bne(T1, T0, 8),  abort_tx(1),
                              bne(S0, T0, 8), sw(T0, 512, A3),  commit_tx(),       ret(),           0};
    core_rig *rig = tx_local_run(NULL, words, 40);
    cr_expect_eq(tx_local_statistic(rig, "tx_read_words"), 2 * 40);
    cr_expect_eq(tx_local_statistic(rig, "tx_write_words"), 2 * 40 + 2, "lane 1 of each warp stores to one more");
    cr_expect_eq(tx_local_statistic(rig, "tx_maximum_read_words"), 2);
    cr_expect_eq(tx_local_statistic(rig, "tx_maximum_write_words"), 3);
    rig_destroy(rig);
}

/* What lanes had stored is put back before they begin again: 2 accesses of its bank for each word. */
Test(tx_local, a_retry_waits_for_its_words)
{
    uint64_t cycles[3];
    static const char *const restores[] = {"tx.local.restore=ideal", "tx.local.restore=owned_words",
                                           "tx.local.restore=scan"};
    const uint32_t words[] = {PROLOGUE,
                              begin_tx(2),
                              sw(T0, 0, A1),
                              sw(T0, 128, A1),
                              sw(T0, 256, A1),
                              sw(T0, 4, A1),
                              lw(T2, 0, A1),
                              add(T2, T2, T2),
                              csrr(T1, ATTEMPT),
                              bne(T1, T0, 8),
                              abort_tx(1),
                              commit_tx(),
                              ret(),
                              0};
    for (uint32_t i = 0; i < 3; i++)
        cycles[i] = cycles_of(restores[i], words, 1);
    /* Two cycles of the wait are those of any retry. */
    cr_expect_eq(cycles[1], cycles[0] + 2 * 3 - 2, "%lu, %lu, %lu", cycles[0], cycles[2], cycles[1] - cycles[0]);
    cr_expect_eq(cycles[2], cycles[1] + 2, "8 rows have two rows of owners: %lu", cycles[2] - cycles[1]);
}

/* Lane 0 has many words in one bank, and gives up; soon after that, or before, lane 1 gives up with one. The warp waits for all of
 * them. branches_away: lane 0 does, and not lane 1. */
#define LIGHT sw(T0, 4, A1), lw(T2, 4, A1), add(T2, T2, T2) /* it is there before the lane gives up */
static uint64_t cycles_of_two(const char *restore, uint32_t stores, uint32_t branches_away)
{
    uint32_t words[WORDS_MAX] = {PROLOGUE, begin_tx(2), csrr(T1, ATTEMPT), bne(S0, ZERO, 4 + 4 * (int32_t)stores)};
    uint32_t *at = words + 7;
    for (uint32_t i = 0; i < stores; i++)
        *at++ = sw(T0, 16 * (int32_t)i, A1);
    const uint32_t rest[][10] = {
        {bne(T1, T0, 28), bne(S0, ZERO, 8), abort_tx(1), LIGHT, abort_tx(1), commit_tx(), ret(), 0},
        {bne(T1, T0, 28), beq(S0, ZERO, 20), LIGHT, abort_tx(1), abort_tx(1), commit_tx(), ret(), 0}};
    memcpy(at, rest[branches_away], sizeof *rest);
    const char *const parameters[] = {restore, "scratchpad.banks=4", NULL};
    core_rig *rig = tx_local_run(parameters, words, 2);
    cr_expect_eq(tx_local_statistic(rig, "tx_aborts_program"), 2);
    const uint64_t cycles = rig_ended(rig);
    rig_destroy(rig);
    return cycles;
}

Test(tx_local, a_retry_waits_for_the_words_of_all_lanes)
{
    for (uint32_t away = 0; away < 2; away++) {
        const uint64_t few = cycles_of_two("tx.local.restore=owned_words", 20, away);
        const uint64_t many = cycles_of_two("tx.local.restore=owned_words", 40, away);
        const uint64_t all_in_no_time =
            cycles_of_two("tx.local.restore=ideal", 40, away) - cycles_of_two("tx.local.restore=ideal", 20, away);
        cr_expect_eq(many - few, all_in_no_time + 2 * 20, "%lu and %lu", many - few, all_in_no_time);
    }
}

/* Logs are of global memory: none is needed. */
Test(tx_local, needs_no_room_for_logs)
{
    expect_count((const char *[]){"tx.log_bytes=64 KiB", NULL}, 256);
}

/* A bank has a statistic with the one 32 before it. */
Test(tx_local, conflicts_of_many_banks_are_counted)
{
    const uint32_t words[] = {PROLOGUE, begin_tx(2), COUNT(160), commit_tx(), ret(), 0};
    static const char *const banks[] = {"scratchpad.banks=64", NULL};
    core_rig *rig = tx_local_run(banks, words, 2);
    cr_expect_gt(tx_local_statistic(rig, "tx_aborts"), 0);
    cr_expect_eq(tx_local_statistic(rig, "tx_bank_conflicts_8"), tx_local_statistic(rig, "tx_aborts"));
    rig_destroy(rig);
}

/* ---- Room ------------------------------------------------------------------------------------------------------------------ */

static uint64_t most_blocks(const char *parameter, const uint32_t *words, uint32_t bytes)
{
    const char *const parameters[] = {parameter, "scratchpad.bytes=16 KiB", NULL};
    core_rig *rig = tx_local_create(parameters, words);
    for (uint32_t i = 0; i < 4; i++)
        tx_local_launch(rig, 32, bytes);
    rig_finish(rig);
    const uint64_t most = tx_local_statistic(rig, "maximum_blocks");
    rig_destroy(rig);
    return most;
}

Test(tx_local, shadow_memory_takes_room)
{
    const uint32_t transactional[] = {PROLOGUE, begin_tx(2), COUNT(0), commit_tx(), ret(), 0};
    const uint32_t plain[] = {PROLOGUE, COUNT(0), ret(), 0};
    cr_expect_eq(most_blocks("tx=none", plain, 4096), 4);
    cr_expect_eq(most_blocks("tx=local", plain, 4096), 4, "nothing, where there are no transactions");
    cr_expect_eq(most_blocks("tx=local", transactional, 4096), 1, "72 rows of 128");
    cr_expect_eq(most_blocks("tx=local", transactional, 28 * 128 - 4), 2, "28 rows of data take 63");
    cr_expect_eq(most_blocks("tx=local", transactional, 28 * 128 + 4), 1, "29 rows of data take 66");
}

/* The scheduler is told what they take. */
static uint32_t registers_of(const char *checkpoint)
{
    const uint32_t words[] = {ret(), 0};
    core_rig *rig = tx_local_create((const char *[]){checkpoint, NULL}, words);
    hd_packet *packet = kit_receive(rig_kit(rig), EVENT, 0, kit_edge(rig_kit(rig), 10));
    const uint32_t registers = ((const hd_core_capacity *)hd_body(packet))->registers_per_thread;
    kit_free(rig_kit(rig), packet);
    rig_destroy(rig);
    return registers;
}

Test(tx_local, shadow_registers_are_announced)
{
    cr_expect_eq(registers_of("tx.local.checkpoint=shadow"), 2 * registers_of("tx.local.checkpoint=ideal"));
}

Test(tx_local, shadow_memory_is_announced)
{
    static const char *const banks[] = {"scratchpad.banks=16", NULL};
    const uint32_t words[] = {ret(), 0};
    core_rig *rig = tx_local_create(banks, words);
    hd_packet *packet = kit_receive(rig_kit(rig), EVENT, 0, kit_edge(rig_kit(rig), 10));
    cr_assert_not_null(packet);
    const hd_core_capacity *capacity = hd_body(packet);
    cr_expect_eq(capacity->scratchpad_rows.bytes, 64);
    cr_expect_eq(capacity->scratchpad_rows.backups, 1);
    cr_expect_eq(capacity->scratchpad_rows.owned, 4);
    kit_free(rig_kit(rig), packet);
    rig_destroy(rig);
}

/* Blocks side by side have their own words, owners and turns. */
Test(tx_local, blocks_do_not_meet)
{
    const uint32_t words[] = {PROLOGUE,        begin_tx(2),     COUNT(120),      commit_tx(),
                              bar_sync(0),     csrr(A2, 0xCC3), slli(A2, A2, 2), add(A0, A0, A2),
                              lw(T2, 120, A1), sw(T2, 0, A0),   ret(),           0};
    core_rig *rig = tx_local_create(NULL, words);
    for (uint32_t i = 0; i < 4; i++)
        rig_launch_grid(
            rig,
            &(hd_grid){.grid_size = {4, 1, 1}, .block_size = {64, 1, 1}, .scratchpad_bytes = 124, .private_bytes = 256},
            (uint32_t[]){i, 0, 0}, 0);
    rig_finish(rig);
    cr_expect_eq(tx_local_statistic(rig, "maximum_blocks"), 4);
    for (uint32_t i = 0; i < 4; i++)
        cr_expect_eq(rig_word(rig, DATA + 4 * i), 64);
    rig_destroy(rig);
}

/* ---- Mistakes -------------------------------------------------------------------------------------------------------------- */

static void expect_fault(const char *const *parameters, const uint32_t *words, uint32_t threads, uint32_t bytes,
                         const char *text)
{
    core_rig *rig = tx_local_create(parameters, words);
    kit_expect_fault(rig_kit(rig));
    tx_local_launch(rig, threads, bytes);
    rig_finish(rig);
    const char *fault = kit_fault_text(rig_kit(rig));
    cr_expect(fault && strstr(fault, text), "%s: %s", text, fault);
    rig_destroy(rig);
}

Test(tx_local, mistakes_are_said)
{
    const uint32_t count[] = {PROLOGUE, begin_tx(2), COUNT(0), commit_tx(), ret(), 0};
    const uint32_t barrier[] = {PROLOGUE, begin_tx(2), bar_sync(0), commit_tx(), ret(), 0};
    const uint32_t atomic[] = {PROLOGUE, begin_tx(2), amoadd(T1, T0, A1), commit_tx(), ret(), 0};
    const uint32_t store[] = {PROLOGUE, begin_tx(2), sw(T0, 0, A0), commit_tx(), ret(), 0};
    const uint32_t first[] = {PROLOGUE, lui(A2, HD_GLOBAL_BASE), begin_tx(2), sw(T0, 0, A2), commit_tx(), ret(), 0};
    const uint32_t global[] = {PROLOGUE, begin_tx(1), commit_tx(), ret(), 0};
    const uint32_t for_ever[] = {PROLOGUE, begin_tx(2), sw(T0, 0, A1), abort_tx(0), commit_tx(), ret(), 0};
    static const char *const wide[] = {"lanes=64", NULL}, *const narrow[] = {"lanes=16", "warps=16", NULL};
    static const char *const many[] = {"warps=16", NULL}, *const impatient[] = {"tx.local.patience=3", NULL};
    expect_fault(NULL, barrier, 32, 64, "a barrier in a transaction");
    expect_fault(NULL, atomic, 32, 64, "an atomic operation in a transaction");
    expect_fault(NULL, store, 32, 64, "a store to global memory in a transaction on the scratchpad");
    expect_fault(NULL, first, 32, 64, "a store to global memory in a transaction on the scratchpad");
    expect_fault(NULL, global, 32, 64, "this machine has transactions on the scratchpad only");
    expect_fault(NULL, count, 32, 8192,
                 "a block's 8192 B of scratchpad take 18432 B with what its transactions keep of them");
    expect_fault(many, count, 257, 64, "in a block of more than 256 threads, or 8 warps");
    expect_fault(wide, count, 257, 64, "in a block of more than 256 threads, or 8 warps");
    expect_fault(narrow, count, 129, 64, "in a block of more than 256 threads, or 8 warps");
    expect_fault(impatient, for_ever, 2, 64,
                 "a transaction that aborts for ever: alone in its block, it has given up 3 times");
}
