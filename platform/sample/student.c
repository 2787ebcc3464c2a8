/* SPDX-License-Identifier: MIT */
/* Student's distribution from the incomplete beta function: Abramowitz and Stegun 1964, 26.5.8, 26.5.27 and 26.7.1. */
#include "sample.h"

#include <math.h>

#define TERMS_MAX 10000
#define EXACT 1e-15
#define TINY 1e-300

static double beside_zero(double x)
{
    return fabs(x) < TINY ? TINY : x;
}

/* The numerator of term `term` (1, 2, ...) of the continued fraction. */
static double numerator(double a, double b, double x, int term)
{
    const double m = term / 2;
    if (term % 2)
        return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
}

/* 1 / (1 + d1 / (1 + d2 / (1 + ...))), from the front: Lentz 1976. It is soon there where x < (a + 1) / (a + b + 2). */
static double fraction(double a, double b, double x)
{
    double value = 1, above = 1, below = 0;
    for (int term = 1; term < TERMS_MAX; term++) {
        const double d = numerator(a, b, x, term);
        below = 1 / beside_zero(1 + d * below);
        above = beside_zero(1 + d / above);
        value *= above * below;
        if (fabs(above * below - 1) < EXACT)
            break;
    }
    return 1 / value;
}

/* I_x(a, b), where y = 1 - x is known better than by subtraction. */
static double incomplete_beta(double a, double b, double x, double y)
{
    if (x <= 0)
        return 0;
    const double front = exp(a * log(x) + b * log(y) + lgamma(a + b) - lgamma(a) - lgamma(b));
    if (x < (a + 1) / (a + b + 2))
        return front * fraction(a, b, x) / a;
    return 1 - front * fraction(b, a, y) / b;
}

double student_beyond(double t, double freedom)
{
    const double square = t * t;
    if (square == 0)
        return 1;
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + square), square / (freedom + square));
}

double student_quantile(double p, double freedom)
{
    double low = 0, high = 1;
    while (student_beyond(high, freedom) > p)
        high *= 2;
    for (double middle; low < (middle = (low + high) / 2) && middle < high;) {
        if (student_beyond(middle, freedom) > p)
            low = middle;
        else
            high = middle;
    }
    return high;
}
