/* SPDX-License-Identifier: MIT */
/*
 * Parameters and statistics of the policies of this folder, private to it: those of levels, which all have, then those of
 * windows or of a profile, then those of the ones that preempt, then
 * those of the ones with a table. A unit has the lists that mean something for it, one behind the other (hd_tables.h has the columns).
 */
#ifndef THREAD_BLOCK_POLICY_USAGE_TABLES_H
#define THREAD_BLOCK_POLICY_USAGE_TABLES_H

#include "hd_tables.h"

/* clang-format off */
#define USAGE_LEVEL_PARAMETERS(X) \
    X(BITS, "bits", UNSIGNED, UNITLESS, "3", 1, 16, NULL, "of a level, per metric") \
    X(MEMORY_STEPS, "memory_steps", UNSIGNED, UNITLESS, "8", 0, 65536, NULL, \
      "levels that are all cycles of a window, of those in which the memory pipe had no room for an instruction of the block; 0: not considered") \
    X(FLOAT_STEPS, "float_steps", UNSIGNED, UNITLESS, "8", 0, 65536, NULL, \
      "levels that are all issue slots of a window, of those with a float instruction of the block; 0: not considered") \
    X(DEMAND_STEPS, "demand_steps", UNSIGNED, UNITLESS, "0", 0, 65536, NULL, \
      "levels that are one memory instruction of the block in each cycle, issued or refused room, by each warp that has one; 0: not considered") \
    X(ABORT_STEPS, "abort_steps", UNSIGNED, UNITLESS, "0", 0, 65536, NULL, \
      "levels that are all attempts of the block's transactions that ended in a window, of those that aborted; 0: not considered") \
    X(LIMIT, "limit", UNSIGNED, UNITLESS, "100", 1, 10000, NULL, "most of the sum of levels on a core, in percent of the steps")

#define USAGE_PERIOD_PARAMETERS(X) \
    X(PERIOD_FACTOR, "period_factor", UNSIGNED, UNITLESS, "5", 0, 65536, NULL, \
      "a window takes so many times the cycles of a move of the block") \
    X(PERIOD_RATE, "period_rate", UNSIGNED, BYTES, "7 B", 1, 1048576, NULL, \
      "of a move per cycle: its registers and scratchpad, out and in") \
    X(PERIOD_MINIMUM, "period_minimum", UNSIGNED, CYCLES, "1000 cycles", 1, UINT64_C(1) << 40, NULL, "of a window, at least")

#define USAGE_PREEMPTION_PARAMETERS(X) \
    X(VICTIMS, "victims", UNSIGNED, UNITLESS, "1024", 1, 65536, NULL, "places in the queue of blocks that have left") \
    X(WATCHDOG, "watchdog", UNSIGNED, UNITLESS, "100", 0, 1048576, NULL, \
      "a block that has left goes on whatever the levels after so many times the cycles of its move; 0: never") \
    X(SCAN, "scan", CHOICE, UNITLESS, "eased", 0, 0, "eased|all", \
      "cores on which a block that has left may go on: where one has ended or become lighter and none has left since, or all")

/* At least one entry of four levels of 16 bits. */
#define USAGE_TABLE_PARAMETERS(X) \
    X(TABLE, "table", UNSIGNED, BYTES, "16 KiB", 8, UINT64_C(1) << 30, NULL, "of the resource-usage table")

#define USAGE_PROFILE_PARAMETERS(X) \
    X(PROFILE, "profile", TEXT, UNITLESS, "", 0, 0, NULL, "file of 'heddle profile --levels': what each kernel uses")

#define USAGE_COMMON_STATISTICS(X, policy) \
    X(UPDATES, policy, "updates", "levels", COUNT, "levels of a block that have become others")
#define USAGE_PREEMPTION_STATISTICS(X, policy) \
    X(VICTIMS_FULL, policy, "victims_full", "blocks", COUNT, "blocks that stayed because the queue of victims was full") \
    X(VICTIMS_MAXIMUM, policy, "victims_maximum", "blocks", MAXIMUM, "most blocks in the queue of victims, or with a place there") \
    X(OVERDUE, policy, "overdue", "blocks", COUNT, "blocks that went on because they had waited for too long")
#define USAGE_TABLE_STATISTICS(X, policy) \
    X(ALIASES, policy, "aliases", "entries", COUNT, "entries written that another block had written last") \
    X(CHANGES, policy, "changes", "entries", COUNT, "entries written whose levels were others") \
    X(PAIRS, policy, "pairs", "blocks", COUNT, \
      "blocks that ended after one with the same number in a launch of the kernel before: pairs of last levels") \
    USAGE_PAIR_STATISTICS(X, policy, MEMORY, "memory") \
    USAGE_PAIR_STATISTICS(X, policy, FLOAT, "float") \
    USAGE_PAIR_STATISTICS(X, policy, DEMAND, "demand")
/* What a correlation of last levels, of the earlier block and of the later one, is computed of. */
#define USAGE_PAIR_STATISTICS(X, policy, metric, name) \
    X(EARLIER_##metric, policy, "earlier_" name, "levels", COUNT, "sum of levels of the earlier blocks of pairs") \
    X(LATER_##metric, policy, "later_" name, "levels", COUNT, "sum of levels of the later blocks of pairs") \
    X(EARLIER_SQUARES_##metric, policy, "earlier_" name "_squares", "levels^2", COUNT, "sum of their squares, of the earlier blocks") \
    X(LATER_SQUARES_##metric, policy, "later_" name "_squares", "levels^2", COUNT, "sum of their squares, of the later blocks") \
    X(PRODUCTS_##metric, policy, "products_" name, "levels^2", COUNT, "sum of the products of the two levels of a pair")
/* clang-format on */

#define USAGE_NUMBER(identifier, ...) USAGE_##identifier,
enum { USAGE_LEVEL_PARAMETERS(USAGE_NUMBER) USAGE_LEVEL_PARAMETER_COUNT };
enum {
    USAGE_BEFORE_PERIOD = USAGE_LEVEL_PARAMETER_COUNT - 1,
    USAGE_PERIOD_PARAMETERS(USAGE_NUMBER) USAGE_COMMON_PARAMETER_COUNT
};
enum { USAGE_PREEMPTION_PARAMETERS(USAGE_NUMBER) USAGE_PREEMPTION_PARAMETER_COUNT };
enum { USAGE_TABLE_PARAMETERS(USAGE_NUMBER) USAGE_TABLE_PARAMETER_COUNT };
enum { USAGE_PROFILE_PARAMETERS(USAGE_NUMBER) USAGE_PROFILE_PARAMETER_COUNT };
enum { USAGE_COMMON_STATISTICS(USAGE_NUMBER, ) USAGE_COMMON_STATISTIC_COUNT };
enum { USAGE_PREEMPTION_STATISTICS(USAGE_NUMBER, ) USAGE_PREEMPTION_STATISTIC_COUNT };
enum { USAGE_TABLE_STATISTICS(USAGE_NUMBER, ) USAGE_TABLE_STATISTIC_COUNT };

#endif
