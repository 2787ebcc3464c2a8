/* SPDX-License-Identifier: MIT */
/* The fma of doubles that kernels are linked with, bit by bit as the host's. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

double kernel_fma(double x, double y, double z);

enum { CASES = 300000 };

static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * UINT64_C(0x2545F4914F6CDD1D);
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Of all kinds: any bits, near 1, subnormal, the ends of the range, with two ones, and small so that products are subnormal. */
static double number(uint64_t *state)
{
    static const double ends[] = {0, INFINITY, NAN, 1, 0x1p-1022, 0x1p-1074, 0x1.fffffffffffffp1023, 2};
    const uint64_t bits = next(state), sign = bits & UINT64_C(1) << 63, fraction = bits & ((UINT64_C(1) << 52) - 1);
    const uint64_t choice = next(state);
    switch (choice % 6) {
    case 0: return double_of(bits);
    case 1: return double_of(sign | (983 + choice / 8 % 80) << 52 | fraction);
    case 2: return double_of(sign | fraction >> choice / 8 % 52);
    case 3: return copysign(ends[choice / 8 % 8], sign ? -1 : 1);
    case 4: return double_of(sign | (choice / 64 % 2047) << 52 | UINT64_C(1) << choice / 262144 % 52);
    default: return double_of(sign | (460 + choice / 8 % 120) << 52 | fraction);
    }
}

/* Any, or what cancels the product, all of it or nearly, or is smaller or larger by some powers of 2: ties among them. */
static double added(double x, double y, uint64_t *state)
{
    const uint64_t choice = next(state);
    switch (choice % 4) {
    case 0: return number(state);
    case 1: return -(x * y);
    case 2: return ldexp(x * y, (int)(choice / 4 % 120) - 60);
    default: return nextafter(-(x * y), 0);
    }
}

static void expect_fma(double x, double y, double z)
{
    const double got = kernel_fma(x, y, z), expected = fma(x, y, z);
    cr_assert(isnan(expected) ? isnan(got) : bits_of(got) == bits_of(expected), "fma(%a, %a, %a) is %a, not %a", x, y,
              z, got, expected);
}

Test(fma, rounds_once_as_the_host_does)
{
    uint64_t state = UINT64_C(88172645463325252);
    for (int i = 0; i < CASES; i++) {
        const double x = number(&state), y = number(&state);
        expect_fma(x, y, added(x, y, &state));
    }
}

/* Halfway between two doubles, and a last bit or the least of numbers beside that, of normal and of subnormal results. */
Test(fma, breaks_ties_to_even)
{
    const double more = 1 + 0x1p-52;
    const double products[][2] = {{more, 0x1p-53},
                                  {3, 0x1p-53},
                                  {1, 0x1p-53},
                                  {more, 1.5},
                                  {3 * more, 0.5},
                                  {more, more * 0x1p-53},
                                  {0x1p25 + 1, 0x1p-78 - 0x1p-103 + 0x1p-128}, /* 2^-53 + 2^-128 */
                                  {1, 0x1p-1074},
                                  {0x1p-600, 0x1p-475},
                                  {more * 0x1p-600, 0x1p-475}};
    const double sums[] = {1, more, 0x1p-125, 0x1p-200, 0x1p-1074, 0x1p-1022, 3 * 0x1p-1074};
    for (size_t p = 0; p < sizeof products / sizeof *products; p++)
        for (size_t s = 0; s < sizeof sums / sizeof *sums; s++)
            for (int signs = 0; signs < 4; signs++)
                expect_fma(signs & 1 ? -products[p][0] : products[p][0], products[p][1],
                           signs & 2 ? -sums[s] : sums[s]);
}
