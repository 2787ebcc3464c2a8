/* SPDX-License-Identifier: MIT */
/* Thread blocks stop wherever they are, leave nothing in flight, and are in nobody's way. */
#include "core_pair.h"

#include <criterion/criterion.h>

static const char *const standard[] = {NULL};
static const char *const mimd[] = {"reconvergence=mimd", NULL};

/* Stores and loads, private and global, for some thousand cycles. */
#define BUSY                                                                                                           \
    {                                                                                                                  \
        lui(A3, DATA), csrr(T0, 0xCC0), slli(T0, T0, 2), add(A3, A3, T0), addi(T1, ZERO, 200), sw(T1, -4, SP),         \
            lw(T2, 0, A3), add(T2, T2, T1), sw(T2, 0, A3), addi(T1, T1, -1), bne(T1, ZERO, -20), ret(), 0              \
    }

/* Warp 0 waits, at barrier 5 or in warp.sync (its upper lanes), for those that take longer. */
static void move_waiting(const char *const *parameters, uint32_t wait, uint32_t csr, uint32_t limit)
{
    const uint32_t words[] = {csrr(T0, csr),
                              addi(T2, ZERO, (int32_t)limit),
                              blt(T0, T2, 16),
                              DELAY(400),
                              wait,
                              csrr(A0, 0xCC0),
                              slli(A0, A0, 2),
                              lui(A3, DATA),
                              add(A3, A3, A0),
                              addi(A0, A0, 1),
                              sw(A0, 0, A3),
                              ret(),
                              0};
    core_pair *pair = pair_create(parameters, parameters, words);
    pair_launch(pair, 0, 64, 0);
    pair_run(pair, 300);
    for (uint32_t moves = 0; moves < 6; moves++) {
        cr_assert(pair_move(pair, moves % 2, 0));
        pair_run(pair, 50);
    }
    pair_finish(pair, 1);
    for (uint32_t thread = 0; thread < 64; thread++)
        cr_expect_eq(rig_word(pair->rig[0], DATA + 4 * thread), 4 * thread + 1);
    cr_expect_eq(pair_statistic(pair, "barriers_released"), wait == warp_sync() ? 2 : 1);
    pair_destroy(pair);
}

Test(simt_core, a_block_moves_while_some_of_its_threads_wait_for_others)
{
    move_waiting(standard, bar_sync(5), 0xCCD, 1);
    move_waiting(mimd, bar_sync(15), 0xCCC, 10);
    move_waiting(mimd, warp_sync(), 0xCCC, 10);
}

/* With a barrier latency of 400 cycles the block is stopped between the last arrival and the release. */
Test(simt_core, a_release_that_is_due_comes_before_the_block_has_stopped)
{
    static const char *const slow[] = {"barrier.latency=400 cycles", NULL};
    const uint32_t barrier[] = {bar_sync(0), lui(A3, DATA), sw(A3, 0, A3), ret(), 0};
    const uint32_t sync[] = {warp_sync(), lui(A3, DATA), sw(A3, 0, A3), ret(), 0};
    for (uint32_t i = 0; i < 2; i++) {
        core_pair *pair = pair_create(slow, slow, i ? sync : barrier);
        pair_launch(pair, 0, 64, 0);
        pair_run(pair, 200);
        cr_assert(pair_rest(pair, 0, 0));
        cr_expect_gt(pair_now(pair), kit_edge(rig_kit(pair->rig[0]), 400));
        cr_expect_eq(pair_statistic(pair, "barriers_released"), i ? 2 : 1);
        pair_save(pair, 0, 0);
        pair_release(pair, 0, 0);
        cr_assert(pair_restore(pair, 1));
        pair_resume(pair, 1, 0);
        pair_finish(pair, 1);
        cr_expect_eq(rig_word(pair->rig[0], DATA), DATA);
        pair_destroy(pair);
    }
}

Test(simt_core, loads_stores_and_atomics_in_flight_are_awaited)
{
    const uint32_t access[] = {lw(T0, 0, A3), sw(A3, 64, A3), amoadd(T0, A3, A3), amoadd(ZERO, A3, A3),
                               lw(ZERO, 0, A3)};
    for (size_t i = 0; i < sizeof access / sizeof *access; i++) {
        const uint32_t words[] = {lui(A3, DATA), access[i], sw(T0, 4, A3), jal(ZERO, 0), ret(), 0};
        core_pair *pair = pair_create(standard, standard, words);
        rig_memory_delay(pair->rig[0], 500);
        rig_set_word(pair->rig[0], DATA, 77);
        pair_launch(pair, 0, 1, 0);
        pair_run(pair, 60);
        pair_stop(pair, 0, 0);
        pair_run(pair, 400);
        cr_expect_eq(pair_state(pair, 0, 0), HD_CONTEXT_STOPPING, "access %lu", i);
        pair_run(pair, 700);
        cr_expect_eq(pair_state(pair, 0, 0), HD_CONTEXT_STOPPED, "access %lu", i);
        pair_save(pair, 0, 0);
        pair_release(pair, 0, 0);
        cr_assert(pair_restore(pair, 1));
        pair_resume(pair, 1, 0);
        pair_run(pair, 200);
        cr_expect_eq(rig_word(pair->rig[0], DATA + 4), i % 2 ? 0 : i < 3 ? 77 : 0, "access %lu", i);
        pair_destroy(pair);
    }
}

Test(simt_core, results_that_nobody_wants_are_awaited_too)
{
    const uint32_t words[] = {divu(ZERO, T1, T2), jal(ZERO, 0), ret(), 0};
    core_pair *pair = pair_create(standard, standard, words);
    pair_launch(pair, 0, 32, 0);
    while (!pair_statistic(pair, "warp_instructions"))
        pair_run(pair, 1);
    pair_stop(pair, 0, 0);
    pair_run(pair, 140);
    cr_expect_eq(pair_state(pair, 0, 0), HD_CONTEXT_STOPPING);
    pair_run(pair, 20);
    cr_expect_eq(pair_state(pair, 0, 0), HD_CONTEXT_STOPPED);
    pair_destroy(pair);
}

Test(simt_core, from_the_stop_on_no_instruction_issues)
{
    static const char *const fetching[] = {"fetch.latency=9 cycles", "instruction_cache.bytes=128 B",
                                           "instruction_cache.ways=1", NULL};
    const uint32_t busy[] = BUSY;
    core_pair *pair = pair_create(fetching, fetching, busy);
    pair_launch(pair, 0, 128, 0);
    pair_run(pair, 60);
    for (uint32_t stops = 0; stops < 40; stops++) {
        const uint64_t issued = pair_statistic(pair, "warp_instructions");
        cr_assert(pair_rest(pair, 0, 0));
        cr_expect_eq(pair_statistic(pair, "warp_instructions"), issued, "stop %u", stops);
        pair_resume(pair, 0, 0);
        pair_run(pair, 5 + stops);
    }
    pair_finish(pair, 1);
    pair_destroy(pair);
}

/* The load takes 500 cycles, of which the core works on none; it is asked for its statistics at the end. */
Test(simt_core, cycles_before_the_stop_count_as_what_they_were)
{
    const uint32_t words[] = {lui(A3, DATA), lw(T0, 0, A3), add(T0, T0, T0), jal(ZERO, 0), ret(), 0};
    core_pair *pair = pair_create(standard, standard, words);
    rig_memory_delay(pair->rig[0], 500);
    pair_launch(pair, 0, 1, 0);
    kit_run_until(rig_kit(pair->rig[0]), kit_edge(rig_kit(pair->rig[0]), 300));
    kit_run_until(rig_kit(pair->rig[1]), kit_edge(rig_kit(pair->rig[1]), 300));
    pair_stop(pair, 0, 0);
    pair_run(pair, 700);
    cr_expect_gt(pair_statistic(pair, "slots_memory_data"), 200);
    cr_expect_lt(pair_statistic(pair, "slots_memory_data"), 300);
    cr_expect_eq(pair_state(pair, 0, 0), HD_CONTEXT_STOPPED);
    pair_destroy(pair);
}

/* Nothing is sent before the core has promised that something may be, unless somebody spoke to it in between. */
Test(simt_core, promises_hold_while_blocks_stop)
{
    const uint32_t words[] = {
        addi(T0, ZERO, 900), sw(T0, -4, SP), mul(T2, T0, T0), addi(T0, T0, -1), bne(T0, ZERO, -12), ret(), 0};
    core_pair *pair = pair_create(standard, standard, words);
    kit_block *kit = rig_kit(pair->rig[0]);
    uint32_t known = 0;
    hd_time promised = 0;
    pair_launch(pair, 0, 64, 0);
    for (uint32_t cycle = 0; cycle < 4000; cycle++) {
        const hd_time now_promised = hd_simt_core_timed.promise(kit_instance(kit), pair_now(pair));
        promised = now_promised > promised ? now_promised : promised;
        pair_run(pair, 1);
        uint32_t count;
        const kit_event *sent = kit_trace(kit, &count);
        for (; known < count; known++, promised = 0)
            cr_expect_geq(sent[known].t, promised, "cycle %u", cycle);
        if (pair_state(pair, 0, 0) == HD_CONTEXT_RUNNING && cycle % 97 == 60)
            pair_stop(pair, 0, 0), promised = 0;
        else if (pair_state(pair, 0, 0) == HD_CONTEXT_STOPPED && cycle % 5 == 0)
            pair_resume(pair, 0, 0), promised = 0;
    }
    cr_expect_gt(kit_statistic(kit, "l1_write_backs"), 10);
    pair_destroy(pair);
}

/* Block 0 spins, spilling as it goes, until block 1 has counted down. */
Test(simt_core, blocks_move_while_they_spin_on_each_other)
{
    const uint32_t words[] = {lui(A3, DATA), csrr(T0, 0xCCD), sw(T0, -4, SP), csrr(A1, 0xCC6), addi(A1, A1, -32),
                              beq(A1, ZERO, 24),
                              /* the spinning one */
                              lw(T2, 0, A3), sw(T2, -8, SP), beq(T2, ZERO, -8), amoadd(ZERO, T2, A3), ret(),
                              /* the other */
                              DELAY(600), addi(T2, ZERO, 5), sw(T2, 0, A3), ret(), 0};
    core_pair *pair = pair_create(standard, standard, words);
    pair_launch(pair, 0, 64, 0);
    pair_launch(pair, 0, 32, 0);
    pair_run(pair, 100);
    for (uint32_t moves = 0; moves < 12; moves++) {
        const uint64_t tag = moves / 2 % 2;
        cr_assert(pair_move(pair, pair_holder(pair, tag), tag));
        pair_run(pair, 37 * moves);
    }
    pair_finish(pair, 2);
    cr_expect_geq(rig_word(pair->rig[0], DATA), 5 + 64 * 5, "%u", rig_word(pair->rig[0], DATA));
    pair_destroy(pair);
}

Test(simt_core, a_stopped_block_does_nothing_and_holds_nobody_up)
{
    const uint32_t busy[] = BUSY;
    core_pair *alone = pair_create(standard, standard, busy), *both = pair_create(standard, standard, busy);
    pair_launch(alone, 0, 128, 0);
    pair_finish(alone, 1);
    pair_launch(both, 0, 128, 0);
    pair_launch(both, 0, 128, 0);
    pair_run(both, 50);
    cr_assert(pair_rest(both, 0, 1));
    const uint64_t stopped_at = pair_now(both) / kit_edge(rig_kit(both->rig[0]), 1);
    while (!rig_done(both->rig[0]))
        pair_run(both, 10);
    cr_expect_lt(rig_ended(both->rig[0]), rig_ended(alone->rig[0]) + stopped_at, "%lu cycles, alone %lu",
                 rig_ended(both->rig[0]), rig_ended(alone->rig[0]));
    const uint64_t instructions = pair_statistic(both, "thread_instructions");
    const uint64_t idle = pair_statistic(both, "slots_idle");
    pair_run(both, 1000);
    cr_expect_eq(pair_statistic(both, "thread_instructions"), instructions);
    cr_expect_eq(pair_statistic(both, "slots_idle"), idle + 2 * 1000, "two issue ports with nothing to do");
    cr_expect_eq(kit_next(rig_kit(both->rig[0])), HD_NEVER, "and the core sleeps");
    pair_resume(both, 0, 1);
    pair_finish(both, 2);
    cr_expect_eq(pair_statistic(both, "warp_instructions"), 2 * pair_statistic(alone, "warp_instructions"));
    pair_destroy(alone);
    pair_destroy(both);
}

Test(simt_core, a_block_that_ends_while_it_stops_is_done_as_ever)
{
    const uint32_t words[] = {lui(A3, DATA), sw(A3, 0, A3), ret(), 0};
    core_pair *pair = pair_create(standard, standard, words);
    rig_memory_delay(pair->rig[0], 500);
    pair_launch(pair, 0, 32, 0);
    pair_run(pair, 100);
    cr_expect_not(pair_rest(pair, 0, 0));
    cr_expect_eq(pair_state(pair, 0, 0), HD_CONTEXT_ABSENT);
    pair_finish(pair, 1);
    pair_launch(pair, 0, 32, 0);
    pair_launch(pair, 1, 32, 0);
    pair_run(pair, 3);
    hd_time promised[2];
    for (uint32_t core = 0; core < 2; core++)
        promised[core] = hd_simt_core_timed.promise(kit_instance(rig_kit(pair->rig[core])), pair_now(pair));
    cr_expect_eq(promised[0], promised[1], "as a core where no block has stopped");
    pair_finish(pair, 3);
    pair_destroy(pair);
}

Test(simt_core, the_place_of_a_block_that_has_left_is_free)
{
    static const char *const one[] = {"blocks=1", NULL};
    const uint32_t busy[] = BUSY;
    core_pair *pair = pair_create(one, one, busy);
    pair_launch(pair, 0, 64, 0);
    pair_launch(pair, 0, 64, 0); /* waits in the core */
    pair_run(pair, 100);
    cr_expect_eq(pair_state(pair, 0, 1), HD_CONTEXT_ABSENT);
    cr_assert(pair_rest(pair, 0, 0));
    pair_save(pair, 0, 0);
    pair_run(pair, 100);
    pair_release(pair, 0, 0);
    pair_run(pair, 10);
    cr_expect_eq(pair_state(pair, 0, 1), HD_CONTEXT_RUNNING);
    cr_expect_eq(kit_statistic(rig_kit(pair->rig[0]), "launches_held"), 1);
    cr_expect_not(pair_restore(pair, 0));
    cr_expect_str_eq(pair->error, "block has no room for the saved thread block: 64 threads, 0 B of scratchpad");
    pair_finish(pair, 1);
    cr_expect(pair_restore(pair, 0), "%s", pair->error);
    pair_resume(pair, 0, 0);
    pair_finish(pair, 2);
    cr_expect_eq(pair_statistic(pair, "blocks_run"), 2);
    pair_destroy(pair);
}

Test(simt_core, stopping_waits_for_credits_of_the_network)
{
    const uint32_t busy[] = BUSY;
    core_pair *pair = pair_create(standard, standard, busy);
    kit_block *kit = rig_kit(pair->rig[0]);
    kit_hold_credits(kit, REQUEST, 0, 1);
    pair_launch(pair, 0, 128, 0);
    pair_run(pair, 300);
    pair_stop(pair, 0, 0);
    pair_run(pair, 500);
    cr_expect_eq(pair_state(pair, 0, 0), HD_CONTEXT_STOPPING);
    kit_release_credits(kit, REQUEST, 0, UINT32_MAX, pair_now(pair));
    kit_hold_credits(kit, REQUEST, 0, 0);
    pair_run(pair, 500);
    cr_expect_eq(pair_state(pair, 0, 0), HD_CONTEXT_STOPPED);
    pair_resume(pair, 0, 0);
    pair_finish(pair, 1);
    pair_destroy(pair);
}
