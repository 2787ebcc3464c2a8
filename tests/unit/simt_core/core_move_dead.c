/* SPDX-License-Identifier: MIT */
/* Registers that nobody needs any more stay behind when a block moves; all others go with it. */
#include "core.h"
#include "core_pair.h"

#include <criterion/criterion.h>

#define ENGINE "context.engine=stream"
static const char *const none[] = {ENGINE, NULL};
static const char *const marks[] = {ENGINE, "context.dead=marks", NULL};
static const char *const oracle[] = {ENGINE, "context.dead=oracle", NULL};
static const char *const few[] = {ENGINE, "context.dead=marks", "registers_per_thread=3", NULL};

#define THREADS 40u
#define WARPS 2u

/* While it waits, ra, a1, a3 and t1 are needed; a0, t0, t2 were. a2 is not needed from the branch on, which does not read it. */
#define WAITS                                                                                                          \
    {                                                                                                                  \
        csrr(T0, 0xCC0), addi(A0, T0, 5), add(A1, A0, T0), lui(A3, DATA), slli(T2, T0, 2), add(A3, A3, T2),            \
            lw(A2, 0, A3), bne(ZERO, ZERO, 8), jal(ZERO, 8), sw(A2, 0, A3), DELAY(1000), sw(A1, 0, A3), ret(), 0       \
    }

static core_pair *waiting(const char *const *parameters)
{
    const uint32_t words[] = WAITS;
    core_pair *pair = pair_create(parameters, parameters, words);
    pair_launch(pair, 0, THREADS, 0);
    pair_run(pair, 600);
    cr_assert(pair_rest(pair, 0, 0));
    return pair;
}

static uint32_t register_of(const core_pair *pair, uint32_t core, uint32_t number, uint32_t lane)
{
    const simt_core *c = (const simt_core *)kit_instance(rig_kit(pair->rig[core]));
    return c->registers.rows[0].registers[number * 32 + lane];
}

/* The 20 registers of a thread without those that are needed, and a bit for each of them in each warp. */
static void expect_sizes(const char *const *parameters, uint32_t needed, uint32_t marked)
{
    core_pair *still = waiting(none), *pair = waiting(parameters);
    const hd_context_size all = pair_size(still, 0, 0), size = pair_size(pair, 0, 0);
    cr_expect_eq(all.register_bytes, THREADS * 20 * 4);
    cr_expect_eq(size.register_bytes, THREADS * needed * 4, "%lu", size.register_bytes);
    cr_expect_eq(size.control_bytes, all.control_bytes + WARPS * marked);
    cr_expect_eq(size.scratchpad_bytes, all.scratchpad_bytes);
    pair_destroy(still);
    pair_destroy(pair);
}

Test(simt_core, dead_registers_are_not_in_the_size_of_a_context)
{
    expect_sizes(none, 20, 0);
    expect_sizes(marks, 5, 3);
    expect_sizes(oracle, 4, 3);
    expect_sizes(few, 3, 1);
}

/* What stays behind is garbage from then on, and nobody notices. */
Test(simt_core, dead_registers_are_garbage_after_a_move)
{
    core_pair *pair = waiting(marks);
    cr_expect_eq(register_of(pair, 0, A0, 7), 12);
    pair_save(pair, 0, 0);
    pair_release(pair, 0, 0);
    cr_assert(pair_restore(pair, 1), "%s", pair->error);
    cr_expect_eq(register_of(pair, 1, A1, 7), 19);
    for (uint32_t number = 1; number < ISA_REGISTER_COUNT; number++) {
        const uint32_t needed = number == RA || number == A1 || number == A2 || number == A3 || number == T1;
        cr_expect_eq(register_of(pair, 1, number, 7) >> 16 == 0xDEAD, !needed, "register %u", number);
    }
    cr_expect_eq(pair_size(pair, 1, 0).register_bytes, THREADS * 5 * 4, "they stay dead");
    pair_resume(pair, 1, 0);
    pair_finish(pair, 1);
    for (uint32_t thread = 0; thread < THREADS; thread++)
        cr_expect_eq(rig_word(pair->rig[0], DATA + 4 * thread), 2 * thread + 5);
    pair_destroy(pair);
}

/* Each side of a branch reads a0 for the last time; while one does, the other waits with its own. */
static void move_parted(const char *const *parameters)
{
    const uint32_t words[] = {csrr(T0, 0xCC0),
                              addi(A0, T0, 100),
                              andi(T2, T0, 1),
                              lui(A3, DATA),
                              slli(A2, T0, 2),
                              add(A3, A3, A2),
                              bne(T2, ZERO, 24),
                              sw(A0, 0, A3),
                              DELAY(200),
                              ret(),
                              sw(A0, 0, A3),
                              DELAY(200),
                              ret(),
                              0};
    core_pair *pair = pair_create(parameters, parameters, words);
    pair_launch(pair, 0, 32, 0);
    uint32_t moves = 0;
    do
        pair_run(pair, 90);
    while (pair_holder(pair, 0) != 2 && pair_move(pair, moves % 2, 0) && ++moves);
    pair_finish(pair, 1);
    cr_expect_gt(moves, 10);
    for (uint32_t thread = 0; thread < 32; thread++)
        cr_expect_eq(rig_word(pair->rig[0], DATA + 4 * thread), 100 + thread, "%s: thread %u", parameters[1], thread);
    pair_destroy(pair);
}

Test(simt_core, what_is_dead_on_one_side_of_a_branch_lives_on_the_other)
{
    static const char *const mimd[] = {ENGINE, "context.dead=marks", "reconvergence=mimd", NULL};
    move_parted(marks);
    move_parted(oracle);
    move_parted(mimd);
}

Test(simt_core, a_core_reads_only_what_leaves_out_as_much_as_its_own)
{
    const uint32_t words[] = WAITS;
    core_pair *pair = pair_create(marks, none, words);
    pair_launch(pair, 0, THREADS, 0);
    pair_run(pair, 600);
    cr_assert(pair_rest(pair, 0, 0));
    pair_save(pair, 0, 0);
    cr_expect_not(pair_restore(pair, 1));
    cr_expect_str_eq(
        pair->error,
        "the thread block was saved without its dead registers, without patterns and with words that it had "
        "not written (context.dead, context.compress, context.scratchpad); block does not read that");
    pair_resume(pair, 0, 0);
    pair_finish(pair, 1);
    pair_destroy(pair);
}
