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
    BOWS_PARAMETERS
};

enum { BOWS_EMPTY_SKIPPED, BOWS_EMPTY_INFINITE };

enum bows_statistic {
    BOWS_BACKED_OFF,
    BOWS_BACKED_OFF_CYCLES,
    BOWS_DELAYS,
    BOWS_DELAY_CYCLES,
    BOWS_DELAYED,
    BOWS_LIMIT_MAXIMUM,
    BOWS_STATISTICS
};

#define BOWS_PENDING_BITS 14u /* of a counter of pending cycles: ElTantawy 2018, Table 6.2 */
#define BOWS_PENDING_MAX ((1u << BOWS_PENDING_BITS) - 1)

#endif
