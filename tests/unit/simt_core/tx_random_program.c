/* SPDX-License-Identifier: MIT */
#include "tx_random_program.h"

#include <criterion/criterion.h>

#define S2 18u
#define S3 19u

typedef struct generator {
    uint64_t state;
    uint32_t *words;
    uint32_t count;
    uint32_t mask; /* shared words - 1 */
} generator;

static uint32_t pick(generator *g, uint32_t choices)
{
    return (uint32_t)(kit_random(&g->state) % choices);
}

static void emit(generator *g, uint32_t word)
{
    cr_assert_lt(g->count, TX_RANDOM_WORDS - 1);
    g->words[g->count++] = word;
}

/* t1 = one of the shared words, chosen by each thread for itself. */
static void address(generator *g)
{
    emit(g, mul(S2, S2, S3));
    emit(g, addi(S2, S2, 1 + (int32_t)pick(g, 1000)));
    emit(g, i_type(0x13, 5, T1, S2, 20)); /* srli */
    emit(g, andi(T1, T1, (int32_t)g->mask));
    emit(g, slli(T1, T1, 2));
    emit(g, add(T1, A0, T1));
}

static void operation(generator *g)
{
    const int32_t byte = (int32_t)pick(g, 4);
    address(g);
    switch (pick(g, 8)) {
    case 0: emit(g, sw(S2, 0, T1)); break;
    case 1: emit(g, sb(S2, byte, T1)); break;
    case 2: emit(g, sh(S2, byte & 2, T1)); break;
    case 3:
        emit(g, lb(T2, byte, T1));
        emit(g, add(S2, S2, T2));
        break;
    case 4:
    case 5:
        emit(g, lw(T2, 0, T1));
        emit(g, addi(T2, T2, 1));
        emit(g, sw(T2, 0, T1));
        break;
    case 6: /* private memory is counted too, and decides */
        emit(g, lw(T2, -4, SP));
        emit(g, addi(T2, T2, 1));
        emit(g, sw(T2, -4, SP));
        emit(g, add(S2, S2, T2));
        break;
    default:
        emit(g, lw(T2, 0, T1));
        emit(g, add(S2, S2, T2));
        break;
    }
}

static void maybe(generator *g)
{
    emit(g, andi(T2, S2, 3));
    const uint32_t branch = g->count;
    emit(g, 0);
    operation(g);
    if (pick(g, 2))
        operation(g);
    g->words[branch] = beq(T2, ZERO, (int32_t)(4 * (g->count - branch)));
}

static void transaction(generator *g)
{
    const uint32_t operations = 1 + pick(g, 5);
    emit(g, begin_tx(1));
    for (uint32_t i = 0; i < operations; i++) {
        if (pick(g, 3))
            operation(g);
        else
            maybe(g);
    }
    if (!pick(g, 3)) { /* some lanes give their first attempt up */
        emit(g, csrr(T2, 0xCD0));
        emit(g, andi(T1, S2, 16));
        emit(g, slli(T2, T2, 4));
        emit(g, bne(T1, T2, 8));
        emit(g, abort_tx(1));
    }
    emit(g, lw(T1, 0, A2));
    emit(g, addi(T1, T1, 1));
    emit(g, sw(T1, 0, A2));
    emit(g, commit_tx());
}

uint32_t random_transactions(uint64_t seed, uint32_t *words)
{
    generator made = {.state = seed, .words = words}, *g = &made;
    const uint32_t transactions = 1 + pick(g, 3);
    g->mask = (4u << pick(g, 6)) - 1;
    emit(g, lui(A0, DATA));
    emit(g, lui(A2, TX_RANDOM_COUNTER));
    emit(g, csrr(S2, 0xCC0));
    emit(g, lui(S3, 0x41C65000));
    emit(g, addi(S3, S3, 0x66D));
    emit(g, csrr(T1, 0xCCD)); /* counters of warps, 64 bytes apart; four warps share one */
    emit(g, andi(T1, T1, 1));
    emit(g, slli(T1, T1, 6));
    emit(g, add(A2, A2, T1));
    for (uint32_t i = 0; i < transactions; i++)
        transaction(g);
    emit(g, ret());
    g->words[g->count] = 0;
    return transactions;
}

void random_transactions_are_done(core_rig *rig, uint64_t commits, uint64_t seed)
{
    kit_block *kit = rig_kit(rig);
    cr_assert_eq(rig_word(rig, TX_RANDOM_COUNTER) + rig_word(rig, TX_RANDOM_COUNTER + 64), commits, "seed %lu", seed);
    cr_assert_eq(kit_statistic(kit, "tx_commits"), commits, "seed %lu", seed);
    cr_assert_eq(kit_statistic(kit, "tx_attempts"), commits + kit_statistic(kit, "tx_aborts"), "seed %lu", seed);
}
