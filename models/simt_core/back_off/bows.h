/* SPDX-License-Identifier: MIT */
/* Parameters and statistics of BOWS. */
#ifndef SIMT_CORE_BOWS_H
#define SIMT_CORE_BOWS_H

enum bows_parameter {
    BOWS_MINIMUM,
    BOWS_RANGE,
    BOWS_WINDOW,
    BOWS_STEP,
    BOWS_SHARE,
    BOWS_DECLINE,
    BOWS_EMPTY_WINDOW,
    BOWS_PATIENCE,
    BOWS_PARAMETERS
};

enum { BOWS_EMPTY_SKIPPED, BOWS_EMPTY_INFINITE };

/* Of the histogram of limits: X(up to so many cycles, more than so many). */
#define BOWS_LIMIT_BUCKETS(X)                                                                                          \
    X(0, none)                                                                                                         \
    X(1000, 0)                                                                                                         \
    X(2000, 1000)                                                                                                      \
    X(4000, 2000)                                                                                                      \
    X(6000, 4000)                                                                                                      \
    X(8000, 6000)                                                                                                      \
    X(16383, 8000)

enum bows_statistic {
    BOWS_BACKED_OFF,
    BOWS_BACKED_OFF_CYCLES,
    BOWS_DELAYS,
    BOWS_DELAY_CYCLES,
    BOWS_DELAYED,
    BOWS_LIMIT_MAXIMUM,
    BOWS_BACKED_OFF_MAXIMUM,
#define BOWS_LIMIT_BUCKET(cycles, more_than) BOWS_LIMIT_##cycles,
    BOWS_LIMIT_BUCKETS(BOWS_LIMIT_BUCKET)
#undef BOWS_LIMIT_BUCKET
        BOWS_STATISTICS
};

#define BOWS_PENDING_BITS 14u /* of a counter of pending cycles: ElTantawy 2018, Table 6.2 */
#define BOWS_PENDING_MAX ((1u << BOWS_PENDING_BITS) - 1)

#endif
