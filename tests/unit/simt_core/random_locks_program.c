/* SPDX-License-Identifier: MIT */
#include "random_locks_program.h"

#include "core_rig.h"
#include "lanes.h"

#include <criterion/criterion.h>

#define DEPTH_MAX 3u
#define BUDGET 40u /* of statements */

/* Registers. Loops count in LOOP + depth, flags are in FLAG + number of the lock. */
enum { THREAD = 8, BASE = 9, LOOP = 18, FLAG = 22, SUM = 26, HELD = 27 };
#define ONE A5

typedef struct generator {
    uint64_t state;
    uint32_t *words;
    uint32_t count;
    uint32_t budget;
} generator;

static uint32_t below(generator *g, uint32_t bound)
{
    g->state ^= g->state >> 12;
    g->state ^= g->state << 25;
    g->state ^= g->state >> 27;
    return (uint32_t)((g->state * UINT64_C(0x2545F4914F6CDD1D)) >> 33) % bound;
}

static void put(generator *g, uint32_t word)
{
    cr_assert_lt(g->count, LOCKS_WORDS - 1);
    g->words[g->count++] = word;
}

static uint32_t hole(generator *g)
{
    put(g, 0);
    return g->count - 1;
}

static int32_t way(uint32_t from, uint32_t to)
{
    return 4 * ((int32_t)to - (int32_t)from);
}

/* ---- Locks ---------------------------------------------------------------------------------------------------------- */

static int32_t lock_at(uint32_t lock)
{
    return (int32_t)(8 * lock);
}

static void put_release(generator *g, uint32_t lock)
{
    put(g, addi(T0, BASE, lock_at(lock)));
    put(g, amoswap_release(ZERO, ZERO, T0));
}

static void put_spin(generator *g, uint32_t lock)
{
    put(g, addi(T0, BASE, lock_at(lock)));
    const uint32_t again = g->count;
    put(g, amoswap_acquire(T1, ONE, T0));
    put(g, bne(T1, ZERO, way(g->count, again)));
}

/* Whoever finds it taken looks until it is free, and both loops begin at one place. */
static void put_test_and_spin(generator *g, uint32_t lock)
{
    put(g, addi(T0, BASE, lock_at(lock)));
    const uint32_t again = g->count;
    put(g, lw(T1, 0, T0));
    put(g, bne(T1, ZERO, way(g->count, again)));
    put(g, amoswap_acquire(T1, ONE, T0));
    put(g, bne(T1, ZERO, way(g->count, again)));
}

static void put_patient_spin(generator *g, uint32_t lock)
{
    put(g, addi(T0, BASE, lock_at(lock)));
    const uint32_t again = g->count;
    put(g, amoswap_acquire(T1, ONE, T0));
    const uint32_t taken = hole(g);
    put(g, addi(T2, ZERO, 1 + (int32_t)below(g, 3)));
    put(g, addi(T2, T2, -1));
    put(g, bne(T2, ZERO, -4));
    put(g, jal(ZERO, way(g->count, again)));
    g->words[taken] = beq(T1, ZERO, way(taken, g->count));
}

static void put_section(generator *g, uint32_t lock)
{
    put(g, lw(T1, lock_at(lock) + 4, BASE));
    put(g, addi(T2, THREAD, (int32_t)below(g, 100)));
    put(g, add(T1, T1, T2));
    put(g, sw(T1, lock_at(lock) + 4, BASE));
}

static void put_statements(generator *g, uint32_t depth, uint32_t first_lock, uint32_t held);

/* Given back in the arm that has been taken. */
static void put_arms(generator *g, uint32_t depth, uint32_t lock)
{
    put(g, andi(T1, SUM, 1 << below(g, 3)));
    const uint32_t to_else = hole(g);
    put_section(g, lock);
    put_release(g, lock);
    const uint32_t to_end = hole(g);
    g->words[to_else] = beq(T1, ZERO, way(to_else, g->count));
    put_section(g, lock);
    put_statements(g, depth + 1, lock + 1, 1);
    put_release(g, lock);
    if (below(g, 2))
        put(g, addi(SUM, SUM, 3)); /* straight on to where lanes may wait */
    g->words[to_end] = jal(ZERO, way(to_end, g->count));
}

/* The flag is set behind the release, inside the loop. */
static void put_flagged(generator *g, uint32_t lock)
{
    put(g, addi(FLAG + lock, ZERO, 0));
    const uint32_t again = g->count;
    put(g, addi(T0, BASE, lock_at(lock)));
    put(g, amoswap_acquire(T1, ONE, T0));
    const uint32_t missed = hole(g);
    put_section(g, lock);
    put_release(g, lock);
    put(g, addi(FLAG + lock, ZERO, 1));
    g->words[missed] = bne(T1, ZERO, way(missed, g->count));
    put(g, beq(FLAG + lock, ZERO, way(g->count, again)));
}

static void put_lock(generator *g, uint32_t depth, uint32_t first_lock)
{
    const uint32_t lock = first_lock + below(g, LOCKS_COUNT - first_lock);
    switch (below(g, 4)) {
    case 0: put_spin(g, lock); break;
    case 1: put_test_and_spin(g, lock); break;
    case 2: put_patient_spin(g, lock); break;
    default: put_flagged(g, lock); return;
    }
    if (below(g, 3) == 0) {
        put_arms(g, depth, lock);
        return;
    }
    put_section(g, lock);
    if (lock + 1 < LOCKS_COUNT && below(g, 2))
        put_statements(g, depth + 1, lock + 1, 1);
    put_release(g, lock);
}

/* ---- The rest ------------------------------------------------------------------------------------------------------- */

static void put_work(generator *g)
{
    put(g, slli(T1, SUM, 1 + below(g, 3)));
    put(g, add(SUM, SUM, T1));
    put(g, addi(SUM, SUM, (int32_t)below(g, 64) - 20));
}

static void put_choice(generator *g, uint32_t depth, uint32_t first_lock, uint32_t held)
{
    put(g, andi(T1, below(g, 2) ? SUM : THREAD, 1 << below(g, 3)));
    const uint32_t to_else = hole(g);
    put_statements(g, depth + 1, first_lock, held);
    if (below(g, 2)) {
        g->words[to_else] = beq(T1, ZERO, way(to_else, g->count));
        return;
    }
    const uint32_t to_end = hole(g);
    g->words[to_else] = beq(T1, ZERO, way(to_else, g->count));
    put_statements(g, depth + 1, first_lock, held);
    g->words[to_end] = jal(ZERO, way(to_end, g->count));
}

static void put_loop(generator *g, uint32_t depth, uint32_t first_lock, uint32_t held)
{
    put(g, andi(LOOP + depth, THREAD, 3));
    put(g, addi(LOOP + depth, LOOP + depth, 1));
    const uint32_t again = g->count;
    put_statements(g, depth + 1, first_lock, held);
    put(g, addi(LOOP + depth, LOOP + depth, -1));
    put(g, bne(LOOP + depth, ZERO, way(g->count, again)));
}

static void put_end(generator *g)
{
    put(g, slli(T0, THREAD, 2));
    put(g, add(T0, T0, BASE));
    put(g, sw(SUM, LOCKS_RESULTS, T0));
    put(g, ret());
}

/* Not by those who hold a lock. */
static void put_early_end(generator *g)
{
    put(g, andi(T1, SUM, 12));
    const uint32_t over = hole(g);
    put_end(g);
    g->words[over] = bne(T1, ZERO, way(over, g->count));
}

static void put_statements(generator *g, uint32_t depth, uint32_t first_lock, uint32_t held)
{
    for (uint32_t i = 1 + below(g, 3); i > 0; i--) {
        if (!g->budget)
            return;
        g->budget--;
        const uint32_t what = below(g, 10);
        if (depth >= DEPTH_MAX || what < 2)
            put_work(g);
        else if (what < 6 && first_lock < LOCKS_COUNT)
            put_lock(g, depth, first_lock);
        else if (what < 8)
            put_choice(g, depth, first_lock, held);
        else if (what == 8 && !held)
            put_early_end(g);
        else
            put_loop(g, depth, first_lock, held);
    }
}

void random_locks_program(uint64_t seed, uint32_t words[LOCKS_WORDS])
{
    generator g = {.state = seed * UINT64_C(0x9E3779B97F4A7C15) | 1, .words = words, .budget = BUDGET};
    put(&g, csrr(THREAD, ISA_CSR_THREAD_X));
    put(&g, lui(BASE, DATA));
    put(&g, addi(ONE, ZERO, 1));
    put(&g, mul(SUM, THREAD, THREAD));
    put(&g, addi(SUM, SUM, (int32_t)below(&g, 1000)));
    while (g.budget)
        put_statements(&g, 0, 0, 0);
    put_end(&g);
    words[g.count] = 0;
}
