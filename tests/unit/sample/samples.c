/* SPDX-License-Identifier: MIT */
/* Means, intervals and tests against examples of others. */
#include <criterion/criterion.h>
#include <math.h>

#include "sample.h"

static sample sample_of(const double *values, size_t count)
{
    sample result = {0};
    for (size_t i = 0; i < count; i++)
        sample_add(&result, values[i]);
    return result;
}
#define SAMPLE(...) sample_of((const double[]){__VA_ARGS__}, sizeof(double[]){__VA_ARGS__} / sizeof(double))

Test(sample, of_few_numbers)
{
    const sample none = {0}, one = SAMPLE(7.5), two = SAMPLE(1, 3);
    cr_expect_eq(none.count, 0);
    cr_expect_eq(sample_half_width(&none), -1);
    cr_expect_eq(one.mean, 7.5);
    cr_expect_eq(sample_variance(&one), 0);
    cr_expect_eq(sample_half_width(&one), -1);
    cr_expect_eq(two.mean, 2);
    cr_expect_eq(sample_variance(&two), 2);
    cr_expect_float_eq(sample_half_width(&two), 12.706, 0.0006); /* t of one degree, standard error 1 */
}

/* Student 1908, the hours of sleep that two drugs added: the data set "sleep" of R, and what its t.test prints for it. */
#define FIRST_DRUG 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0
#define SECOND_DRUG 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4

Test(sample, students_sleep)
{
    const sample first = SAMPLE(FIRST_DRUG), second = SAMPLE(SECOND_DRUG);
    const sample_test test = sample_compare(&first, &second);
    cr_expect_float_eq(first.mean, 0.75, 1e-12);
    cr_expect_float_eq(second.mean, 2.33, 1e-12);
    cr_expect_float_eq(test.t, 1.8608, 0.00006);
    cr_expect_float_eq(test.freedom, 17.776, 0.0006);
    cr_expect_float_eq(test.p, 0.07939, 0.000006);
    cr_expect_eq(sample_is_significant(&test), 0);
    /* Its interval of the difference, -3.3654832 .. 0.2054832, is as wide as that of the means says. */
    const double half = student_quantile(0.05, test.freedom) * (second.mean - first.mean) / test.t;
    cr_expect_float_eq(second.mean - first.mean + half, 3.3654832, 1e-6);
}

/* Unequal sizes and variances: an example of Wikipedia's "Welch's t-test", and Rosetta Code's task of that name. */
Test(sample, of_unequal_size)
{
    const sample x = SAMPLE(3.0, 4.0, 1.0, 2.1), y = SAMPLE(490.2, 340.0, 433.9);
    const sample_test test = sample_compare(&x, &y);
    cr_expect_float_eq(test.p, 0.010751561149784485, 1e-9);
    cr_expect_eq(sample_is_significant(&test), 1);
    const sample a = SAMPLE(17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8);
    const sample b = SAMPLE(21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8, 20.7, 21.7, 21.5, 22.5, 23.6,
                            21.5, 22.5, 23.5, 21.5, 21.8);
    cr_expect_float_eq(sample_compare(&a, &b).p, 0.14884169660532798, 1e-9);
    cr_expect_float_eq(sample_compare(&a, &b).freedom, 9.9, 0.06);
}

Test(sample, without_spread)
{
    const sample same = SAMPLE(5, 5, 5), other = SAMPLE(6, 6), wide = SAMPLE(5, 7);
    cr_expect_eq(sample_half_width(&same), 0);
    cr_expect_eq(sample_compare(&same, &same).p, 1);
    cr_expect_eq(sample_compare(&same, &other).p, 0);
    cr_expect_eq(sample_compare(&same, &other).t, 0);
    const sample_test test = sample_compare(&same, &wide); /* only one of them has any */
    cr_expect_float_eq(test.freedom, 1, 1e-12);
    cr_expect_float_eq(test.p, 0.5, 1e-9); /* t = 1 of one degree: a quarter of a turn */
}

/* Numbers beside which their differences are small, as cycles are. */
Test(sample, of_large_numbers)
{
    const sample large = SAMPLE(1e15 + 1, 1e15 + 2, 1e15 + 3);
    cr_expect_float_eq(large.mean - 1e15, 2, 0.2);
    cr_expect_float_eq(sample_variance(&large), 1, 0.2);
}
