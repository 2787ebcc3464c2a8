/* SPDX-License-Identifier: MIT */
#include "random_program.h"

#include <criterion/criterion.h>

#include "core_rig.h"

enum { MIX = 18, FACTOR = 19, OWN = 20 }; /* s2: what the thread draws from; s3; s4: the stem of values of its own */

typedef struct writer {
    const random_program *shape;
    uint64_t *seed;
    uint32_t *words;
    uint32_t count, stores;
} writer;

static uint32_t pick(writer *w, uint32_t choices)
{
    return (uint32_t)(kit_random(w->seed) % choices);
}

static void emit(writer *w, uint32_t word)
{
    cr_assert_lt(w->count, RANDOM_PROGRAM_WORDS - 1);
    w->words[w->count++] = word;
}

static void constant(writer *w, uint32_t reg, uint32_t value)
{
    emit(w, lui(reg, value + 0x800));
    emit(w, addi(reg, reg, (int32_t)(value << 20) >> 20));
}

/* S2 is something of the thread; A0, A1, A2: the words of memory. */
static void prologue(writer *w)
{
    constant(w, A0, 0x10000000u);
    constant(w, A1, w->shape->words);
    constant(w, A2, w->shape->stride);
    constant(w, FACTOR, 0x41c64e6du);
    emit(w, csrr(S0, 0xCC3));
    emit(w, slli(S0, S0, 5));
    emit(w, csrr(MIX, 0xCC0));
    emit(w, add(S0, S0, MIX)); /* number of the thread */
    emit(w, addi(OWN, S0, 1));
    emit(w, slli(OWN, OWN, 12));
    constant(w, T0, (uint32_t)kit_random(w->seed));
    emit(w, mul(MIX, S0, FACTOR));
    emit(w, add(MIX, MIX, T0));
}

/* t1 = address of a word */
static void draw_address(writer *w)
{
    emit(w, mul(MIX, MIX, FACTOR));
    emit(w, addi(MIX, MIX, 1 + (int32_t)pick(w, 1000)));
    emit(w, srli(T1, MIX, 16));
    emit(w, remu(T1, T1, A1));
    emit(w, mul(T1, T1, A2));
    emit(w, add(T1, A0, T1));
}

static void store_own(writer *w)
{
    emit(w, addi(T0, OWN, (int32_t)++w->stores));
    emit(w, sw(T0, 0, T1));
}

static void operation(writer *w, uint32_t only_reads)
{
    draw_address(w);
    switch (pick(w, only_reads ? 2 : 5)) {
    case 0: emit(w, lw(T2, 0, T1)); break;
    case 1: /* what comes next depends on it */
        emit(w, lw(T2, 0, T1));
        emit(w, add(MIX, MIX, T2));
        break;
    case 2: store_own(w); break;
    case 3:
        emit(w, lw(T2, 0, T1));
        store_own(w);
        break;
    default:
        if (w->shape->is_silent) {
            store_own(w);
            break;
        }
        emit(w, lw(T2, 0, T1)); /* a counter, by values that may come back */
        emit(w, addi(T2, T2, 1));
        emit(w, andi(T2, T2, 3));
        emit(w, sw(T2, 0, T1));
        break;
    }
}

/* Some lanes leave it out. */
static void part(writer *w, uint32_t only_reads)
{
    emit(w, srli(T2, MIX, 1 + pick(w, 30)));
    emit(w, andi(T2, T2, 1));
    const uint32_t at = w->count;
    emit(w, 0x13);
    operation(w, only_reads);
    w->words[at] = beq(T2, ZERO, (int32_t)(4 * (w->count - at)));
}

void random_program_make(const random_program *shape, uint64_t *seed, uint32_t program[RANDOM_PROGRAM_WORDS])
{
    writer w = {.shape = shape, .seed = seed, .words = program};
    prologue(&w);
    for (uint32_t i = 0; i < shape->transactions; i++) {
        const uint32_t only_reads = pick(&w, 3) == 0;
        emit(&w, begin_tx(1));
        for (uint32_t n = 1 + pick(&w, shape->operations); n; n--)
            (pick(&w, 3) ? operation : part)(&w, only_reads);
        emit(&w, commit_tx());
    }
    emit(&w, ret());
    emit(&w, 0);
}
