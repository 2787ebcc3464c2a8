/* SPDX-License-Identifier: MIT */
#include "sample.h"

#include <math.h>

/* Welford 1962: no difference of large numbers. */
void sample_add(sample *of, double value)
{
    const double before = value - of->mean;
    of->count++;
    of->mean += before / of->count;
    of->squares += before * (value - of->mean);
}

double sample_variance(const sample *of)
{
    return of->count > 1 ? of->squares / (of->count - 1) : 0;
}

/* Of the mean, squared. */
static double standard_error(const sample *of)
{
    return sample_variance(of) / of->count;
}

double sample_half_width(const sample *of)
{
    if (of->count < 2)
        return -1;
    return student_quantile(1 - SAMPLE_CONFIDENCE, of->count - 1) * sqrt(standard_error(of));
}

sample_test sample_compare(const sample *a, const sample *b)
{
    const double of_a = standard_error(a), of_b = standard_error(b), both = of_a + of_b;
    if (!(both > 0))
        return (sample_test){.freedom = a->count + b->count - 2, .p = a->mean == b->mean};
    sample_test result = {.t = (b->mean - a->mean) / sqrt(both)};
    result.freedom = both * both / (of_a * of_a / (a->count - 1) + of_b * of_b / (b->count - 1));
    result.p = student_beyond(result.t, result.freedom);
    return result;
}

int sample_is_significant(const sample_test *of)
{
    return of->p < 1 - SAMPLE_CONFIDENCE;
}
