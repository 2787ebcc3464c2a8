/* SPDX-License-Identifier: MIT */
/* Thread blocks stop wherever they are, leave everything behind, and go on in another core as if nothing had been. */
#include "core_pair.h"

#include <criterion/criterion.h>

static const char *const standard[] = {NULL};
static const char *const mimd[] = {"reconvergence=mimd", NULL};

static void launch(core_pair *pair, uint32_t core, uint32_t threads, uint32_t scratchpad)
{
    hd_grid grid = {
        .grid_size = {16, 1, 1}, .block_size = {threads, 1, 1}, .scratchpad_bytes = scratchpad, .private_bytes = 128};
    rig_launch_grid(pair->rig[core], &grid, (uint32_t[]){0, 0, 0}, pair_now(pair));
}

/* t1 = rounds; a loop of two instructions that leaves other registers alone. */
#define DELAY(rounds) addi(T1, ZERO, rounds), addi(T1, T1, -1), bne(T1, ZERO, -4)

/* ---- What moves -------------------------------------------------------------------------------------------------- */

/* Every register but t0 and t1 gets a number of its own from its thread, then there is a delay, then all are stored. */
#define REGISTERS 64u
static void every_register(uint32_t *words)
{
    uint32_t n = 0;
    words[n++] = csrr(T0, 0xCC0);
    words[n++] = slli(T0, T0, 8);
    for (uint32_t f = 0; f < 32; f++) {
        words[n++] = addi(T1, T0, (int32_t)(32 + f));
        words[n++] = r_type(0x53, 0, 0x78, f, T1, 0); /* fmv.w.x */
    }
    for (uint32_t x = 1; x < 32; x++) {
        if (x != T0 && x != T1 && x != RA)
            words[n++] = addi(x, T0, (int32_t)x);
    }
    words[n++] = andi(T1, T0, 0x100);
    words[n++] = csrrw(ZERO, 0x003, T1); /* no flags */
    words[n++] = csrr(T1, 0xCC0);
    words[n++] = andi(T1, T1, 0x1F);
    words[n++] = csrrw(ZERO, 0x001, T1); /* flags by thread */
    words[n++] = addi(T1, ZERO, 3);
    words[n++] = csrrw(ZERO, 0x002, T1); /* and a rounding mode */
    words[n++] = addi(T1, ZERO, 100);
    words[n++] = addi(T1, T1, -1);
    words[n++] = bne(T1, ZERO, -4);
    words[n++] = lui(T1, DATA);
    words[n++] = add(T1, T1, T0); /* 256 B for each thread */
    for (uint32_t x = 1; x < 32; x++) {
        if (x != T0 && x != T1)
            words[n++] = sw(x, (int32_t)(4 * x), T1);
    }
    for (uint32_t f = 0; f < 32; f++) {
        uint32_t o = 128 + 4 * f;
        words[n++] = o >> 5 << 25 | f << 20 | T1 << 15 | 2 << 12 | (o & 0x1F) << 7 | 0x27; /* fsw */
    }
    words[n++] = csrr(A0, 0x003);
    words[n++] = sw(A0, 0, T1);
    words[n++] = csrr(A0, 0xC02);
    words[n++] = sw(A0, 4 * T1, T1);
    words[n++] = ret();
    words[n] = 0;
}

static void check_registers(core_pair *pair, uint32_t threads, uint32_t instructions)
{
    for (uint32_t thread = 0; thread < threads; thread++) {
        const uint64_t at = DATA + 256 * thread;
        cr_expect_eq(rig_word(pair->rig[0], at), 3 << 5 | (thread & 0x1F), "fcsr of thread %u: 0x%x", thread,
                     rig_word(pair->rig[0], at));
        cr_expect_eq(rig_word(pair->rig[0], at + 4 * T1), instructions, "instret of thread %u: %u", thread,
                     rig_word(pair->rig[0], at + 4 * T1));
        for (uint32_t r = 2; r < REGISTERS; r++) {
            if (r != T0 && r != T1)
                cr_expect_eq(rig_word(pair->rig[0], at + 4 * r), (thread << 8) + r, "register %u of thread %u", r,
                             thread);
        }
    }
}

static void move_registers(const char *const *first, const char *const *second, uint32_t threads)
{
    uint32_t words[256], count = 0;
    every_register(words);
    while (words[count] != csrr(A0, 0xC02))
        count++;
    core_pair *pair = pair_create(first, second, words);
    launch(pair, 0, threads, 0);
    while (pair_statistic(pair, "thread_instructions") < (100 + 50) * threads)
        pair_run(pair, 1);
    cr_expect(pair_move(pair, 0, 0));
    pair_run(pair, 40);
    cr_expect(pair_move(pair, 1, 0));
    pair_finish(pair, 1);
    check_registers(pair, threads, count + 2 * 99);
    cr_expect_gt(kit_statistic(rig_kit(pair->rig[1]), "warp_instructions"), 0);
    pair_destroy(pair);
}

Test(simt_core, every_register_and_flag_and_the_instruction_count_move)
{
    static const char *const wide[] = {"lanes=64", "warps=4", NULL};
    static const char *const wide_mimd[] = {"lanes=64", "warps=4", "reconvergence=mimd", NULL};
    static const char *const other[] = {"scheduler=lrr", "schedulers=1", "warps=7", "blocks=3", NULL};
    move_registers(standard, standard, 80);
    move_registers(standard, other, 80);
    move_registers(mimd, mimd, 70);
    move_registers(wide, wide, 80);
    move_registers(wide_mimd, wide_mimd, 80);
}

/* Eight words of private memory are dirty in the L1 when the block stops. */
Test(simt_core, private_memory_is_in_memory_when_a_block_has_stopped)
{
    uint32_t words[64], n = 0;
    words[n++] = csrr(T0, 0xCC0);
    for (uint32_t i = 1; i <= 8; i++) {
        words[n++] = addi(T1, T0, (int32_t)(100 * i));
        words[n++] = sw(T1, -4 * (int32_t)i, SP);
    }
    words[n++] = bar_sync(0);
    words[n++] = addi(T1, ZERO, 500);
    words[n++] = addi(T1, T1, -1);
    words[n++] = bne(T1, ZERO, -4);
    words[n++] = lui(A3, DATA);
    words[n++] = slli(T1, T0, 5);
    words[n++] = add(A3, A3, T1);
    for (uint32_t i = 1; i <= 8; i++) {
        words[n++] = lw(T2, -4 * (int32_t)i, SP);
        words[n++] = sw(T2, 4 * (int32_t)(i - 1), A3);
    }
    words[n++] = ret();
    words[n] = 0;
    core_pair *pair = pair_create(standard, standard, words);
    launch(pair, 0, 64, 0);
    launch(pair, 0, 32, 0);
    pair_run(pair, 400);
    cr_expect_eq(pair_statistic(pair, "l1_write_backs"), 0);
    cr_assert(pair_rest(pair, 0, 0));
    cr_expect_eq(pair_statistic(pair, "l1_write_backs"), 2 * 8, "the lines of two warps, and no other block's");
    cr_expect_eq(kit_statistic(rig_kit(pair->rig[0]), "private_bytes"), 2 * 8 * HD_LINE_BYTES);
    for (uint32_t thread = 0; thread < 64; thread++) {
        uint64_t at = hd_private_address(HD_PHYSICAL_CONTEXT_BASE, 128, 32, thread / 32, thread % 32, 128 - 4);
        cr_expect_eq(rig_word(pair->rig[0], at), 100 + thread);
    }
    pair_save(pair, 0, 0);
    pair_release(pair, 0, 0);
    cr_assert(pair_restore(pair, 1));
    pair_resume(pair, 1, 0);
    pair_finish(pair, 2);
    cr_expect_eq(kit_statistic(rig_kit(pair->rig[1]), "l1_misses"), 16);
    for (uint32_t thread = 0; thread < 64; thread++) {
        for (uint32_t i = 1; i <= 8; i++)
            cr_expect_eq(rig_word(pair->rig[0], DATA + 32 * thread + 4 * (i - 1)), 100 * i + thread);
    }
    pair_destroy(pair);
}

/* The block's part of the scratchpad lies elsewhere on the other core, behind that of another block. */
Test(simt_core, the_scratchpad_moves_to_whatever_place_is_free)
{
    const uint32_t words[] = {csrr(T0, 0xCC0),
                              slli(T0, T0, 2),
                              lui(A4, HD_SCRATCHPAD_BASE),
                              add(A4, A4, T0),
                              csrr(T2, 0xCCE),
                              slli(T2, T2, 12),
                              add(T2, T2, T0),
                              sw(T2, 0, A4), /* core << 12 | 4 * thread */
                              DELAY(400),
                              lw(T2, 0, A4),
                              csrr(A0, 0xCCE),
                              slli(A0, A0, 9),
                              add(A0, A0, T0),
                              lui(A3, DATA),
                              add(A3, A3, A0),
                              sw(T2, 0, A3), /* by the core where it ends */
                              ret(),
                              0};
    core_pair *pair = pair_create(standard, standard, words);
    launch(pair, 0, 64, 256);
    launch(pair, 1, 48, 250);
    pair_run(pair, 300);
    cr_expect(pair_move(pair, 0, 0));
    cr_expect(pair_move(pair, 1, RIG_SECOND_TAG));
    pair_finish(pair, 2);
    for (uint32_t thread = 0; thread < 64; thread++)
        cr_expect_eq(rig_word(pair->rig[0], DATA + 512 + 4 * thread), 4 * thread, "thread %u", thread);
    for (uint32_t thread = 0; thread < 48; thread++)
        cr_expect_eq(rig_word(pair->rig[0], DATA + 4 * thread), 1 << 12 | 4 * thread, "thread %u", thread);
    pair_destroy(pair);
}

/* ---- Where it stops ---------------------------------------------------------------------------------------------- */

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
    launch(pair, 0, 64, 0);
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
        launch(pair, 0, 64, 0);
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
        launch(pair, 0, 1, 0);
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
    launch(pair, 0, 64, 0);
    launch(pair, 0, 32, 0);
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

/* ---- Who else is there ------------------------------------------------------------------------------------------- */

/* Stores and loads, private and global, for some thousand cycles. */
#define BUSY                                                                                                           \
    {                                                                                                                  \
        lui(A3, DATA), csrr(T0, 0xCC0), slli(T0, T0, 2), add(A3, A3, T0), addi(T1, ZERO, 200), sw(T1, -4, SP),         \
            lw(T2, 0, A3), add(T2, T2, T1), sw(T2, 0, A3), addi(T1, T1, -1), bne(T1, ZERO, -20), ret(), 0              \
    }

Test(simt_core, a_stopped_block_does_nothing_and_holds_nobody_up)
{
    const uint32_t busy[] = BUSY;
    core_pair *alone = pair_create(standard, standard, busy), *both = pair_create(standard, standard, busy);
    launch(alone, 0, 128, 0);
    pair_finish(alone, 1);
    launch(both, 0, 128, 0);
    launch(both, 0, 128, 0);
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
    launch(pair, 0, 32, 0);
    pair_run(pair, 100);
    cr_expect_not(pair_rest(pair, 0, 0));
    cr_expect_eq(pair_state(pair, 0, 0), HD_CONTEXT_ABSENT);
    pair_finish(pair, 1);
    launch(pair, 0, 32, 0);
    pair_finish(pair, 2);
    pair_destroy(pair);
}

Test(simt_core, the_place_of_a_block_that_has_left_is_free)
{
    static const char *const one[] = {"blocks=1", NULL};
    const uint32_t busy[] = BUSY;
    core_pair *pair = pair_create(one, one, busy);
    launch(pair, 0, 64, 0);
    launch(pair, 0, 64, 0); /* waits in the core */
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
    launch(pair, 0, 128, 0);
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

/* The second core has read a word before the first one's block wrote it; that block goes on there and reads its own. */
Test(simt_core, a_block_does_not_meet_lines_older_than_what_it_has_seen)
{
    static const char *const cached[] = {"l1.global=cache", NULL};
    const uint32_t words[] = {lui(A3, DATA),     csrr(T0, 0xCC6),   lw(T2, 0, A3), addi(T0, T0, -2),
                              beq(T0, ZERO, 32), addi(T2, ZERO, 9), sw(T2, 0, A3), DELAY(300),
                              lw(T2, 0, A3),     sw(T2, 4, A3),     ret(),         0};
    core_pair *pair = pair_create(cached, cached, words);
    launch(pair, 1, 2, 0);
    pair_run(pair, 200);
    launch(pair, 0, 1, 0);
    pair_run(pair, 200);
    cr_assert(pair_move(pair, 0, 0));
    pair_finish(pair, 2);
    cr_expect_eq(rig_word(pair->rig[0], DATA + 4), 9);
    pair_destroy(pair);
}

/* ---- What does not move ------------------------------------------------------------------------------------------ */

Test(simt_core, a_reservation_is_lost_with_the_core)
{
    const uint32_t words[] = {lui(A4, HD_SCRATCHPAD_BASE),
                              r_type(0x2F, 2, 0x08, T0, A4, 0) /* lr.w */,
                              DELAY(300),
                              r_type(0x2F, 2, 0x0C, T2, A4, A4) /* sc.w */,
                              lui(A3, DATA),
                              sw(T2, 0, A3),
                              ret(),
                              0};
    for (uint32_t moves = 0; moves < 2; moves++) {
        core_pair *pair = pair_create(standard, standard, words);
        launch(pair, 0, 1, 16);
        pair_run(pair, 200);
        if (moves)
            cr_assert(pair_move(pair, 0, 0));
        pair_finish(pair, 1);
        cr_expect_eq(rig_word(pair->rig[0], DATA), moves);
        pair_destroy(pair);
    }
}

Test(simt_core, cores_of_one_clock_count_cycles_alike)
{
    const uint32_t words[] = {lui(A3, DATA), csrr(T0, 0xC00), DELAY(300),    csrr(T2, 0xC00), sub(T2, T2, T0),
                              sw(T2, 0, A3), csrr(T2, 0xCCE), sw(T2, 4, A3), ret(),           0};
    core_pair *pair = pair_create(standard, standard, words);
    launch(pair, 0, 1, 0);
    pair_run(pair, 200);
    cr_assert(pair_rest(pair, 0, 0));
    pair_save(pair, 0, 0);
    pair_release(pair, 0, 0);
    pair_run(pair, 20000);
    cr_assert(pair_restore(pair, 1));
    pair_resume(pair, 1, 0);
    pair_finish(pair, 1);
    cr_expect_gt(rig_word(pair->rig[0], DATA), 20000, "the pause shows");
    cr_expect_lt(rig_word(pair->rig[0], DATA), pair_now(pair) / kit_edge(rig_kit(pair->rig[0]), 1));
    cr_expect_eq(rig_word(pair->rig[0], DATA + 4), 1);
    pair_destroy(pair);
}
