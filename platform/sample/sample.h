/* SPDX-License-Identifier: MIT */
/*
 * The same number from several runs: its mean, an interval that holds the true mean 95 times out of 100, and whether two
 * means differ by more than chance explains. All of it supposes that the means are distributed normally, which they nearly are
 * whatever the numbers are.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdint.h>

#define SAMPLE_CONFIDENCE 0.95

/* Zero at first. */
typedef struct sample {
    uint32_t count;
    double mean;
    double squares; /* sum of the squared distances from the mean */
} sample;

void sample_add(sample *of, double value);
/* Unbiased, that is over count - 1; 0 if there are fewer than 2. */
double sample_variance(const sample *of);
/* Of the interval of the mean: mean +- this, Student 1908. -1 if there are fewer than 2 numbers. */
double sample_half_width(const sample *of);

/* Welch 1947: do two samples have different means? Their variances may differ. */
typedef struct sample_test {
    double t;       /* the difference b - a over its standard error; 0 if there is none */
    double freedom; /* degrees of it, after Welch and Satterthwaite */
    double p;       /* how often chance alone makes a difference of this size, 0 .. 1 */
} sample_test;

/* Both have at least 2 numbers. Without any spread means differ (p = 0) or are the same (p = 1). */
sample_test sample_compare(const sample *a, const sample *b);
/* Is it beyond what chance explains, with 95 %? */
int sample_is_significant(const sample_test *of);

/* Student's distribution with `freedom` > 0 degrees. */
/* The probability that it lies beyond t on either side. */
double student_beyond(double t, double freedom);
/* The t beyond which it lies with probability p on either side, 0 < p < 1. */
double student_quantile(double p, double freedom);

#endif
