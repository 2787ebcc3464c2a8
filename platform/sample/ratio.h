/* SPDX-License-Identifier: MIT */
/*
 * A total from windows of a systematic sample: of a quantity (time) per unit of another one (instructions), whose total is known, by
 * strata.
 *
 * Separate ratio estimator, Cochran 1977, Sampling Techniques, 3rd ed., 6.3, 6.4 and 6.10: in each stratum R = sum y / sum x; its
 * variance is that of the distances y - R x, over n and the squared mean of x. Strata are known afterwards (post-stratification,
 * 5A.9). A systematic sample with a random start is treated as a simple random one, as by Wunderlich et al. 2003 (SMARTS). The
 * interval is Student's with n - strata degrees of freedom. A stratum of fewer than 2 windows is joined to the nearest one.
 */
#ifndef SAMPLE_RATIO_H
#define SAMPLE_RATIO_H

#include <stdint.h>

#define RATIO_STRATA 4u

typedef struct ratio_window {
    double x; /* of the quantity whose total is known, > 0 */
    double y;
    uint32_t stratum; /* below RATIO_STRATA */
} ratio_window;

typedef struct ratio_estimate {
    double total;      /* of y */
    double half_width; /* the interval is total +- this, SAMPLE_CONFIDENCE; -1: it is not known, of fewer than 2 windows */
} ratio_estimate;

/* totals[stratum]: all x of it, those of its windows included. */
ratio_estimate ratio_of(const ratio_window *windows, uint32_t count, const double *totals);

#endif
