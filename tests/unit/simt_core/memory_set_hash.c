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

/* Lines that the fullest set would hold of the top words of all stacks of one core, of `cores` that take blocks in turn. */
static double fullest_set(const cache *c, uint32_t cores, uint32_t blocks, uint32_t warps, uint32_t words)
{
    uint32_t got[256] = {0}, most = 0;
    for (uint32_t block = 0; block < blocks; ++block)
        for (uint32_t warp = 0; warp < warps; ++warp)
            for (uint32_t word = 1; word <= words; ++word) {
                const uint32_t slot = block * cores + cores / 2;
                const uint64_t line = hd_private_address(slot, 1024, 32, warps, warp, 0, 4096 - 4 * word);
                got[cache_set(c, line) / c->parameters.ways]++;
            }
    for (uint32_t set = 0; set < c->tags.sets.count; ++set)
        most = got[set] > most ? got[set] : most;
    return most;
}

/* However many sets there are and whichever blocks it has: where many lines share a set, none has much more than twice as many. */
Test(set_hash, spreads_the_stacks_of_a_core_over_its_sets)
{
    static const uint32_t cores[] = {1, 2, 7, 8, 14, 15, 16, 28, 30, 56, 80};
    for (uint32_t sets = 8; sets <= 96; sets += sets < 32 ? 8 : 32) {
        cache c;
        cr_assert_eq(cache_create(&c, &(cache_parameters){.bytes = sets * 4 * 128,
                                                          .ways = 4,
                                                          .line_bytes = 128,
                                                          .mshrs = 1,
                                                          .merges = 1,
                                                          .set_hash = CACHE_MULTIPLICATIVE,
                                                          .replacement = &replacement_lru}),
                     0);
        for (size_t i = 0; i < sizeof cores / sizeof *cores; ++i)
            for (uint32_t blocks = 1; blocks <= 32 && blocks * cores[i] <= 1024; blocks *= 2)
                for (uint32_t warps = 1; warps * blocks <= 64; warps *= 2) {
                    const double mean = blocks * warps * 8.0 / c.tags.sets.count;
                    const double most = fullest_set(&c, cores[i], blocks, warps, 8);
                    cr_expect_leq(most, 2 * mean + 8, "%u sets, a core of %u, %u blocks of %u warps: %g, mean %g",
                                  c.tags.sets.count, cores[i], blocks, warps, most, mean);
                }
        cache_destroy(&c);
    }
}
