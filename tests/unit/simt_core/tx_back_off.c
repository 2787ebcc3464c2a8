/* SPDX-License-Identifier: MIT */
/* How long warps wait before they try again: the laws by themselves, and in the core. */
#include "back_off.h"
#include "tx_program.h"

#include <criterion/criterion.h>

/* ---- Laws: expected values are from their definitions, by hand --------------------------------------------------------- */

typedef struct wait {
    back_off parameters;
    uint32_t failures;
    uint64_t random, cycles;
} wait;

static void expect_waits(const wait *waits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t cycles = back_off_cycles(&waits[i].parameters, waits[i].failures, waits[i].random);
        cr_expect_eq(cycles, waits[i].cycles, "row %zu: %lu, not %lu", i, cycles, waits[i].cycles);
    }
}
#define EXPECT_WAITS(...) expect_waits((const wait[]){__VA_ARGS__}, sizeof((const wait[]){__VA_ARGS__}) / sizeof(wait))

#define BINARY(base, exponent, maximum)                                                                                \
    {                                                                                                                  \
        BACK_OFF_EXPONENTIAL, base, exponent, maximum                                                                  \
    }
Test(tx_back_off, exponential_is_uniform_in_a_range_that_doubles)
{
    EXPECT_WAITS({BINARY(64, 7, 0), 1, 127, 127}, {BINARY(64, 7, 0), 1, 128, 0}, {BINARY(64, 7, 0), 2, 128, 128},
                 {BINARY(64, 7, 0), 2, 257, 1}, {BINARY(64, 7, 0), 7, 8191, 8191}, {BINARY(64, 7, 0), 8, 8197, 5},
                 {BINARY(64, 7, 0), UINT32_MAX, 8197, 5}, {BINARY(64, 0, 0), 9, 65, 1}, {BINARY(3, 1, 0), 1, 11, 5},
                 {BINARY(65536, 16, 0), 16, UINT32_MAX, UINT32_MAX});
}

Test(tx_back_off, exponential_is_uniform_below_its_maximum)
{
    EXPECT_WAITS({BINARY(64, 7, 100), 1, 127, 27}, {BINARY(64, 7, 100), 7, 199, 99}, {BINARY(64, 7, 100), 7, 100, 0},
                 {BINARY(64, 7, 128), 1, 127, 127}, {BINARY(64, 7, 1000), 1, 129, 1});
}

#define LINEAR(base, maximum)                                                                                          \
    {                                                                                                                  \
        BACK_OFF_LINEAR, base, 7, maximum                                                                              \
    }
Test(tx_back_off, linear_grows_by_its_base_up_to_its_maximum)
{
    EXPECT_WAITS({LINEAR(500, 5000), 1, 0, 500}, {LINEAR(500, 5000), 2, 0, 1000}, {LINEAR(500, 5000), 9, 0, 4500},
                 {LINEAR(500, 5000), 10, 0, 5000}, {LINEAR(500, 5000), 11, 0, 5000},
                 {LINEAR(500, 5000), UINT32_MAX, 0, 5000}, {LINEAR(500, 0), 11, 0, 5500}, {LINEAR(500, 750), 2, 0, 750},
                 {LINEAR(65536, 0), UINT32_MAX, 0, 65536ull * UINT32_MAX});
}

#define MODULO(base, maximum)                                                                                          \
    {                                                                                                                  \
        BACK_OFF_PUBLISHED, base, 7, maximum                                                                           \
    }
Test(tx_back_off, published_takes_failures_modulo_one_of_ten_numbers)
{
    EXPECT_WAITS({MODULO(500, 5000), 1, 0, 0}, {MODULO(500, 5000), 1, 1, 500}, {MODULO(500, 5000), 1, 10, 0},
                 {MODULO(500, 5000), 7, 3, 1500}, {MODULO(500, 5000), 7, 19, 3500}, {MODULO(500, 5000), 7, 6, 0},
                 {MODULO(500, 5000), 9, 9, 4500}, {MODULO(500, 5000), 10, 9, 0}, {MODULO(500, 5000), 19, 8, 500},
                 {MODULO(500, 5000), UINT32_MAX, 9, 2500}, {MODULO(500, 2000), 9, 9, 2000},
                 {MODULO(1000, 5000), 9, 9, 5000}, {MODULO(1000, 0), 9, 9, 9000});
}

Test(tx_back_off, without_a_base_there_is_none)
{
    for (uint64_t law = 0; law < BACK_OFF_LAW_COUNT; law++) {
        const back_off none = {law, 0, 7, 5000}, some = {law, 1, 7, 5000};
        cr_expect_eq(back_off_cycles(&none, 3, 12345), 0);
        cr_expect(!back_off_is_random(&none));
        cr_expect_eq(back_off_is_random(&some), law != BACK_OFF_LINEAR);
    }
}

/* ---- In the core ------------------------------------------------------------------------------------------------------ */

#define RETRIES 5u

/* One lane, whose access is refused so often: how long it waits between the first request and the last. */
static uint64_t cycles_of_retries(const char *law, const char *base, const char *limit)
{
    const char *const parameters[] = {law, base, limit, "tx.log_traffic=none", NULL};
    const uint32_t words[] = {PROLOGUE, begin_tx(1), lw(T1, 0, A0), commit_tx(), ret(), 0};
    getm_rig *g = getm_rig_create(parameters, words);
    g->refuse = RETRIES;
    getm_rig_launch(g, 1);
    getm_rig_finish(g);
    cr_assert_eq(g->seen.loads, RETRIES + 1);
    const uint64_t cycles = (g->last_at - g->first_at) / kit_cycles(rig_kit(g->rig), 1);
    getm_rig_destroy(g);
    return cycles;
}

static uint64_t without_back_off(void)
{
    return cycles_of_retries("tx.back_off.law=exponential", "tx.back_off.base=0 cycles", "tx.back_off.exponent=7");
}

static uint64_t exponential(const char *base, const char *limit)
{
    return cycles_of_retries("tx.back_off.law=exponential", base, limit);
}

Test(tx_back_off, retries_wait_longer_and_longer)
{
    const char *const base = "tx.back_off.base=64 cycles";
    const uint64_t least = without_back_off();
    const uint64_t flat = exponential(base, "tx.back_off.exponent=0");
    const uint64_t growing = exponential(base, "tx.back_off.exponent=7");
    const uint64_t bounded = exponential(base, "tx.back_off.exponent=2");
    const uint64_t limited = exponential(base, "tx.back_off.maximum=64 cycles");
    cr_expect(flat > least && flat < least + 5 * 64, "%lu, %lu", least, flat);
    cr_expect(growing > bounded && growing < least + 64 * (2 + 4 + 8 + 16 + 32), "%lu", growing);
    cr_expect(bounded > flat && bounded < least + 64 * (2 + 4 + 4 + 4 + 4), "%lu", bounded);
    cr_expect_eq(limited, flat);
}

Test(tx_back_off, retries_wait_as_long_as_the_linear_law_says)
{
    const char *const law = "tx.back_off.law=linear", *const base = "tx.back_off.base=500 cycles";
    const uint64_t least = without_back_off();
    const uint64_t free = cycles_of_retries(law, base, "tx.back_off.maximum=0 cycles");
    const uint64_t limited = cycles_of_retries(law, base, "tx.back_off.maximum=1200 cycles");
    cr_expect_eq(free - least, 500 * (1 + 2 + 3 + 4 + 5), "%lu, %lu", least, free);
    cr_expect_eq(limited - least, 500 + 1000 + 3 * 1200, "%lu, %lu", least, limited);
}

/* The draws are not known here: multiples of the base, of which each is below the number of failures, or that number. */
Test(tx_back_off, retries_wait_multiples_of_the_base_by_the_published_law)
{
    const char *const law = "tx.back_off.law=published", *const base = "tx.back_off.base=500 cycles";
    const uint64_t waited = cycles_of_retries(law, base, "tx.back_off.maximum=5000 cycles") - without_back_off();
    cr_expect_eq(waited % 500, 0, "%lu", waited);
    cr_expect(waited > 0 && waited < 500 * (1 + 2 + 3 + 4 + 5), "%lu", waited);
}
