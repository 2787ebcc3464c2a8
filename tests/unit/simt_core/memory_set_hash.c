/* SPDX-License-Identifier: MIT */
/* Which set of the L1 a line goes to, seen from outside: by which lines displace each other (known answer K22). */
#include "memory_rig.h"

#include <criterion/criterion.h>

#define DATA UINT32_C(0x20000000) /* bits 7 to 19 are 0 */

static rig *caching_rig(uint32_t set_hash, uint32_t sets)
{
    memory_parameters p = rig_parameters();
    p.l1_global = L1_GLOBAL_CACHE;
    p.l1_bytes = sets * 4 * 128;
    p.l1_ways = 4;
    p.l1_set_hash = set_hash;
    return rig_create(&p);
}

/* Loads the lines twice; hits of the second pass. */
static uint64_t second_hits(uint32_t set_hash, uint32_t sets, const uint32_t *lines, uint32_t count)
{
    rig *r = caching_rig(set_hash, sets);
    for (uint32_t i = 0; i < 2 * count; ++i)
        rig_finish(r, rig_one(r, ISA_OP_LW, 0, 0, DATA + lines[i % count], 0));
    const uint64_t hits = r->counters.l1_hits;
    rig_destroy(r);
    return hits;
}

#define BIT(n) (1u << (n))

/* Five lines in four ways of 16 KiB displace each other all if they share a set. */
Test(set_hash, pairs_of_bits_meet_in_a_set_as_the_hash_says)
{
    static const struct {
        uint32_t lines[5];
        uint64_t hits[3]; /* linear, fermi, xor */
    } cases[] = {
        {{0, BIT(13), BIT(14), BIT(15), BIT(17)}, {0, 5, 5}},
        {{0, BIT(13) | BIT(7), BIT(14) | BIT(8), BIT(15) | BIT(9), BIT(17) | BIT(10)}, {5, 0, 5}},
        {{0, BIT(13) | BIT(7), BIT(14) | BIT(8), BIT(15) | BIT(9), BIT(19) | BIT(11)}, {5, 0, 5}},
        {{0, BIT(12), BIT(16), BIT(18), BIT(20)}, {0, 0, 5}},
        {{0, BIT(12) | BIT(7), BIT(13) | BIT(8), BIT(14) | BIT(9), BIT(15) | BIT(10)}, {5, 5, 0}},
        {{0, BIT(17), BIT(18), BIT(19), BIT(17) | BIT(18)}, {0, 5, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        cr_expect_eq(second_hits(CACHE_LINEAR, 32, cases[i].lines, 5), cases[i].hits[0], "case %zu, linear", i);
        cr_expect_eq(second_hits(CACHE_FERMI, 32, cases[i].lines, 5), cases[i].hits[1], "case %zu, fermi", i);
        cr_expect_eq(second_hits(CACHE_XOR, 32, cases[i].lines, 5), cases[i].hits[2], "case %zu, xor", i);
    }
}

/* Sets that are no power of two have no hash: the standard one is linear then. */
Test(set_hash, odd_numbers_of_sets_are_linear)
{
    uint32_t lines[5];
    for (uint32_t i = 0; i < 5; ++i)
        lines[i] = i * 3 * 128;
    cr_expect_eq(second_hits(CACHE_MULTIPLICATIVE, 3, lines, 5), 0);
    cr_expect_eq(second_hits(CACHE_LINEAR, 3, lines, 5), 0);
    for (uint32_t i = 0; i < 5; ++i)
        lines[i] = i * 6 * 128;
    cr_expect_eq(second_hits(CACHE_MULTIPLICATIVE, 6, lines, 5), 0);
    for (uint32_t i = 0; i < 5; ++i)
        lines[i] = i << 15;
    cr_expect_eq(second_hits(CACHE_LINEAR, 32, lines, 5), 0);
    cr_expect_gt(second_hits(CACHE_MULTIPLICATIVE, 32, lines, 5), 0);
}
