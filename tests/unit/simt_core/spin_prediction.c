/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "prediction.h"

static prediction p;

static void start(void)
{
    p = (prediction){.capacity = 3, .threshold = 4};
}

Test(spin_prediction, confidence_rises_and_falls_until_the_branch_is_known, .init = start)
{
    static const uint32_t spins[] = {1, 1, 0, 1, 1, 1}, confidence[] = {1, 2, 1, 2, 3, 4};
    for (uint32_t i = 0; i < 6; i++) {
        const enum spin_verdict verdict = prediction_take(&p, 0x98, spins[i]);
        cr_expect_eq(p.entries[0].confidence, confidence[i], "step %u", i);
        cr_expect_eq(verdict, i == 5 ? SPIN_FOUND : SPIN_NOT, "step %u", i);
    }
    for (uint32_t i = 0; i < 10; i++)
        cr_expect_eq(prediction_take(&p, 0x98, 0), SPIN_KNOWN);
    cr_expect_eq(p.entries[0].confidence, 4);
    cr_expect_eq(p.count, 1);
}

Test(spin_prediction, who_does_not_spin_enters_nothing, .init = start)
{
    cr_expect_eq(prediction_take(&p, 4, 0), SPIN_NOT);
    cr_expect_eq(p.count, 0);
    prediction_take(&p, 4, 1);
    for (uint32_t i = 0; i < 3; i++)
        prediction_take(&p, 4, 0);
    cr_expect_eq(p.entries[0].confidence, 0);
}

Test(spin_prediction, the_least_sure_goes_and_never_a_known_one, .init = start)
{
    for (uint32_t i = 0; i < 4; i++)
        prediction_take(&p, 0x10, 1);
    for (uint32_t i = 0; i < 3; i++)
        prediction_take(&p, 0x20, 1);
    prediction_take(&p, 0x30, 1);
    prediction_take(&p, 0x30, 1);
    cr_expect_eq(p.count, 3);
    prediction_take(&p, 0x40, 1);
    cr_expect_eq(p.entries[2].pc, 0x40);
    cr_expect_eq(p.entries[2].confidence, 1);
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_eq(prediction_take(&p, 0x40, 1), i == 2 ? SPIN_FOUND : SPIN_NOT);
    cr_expect_eq(prediction_take(&p, 0x20, 1), SPIN_FOUND);
    cr_expect_eq(p.dropped, 0);
    for (uint32_t i = 0; i < 9; i++)
        cr_expect_eq(prediction_take(&p, 0x50, 1), SPIN_NOT);
    cr_expect_eq(p.dropped, 9);
    cr_expect_eq(prediction_take(&p, 0x10, 0), SPIN_KNOWN);
}

Test(spin_prediction, of_equal_ones_the_first_goes, .init = start)
{
    for (uint32_t pc = 0x10; pc <= 0x40; pc += 0x10)
        prediction_take(&p, pc, 1);
    cr_expect_eq(p.entries[0].pc, 0x40);
    cr_expect_eq(p.entries[1].pc, 0x20);
    cr_expect_eq(p.entries[2].pc, 0x30);
}

Test(spin_prediction, a_threshold_of_one_needs_one)
{
    p = (prediction){.capacity = 1, .threshold = 1};
    cr_expect_eq(prediction_take(&p, 0x10, 1), SPIN_FOUND);
    cr_expect_eq(prediction_take(&p, 0x10, 0), SPIN_KNOWN);
    prediction_clear(&p);
    cr_expect_eq(prediction_take(&p, 0x10, 0), SPIN_NOT);
}
