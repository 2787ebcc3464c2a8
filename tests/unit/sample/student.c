/* SPDX-License-Identifier: MIT */
/* Student's distribution against printed tables and against what is known exactly. */
#include <criterion/criterion.h>
#include <math.h>

#include "sample.h"

/* Printed with three decimals, as in Soong 2004, "Fundamentals of Probability and Statistics for Engineers", Table A.4 (after
 * Fisher 1925), and NIST/SEMATECH, "e-Handbook of Statistical Methods", 1.3.6.7.2: beyond it lie 2.5 % on each side. */
static const struct {
    double freedom, t;
} printed[] = {{1, 12.706}, {2, 4.303},  {3, 3.182},  {4, 2.776},  {5, 2.571},  {6, 2.447},  {7, 2.365},
               {8, 2.306},  {9, 2.262},  {10, 2.228}, {11, 2.201}, {12, 2.179}, {13, 2.160}, {14, 2.145},
               {15, 2.131}, {16, 2.120}, {17, 2.110}, {18, 2.101}, {19, 2.093}, {20, 2.086}, {21, 2.080},
               {22, 2.074}, {23, 2.069}, {24, 2.064}, {25, 2.060}, {26, 2.056}, {27, 2.052}, {28, 2.048},
               {29, 2.045}, {30, 2.042}, {40, 2.021}, {60, 2.000}, {100, 1.984}};

Test(student, quantiles_are_those_of_printed_tables)
{
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++)
        cr_expect(fabs(student_quantile(0.05, printed[i].freedom) - printed[i].t) <= 0.00051, "%g: %.6f",
                  printed[i].freedom, student_quantile(0.05, printed[i].freedom));
}

/* The same tables: 1 %, 0.1 % and 20 % on both sides together. */
Test(student, quantiles_of_other_probabilities)
{
    cr_expect_float_eq(student_quantile(0.01, 1), 63.657, 0.0006);
    cr_expect_float_eq(student_quantile(0.01, 10), 3.169, 0.0006);
    cr_expect_float_eq(student_quantile(0.001, 5), 6.869, 0.0006);
    cr_expect_float_eq(student_quantile(0.001, 20), 3.850, 0.0006);
    cr_expect_float_eq(student_quantile(0.20, 30), 1.310, 0.0006);
    cr_expect_float_eq(student_quantile(0.05, 1e6), 1.960, 0.0006); /* of the normal distribution */
}

/* With one degree it is Cauchy's, with two it has a closed form as well. */
Test(student, small_degrees_agree_with_closed_forms)
{
    for (double t = 1e-6; t < 1e6; t *= 3.7) {
        const double cauchy = 2 / M_PI * atan(1 / t), two = 1 - t / sqrt(2 + t * t);
        const double two_exact = t > 100 ? 2 / (sqrt(2 + t * t) * (sqrt(2 + t * t) + t)) : two;
        cr_expect_float_eq(student_beyond(t, 1) / cauchy, 1, 1e-9, "t %g", t);
        cr_expect_float_eq(student_beyond(t, 2) / two_exact, 1, 1e-9, "t %g", t);
        cr_expect_float_eq(student_beyond(-t, 2), student_beyond(t, 2), 1e-15);
    }
}

Test(student, ends)
{
    cr_expect_eq(student_beyond(0, 7), 1);
    cr_expect_eq(student_beyond(INFINITY, 7), 0);
    cr_expect_lt(student_beyond(1e300, 7), 1e-300);
}
