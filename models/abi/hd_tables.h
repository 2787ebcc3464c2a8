/* SPDX-License-Identifier: MIT */
/*
 * A block's parameters and statistics as lists, from which its declaration, its numbers and its counters are made:
 *
 *   #define TIMER_PARAMETERS(X) X(LIMIT, "limit", UNSIGNED, CYCLES, "8 cycles", 1, 64, NULL, "time between two interrupts")
 *   enum { TIMER_PARAMETERS(HD_PARAMETER_NUMBER) PARAMETER_COUNT };
 *   static const hd_parameter parameters[PARAMETER_COUNT] = {TIMER_PARAMETERS(HD_PARAMETER_ROW)};
 *
 *   #define TIMER_STATISTICS(X) X(rings, "rings", "interrupts", COUNT, "interrupts raised")
 *   typedef struct timer_counters { TIMER_STATISTICS(HD_COUNTER) } timer_counters;
 *   static const hd_statistic statistics[] = {TIMER_STATISTICS(HD_STATISTIC_ROW)};
 */
#ifndef HD_TABLES_H
#define HD_TABLES_H

#include "hd_block.h"

#define HD_UNIT_UNITLESS HD_UNITLESS

/* X(identifier, name, type, unit, default, minimum, maximum, choices, doc): types HD_TYPE_*, units HD_UNIT_* or UNITLESS. The
 * number of the parameter is PARAMETER_identifier. */
#define HD_PARAMETER_NUMBER(identifier, ...) PARAMETER_##identifier,
#define HD_PARAMETER_ROW(identifier, name_, type_, unit_, standard_, minimum_, maximum_, choices_, doc_)               \
    [PARAMETER_##identifier] = {.name = (name_),                                                                       \
                                .type = HD_TYPE_##type_,                                                               \
                                .unit = HD_UNIT_##unit_,                                                               \
                                .standard = (standard_),                                                               \
                                .minimum = (minimum_),                                                                 \
                                .maximum = (maximum_),                                                                 \
                                .choices = (choices_),                                                                 \
                                .doc = (doc_)},

/* X(identifier, name, unit, kind, doc): kinds HD_STATISTIC_*. */
#define HD_COUNTER(identifier, ...) uint64_t identifier;
#define HD_STATISTIC_ROW(identifier, name_, unit_, kind_, doc_)                                                        \
    {.name = (name_), .unit = (unit_), .kind = HD_STATISTIC_##kind_, .doc = (doc_)},
/* A row of a table that is written by hand: a number of events. */
#define HD_COUNTED(name_, unit_, doc_)                                                                                 \
    {                                                                                                                  \
        .name = (name_), .unit = (unit_), .kind = HD_STATISTIC_COUNT, .doc = (doc_)                                    \
    }

#endif
