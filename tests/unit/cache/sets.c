/* SPDX-License-Identifier: MIT */
/* Which set a line goes to, by each hash. */
#include "cache_sets.h"

#include <criterion/criterion.h>
#include <stddef.h>

#include "kit_random.h"

static uint32_t bit(uint64_t value, uint32_t n)
{
    return (uint32_t)(value >> n & 1);
}

/* Of GTX 480's L1, by address bits, written out (known answer K22). */
static uint32_t fermi(uint64_t a, uint32_t sets)
{
    return (bit(a, 7) ^ bit(a, 13)) | (bit(a, 8) ^ bit(a, 14)) << 1 | (bit(a, 9) ^ bit(a, 15)) << 2 |
           (bit(a, 10) ^ bit(a, 17)) << 3 | (bit(a, 11) ^ bit(a, 19)) << 4 | (sets == 64 ? bit(a, 12) << 5 : 0);
}

Test(cache_sets, each_hash_is_its_formula)
{
    uint64_t seed = 1;
    for (uint32_t i = 0; i < 2000; i++) {
        const uint64_t number = kit_random(&seed) >> (7 + i % 40);
        cache_sets sets;
        cache_sets_init(&sets, CACHE_LINEAR, 32);
        cr_assert_eq(cache_set_of(&sets, number), number % 32);
        cache_sets_init(&sets, CACHE_XOR, 32);
        cr_assert_eq(cache_set_of(&sets, number), (number ^ number >> 5) % 32);
        cache_sets_init(&sets, CACHE_MULTIPLICATIVE, 32);
        cr_assert_eq(cache_set_of(&sets, number), number % 32 ^ (number >> 5) * UINT64_C(0x9E3779B97F4A7C15) >> 59);
        for (uint32_t count = 32; count <= 64; count *= 2) {
            cache_sets_init(&sets, CACHE_FERMI, count);
            cr_assert_eq(cache_set_of(&sets, number), fermi(number * 128, count), "%u sets", count);
        }
    }
}

/* x^5 + x^2 + 1, one bit of the number after another. */
static uint32_t remainder_of(uint64_t number)
{
    uint32_t remainder = 0;
    for (uint32_t i = 64; i-- > 0;) {
        remainder = remainder << 1 | bit(number, i);
        remainder ^= remainder >> 5 ? 0x25 : 0;
    }
    return remainder;
}

Test(cache_sets, ipoly_is_a_remainder)
{
    cache_sets sets;
    uint64_t seed = 2;
    cache_sets_init(&sets, CACHE_IPOLY, 32);
    for (uint32_t i = 0; i < 1000; i++) {
        const uint64_t number = kit_random(&seed) >> 7;
        cr_assert_eq(cache_set_of(&sets, number), remainder_of(number));
    }
}

Test(cache_sets, odd_numbers_of_sets_are_linear_where_they_are_allowed)
{
    static const uint32_t hashes[] = {CACHE_LINEAR, CACHE_MULTIPLICATIVE};
    uint64_t seed = 3;
    for (size_t h = 0; h < 2; h++)
        for (uint32_t count = 1; count < 100; count += count < 7 ? 1 : 31) {
            cache_sets sets;
            cr_expect_null(cache_sets_refuse(hashes[h], count, 64));
            cache_sets_init(&sets, hashes[h], count);
            for (uint32_t i = 0; i < 100; i++) {
                const uint64_t number = kit_random(&seed);
                cr_assert_lt(cache_set_of(&sets, number), count);
                if (count & (count - 1) || count == 1)
                    cr_assert_eq(cache_set_of(&sets, number), number % count);
            }
        }
}

/* Of a run of as many lines as there are sets, each set has one, wherever the run begins. */
Test(cache_sets, neighbours_go_to_different_sets)
{
    uint64_t seed = 4;
    for (uint32_t hash = CACHE_LINEAR; hash <= CACHE_IPOLY; hash++)
        for (uint32_t i = 0; i < 50; i++) {
            const uint64_t begin = kit_random(&seed) >> 7 & ~UINT64_C(63);
            uint64_t seen = 0;
            cache_sets sets;
            cache_sets_init(&sets, hash, 64);
            for (uint64_t number = begin; number < begin + 64; number++)
                seen |= UINT64_C(1) << cache_set_of(&sets, number);
            cr_expect_eq(seen, UINT64_MAX, "hash %u", hash);
        }
}

Test(cache_sets, what_is_not_defined_is_refused)
{
    cr_expect_not_null(cache_sets_refuse(CACHE_FERMI, 16, 128));
    cr_expect_not_null(cache_sets_refuse(CACHE_FERMI, 32, 64));
    cr_expect_null(cache_sets_refuse(CACHE_FERMI, 32, 128));
    cr_expect_null(cache_sets_refuse(CACHE_FERMI, 64, 128));
    for (uint32_t hash = CACHE_XOR; hash <= CACHE_IPOLY; hash++) {
        cr_expect_not_null(cache_sets_refuse(hash, 48, 128));
        cr_expect_null(cache_sets_refuse(hash, 16, 128));
    }
}
