/* SPDX-License-Identifier: MIT */
/* What moves with a thread block, and what it finds or loses in the core where it goes on. */
#include "core_pair.h"

#include <criterion/criterion.h>

static const char *const standard[] = {NULL};
static const char *const mimd[] = {"reconvergence=mimd", NULL};

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

/* An odd number of moves: in the place that it came from it would find what it left. */
static void move_registers(const char *const *first, const char *const *second, uint32_t threads, uint32_t moves)
{
    uint32_t words[256], count = 0;
    every_register(words);
    while (words[count] != csrr(A0, 0xC02))
        count++;
    core_pair *pair = pair_create(first, second, words);
    pair_launch(pair, 0, threads, 0);
    while (pair_statistic(pair, "thread_instructions") < (100 + 50) * threads)
        pair_run(pair, 1);
    for (uint32_t i = 0; i < moves; i++) {
        pair_run(pair, 40);
        cr_expect(pair_move(pair, i % 2, 0));
    }
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
    move_registers(standard, standard, 80, 3);
    move_registers(standard, other, 80, 1);
    move_registers(mimd, mimd, 70, 1);
    move_registers(wide, wide, 80, 1);
    move_registers(wide_mimd, wide_mimd, 80, 1);
}

/* Eight words of private memory are dirty in the L1, which they and those of another block may fill, when one stops. */
Test(simt_core, private_memory_is_in_memory_when_a_block_has_stopped)
{
    static const char *const full[] = {"l1.bytes=3 KiB", "l1.ways=24", NULL};
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
    core_pair *pair = pair_create(full, standard, words);
    pair_launch(pair, 0, 64, 0);
    pair_launch(pair, 0, 32, 0);
    pair_run(pair, 500);
    cr_expect_eq(pair_statistic(pair, "l1_write_backs"), 0);
    cr_assert(pair_rest(pair, 0, 0));
    cr_expect_eq(pair_statistic(pair, "l1_write_backs"), 2 * 8, "the lines of two warps, and no other block's");
    cr_expect_eq(kit_statistic(rig_kit(pair->rig[0]), "private_bytes"), 2 * 8 * HD_LINE_BYTES);
    for (uint32_t thread = 0; thread < 64; thread++) {
        uint64_t at = hd_private_address(0, RIG_CONTEXT_SLOTS, 32, 2, thread / 32, thread % 32, 128 - 4);
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

/* A word of private memory counts rounds; between two visits to a core it has been counted up on the other one. */
Test(simt_core, a_block_that_comes_back_does_not_meet_its_old_private_lines)
{
    const uint32_t words[] = {
        addi(T0, ZERO, 60), lw(T2, -4, SP), addi(T2, T2, 1), sw(T2, -4, SP), DELAY(20), addi(T0, T0, -1),
        bne(T0, ZERO, -28), lui(A3, DATA),  sw(T2, 0, A3),   ret(),          0};
    core_pair *pair = pair_create(standard, standard, words);
    pair_launch(pair, 0, 1, 0);
    for (uint32_t moves = 0; moves < 6; moves++) {
        pair_run(pair, 600);
        cr_assert(pair_move(pair, moves % 2, 0));
    }
    pair_finish(pair, 1);
    cr_expect_eq(rig_word(pair->rig[0], DATA), 60);
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
    pair_launch(pair, 0, 64, 256);
    pair_launch(pair, 1, 48, 250);
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

/* The second core has read a word before the first one's block wrote it; that block goes on there and reads its own. */
Test(simt_core, a_block_does_not_meet_lines_older_than_what_it_has_seen)
{
    static const char *const cached[] = {"l1.global=cache", NULL};
    const uint32_t words[] = {lui(A3, DATA),     csrr(T0, 0xCC6),   lw(T2, 0, A3), addi(T0, T0, -2),
                              beq(T0, ZERO, 32), addi(T2, ZERO, 9), sw(T2, 0, A3), DELAY(300),
                              lw(T2, 0, A3),     sw(T2, 4, A3),     ret(),         0};
    core_pair *pair = pair_create(cached, cached, words);
    pair_launch(pair, 1, 2, 0);
    pair_run(pair, 200);
    pair_launch(pair, 0, 1, 0);
    pair_run(pair, 200);
    cr_assert(pair_move(pair, 0, 0));
    pair_finish(pair, 2);
    cr_expect_eq(rig_word(pair->rig[0], DATA + 4), 9);
    pair_destroy(pair);
}

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
    for (uint32_t moves = 0; moves < 3; moves++) {
        core_pair *pair = pair_create(standard, standard, words);
        pair_launch(pair, 0, 1, 16);
        pair_run(pair, 200);
        for (uint32_t i = 0; i < moves; i++)
            cr_assert(pair_move(pair, i, 0));
        pair_finish(pair, 1);
        cr_expect_eq(rig_word(pair->rig[0], DATA), moves > 0, "%u moves, there and back", moves);
        pair_destroy(pair);
    }
}

Test(simt_core, cores_of_one_clock_count_cycles_alike)
{
    const uint32_t words[] = {lui(A3, DATA), csrr(T0, 0xC00), DELAY(300),    csrr(T2, 0xC00), sub(T2, T2, T0),
                              sw(T2, 0, A3), csrr(T2, 0xCCE), sw(T2, 4, A3), ret(),           0};
    core_pair *pair = pair_create(standard, standard, words);
    pair_launch(pair, 0, 1, 0);
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
