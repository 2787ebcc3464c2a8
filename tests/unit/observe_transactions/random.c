/* SPDX-License-Identifier: MIT */
/*
 * Random histories that are serial by construction are accepted, and those in which one read was given another value, or one
 * commit another place, are not.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "rig.h"

#define SEEDS 300u

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static rig rig_here;

/* Transactions run one after the other. */
static attempt serial(rig *rig, uint64_t *random, uint64_t order)
{
    attempt a = rig_attempt(rig, (uint32_t)(order % 7), (uint32_t)next(random) % 4, order);
    const uint32_t accesses = 1 + (uint32_t)next(random) % 4;
    for (uint32_t i = 0; i < accesses; i++) {
        const uint32_t word = (uint32_t)next(random) % 8 * 8;
        uint32_t is_own = 0;
        for (uint32_t w = 0; w < a.transaction.write_count; w++)
            is_own |= a.writes[w].address == RIG_BASE + 4 * (uint64_t)word;
        if (is_own)
            continue;
        const uint32_t value = rig_read(rig, &a, word);
        if (next(random) % 2)
            rig_write(&a, word, value * 3 + (uint32_t)order, 0xF);
    }
    return a;
}

static void run(uint64_t seed, uint32_t spoiled, uint32_t *wrote)
{
    rig *rig = &rig_here;
    uint64_t random = seed * 77 + 5;
    rig_open(rig);
    rig_begin(rig);
    *wrote = 0;
    for (uint64_t order = 1; order <= 30; order++) {
        attempt a = serial(rig, &random, order);
        if (order == 20 && spoiled == 1 && a.transaction.read_count) {
            a.reads[0].value ^= 1;
            *wrote = 1;
        }
        rig_commit(rig, &a);
        if (order == 20 && spoiled == 2 && a.transaction.write_count) {
            *wrote = 1;
            continue; /* never written */
        }
        rig_apply(rig, &a);
    }
    rig_end(rig);
    rig_close(rig);
}

Test(transaction_checker_random, serial_histories_are_accepted)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        uint32_t ignored;
        run(seed, 0, &ignored);
        cr_assert_eq(rig_here.violations, 0, "seed %llu: %s", (unsigned long long)seed, rig_here.report);
    }
}

Test(transaction_checker_random, spoiled_ones_are_not)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        for (uint32_t spoiled = 1; spoiled <= 2; spoiled++) {
            uint32_t is_spoiled;
            run(seed, spoiled, &is_spoiled);
            cr_assert_eq(rig_here.violations > 0, is_spoiled, "seed %llu, spoiled %u: %s", (unsigned long long)seed,
                         spoiled, rig_here.report);
        }
}
