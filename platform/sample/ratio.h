/* SPDX-License-Identifier: MIT */
/*
 * A total from windows of a systematic sample: of a quantity (cycles) per unit of another one (instructions), whose total is known.
 *
 * Ratio estimator, Cochran 1977, Sampling Techniques, 3rd ed., 6.3 and 6.4: R = sum y / sum x; its variance is that of the distances
 * y - R x over n times the squared mean of x. A systematic sample with a random start is treated as a simple random one, as by
 * Wunderlich et al. 2003 (SMARTS); the interval is Student's with n - 1 degrees of freedom.
 */
#ifndef SAMPLE_RATIO_H
#define SAMPLE_RATIO_H

#include <stdint.h>

typedef struct ratio_window {
    double x; /* of the quantity whose total is known, > 0 in sum */
    double y;
} ratio_window;

typedef struct ratio_estimate {
    double ratio;      /* y per x */
    double half_width; /* the interval is ratio +- this, SAMPLE_CONFIDENCE; -1: there are fewer than 2 windows */
    uint32_t windows;
} ratio_estimate;

/* share: of all x, how much lies in the windows, 0 .. 1: what was seen is no longer guessed. */
ratio_estimate ratio_of(const ratio_window *windows, uint32_t count, double share);

#endif
