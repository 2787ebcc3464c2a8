/* SPDX-License-Identifier: MIT */
/*
 * Names of units in netlists and default values: X(unit, name, factor to the unit of hd_value.u).
 * Ascending within a unit; the first is the unit of hd_value.u.
 */
#ifndef HD_UNITS_H
#define HD_UNITS_H

#include "hd_block.h"

#define HD_UNIT_NAMES(X)                                                                                               \
    X(HD_UNIT_BYTES, "B", 1)                                                                                           \
    X(HD_UNIT_BYTES, "KiB", UINT64_C(1) << 10)                                                                         \
    X(HD_UNIT_BYTES, "MiB", UINT64_C(1) << 20)                                                                         \
    X(HD_UNIT_BYTES, "GiB", UINT64_C(1) << 30)                                                                         \
    X(HD_UNIT_CYCLES, "cycles", 1)                                                                                     \
    X(HD_UNIT_CYCLES, "cycle", 1)                                                                                      \
    X(HD_UNIT_SECONDS, "ps", 1)                                                                                        \
    X(HD_UNIT_SECONDS, "ns", 1000)                                                                                     \
    X(HD_UNIT_SECONDS, "us", 1000000)                                                                                  \
    X(HD_UNIT_SECONDS, "ms", 1000000000)                                                                               \
    X(HD_UNIT_SECONDS, "s", HD_PS_PER_SECOND)                                                                          \
    X(HD_UNIT_HERTZ, "Hz", 1)                                                                                          \
    X(HD_UNIT_HERTZ, "kHz", 1000)                                                                                      \
    X(HD_UNIT_HERTZ, "MHz", 1000000)                                                                                   \
    X(HD_UNIT_HERTZ, "GHz", 1000000000)

#endif
