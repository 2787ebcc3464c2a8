/* SPDX-License-Identifier: MIT */
/* Parameters and statistics of the validation unit: the tables from which its declaration and its counters are made. */
#ifndef VALIDATION_UNIT_PARAMETERS_H
#define VALIDATION_UNIT_PARAMETERS_H

#include <stdint.h>

#define TEST_ONLY "for tests, which see what goes wrong otherwise: "

/* X(identifier, name, type, unit, default, minimum, maximum, choices, doc) */
#define VALIDATION_PARAMETERS(X)                                                                                       \
    X(GRANULE, "granule", UNSIGNED, BYTES, "32 B", 16, 128, NULL, "what is checked as one; a power of two")            \
    X(PRECISE_ENTRIES, "precise.entries", UNSIGNED, UNITLESS, "4096", 1, 1048576, NULL,                                \
      "of the cuckoo tables of all partitions together")                                                               \
    X(PRECISE_WAYS, "precise.ways", UNSIGNED, UNITLESS, "4", 1, 8, NULL, "slots that a granule may have")              \
    X(PRECISE_KICKS, "precise.kicks", UNSIGNED, UNITLESS, "8", 0, 1024, NULL,                                          \
      "entries pushed on, a cycle each, before one goes into the stash")                                               \
    X(PRECISE_EVICTION, "precise.eviction", CHOICE, UNITLESS, "eager", 0, 0, "eager|late",                             \
      "an entry that is not reserved leaves as soon as its slot is wanted, or after all kicks")                        \
    X(STASH, "stash", UNSIGNED, UNITLESS, "4", 0, 4096, NULL, "entries of the stash of a partition")                   \
    X(OVERFLOW_LATENCY, "overflow_latency", UNSIGNED, CYCLES, "115 cycles", 0, 100000, NULL,                           \
      "of a node of the overflow list, in main memory")                                                                \
    X(APPROXIMATE, "approximate", CHOICE, UNITLESS, "bloom", 0, 0, "none|maximum_register|bloom",                      \
      "where times of entries go that leave: nowhere, so that they never do; the latest of all; a recency filter")     \
    X(APPROXIMATE_ENTRIES, "approximate.entries", UNSIGNED, UNITLESS, "1024", 1, 1048576, NULL,                        \
      "of the recency filters of all partitions together")                                                             \
    X(APPROXIMATE_WAYS, "approximate.ways", UNSIGNED, UNITLESS, "4", 1, 8, NULL, "hash functions of the filter")       \
    X(HASH_SEED, "hash_seed", UNSIGNED, UNITLESS, "7", 0, 0, NULL, "of all hash functions")                            \
    X(STALL_LINES, "stall.lines", UNSIGNED, UNITLESS, "4", 1, 64, NULL, "granules that requests may wait for")         \
    X(STALL_ENTRIES, "stall.entries", UNSIGNED, UNITLESS, "4", 1, 1024, NULL, "requests that may wait for a granule")  \
    X(TIE_BREAK, "tie_break", CHOICE, UNITLESS, "none", 0, 0, "none|last_reader",                                      \
      "last_reader: no store at the very time at which another warp was the last to read")                             \
    X(CAUSE, "cause", CHOICE, UNITLESS, "granule", 0, 0, "granule|partition",                                          \
      "time that who is refused has to exceed: that of the granule, or the latest of the partition")                   \
    X(LATENCY, "latency", UNSIGNED, CYCLES, "1 cycle", 1, 100000, NULL, "from a verdict to the leaving of the answer") \
    X(REPLIES, "replies", UNSIGNED, UNITLESS, "16", 1, 4096, NULL, "answers that may wait when a request is taken")    \
    X(LOADS, "loads", UNSIGNED, UNITLESS, "16", 1, 4096, NULL, "loads that may be on their way to the slice")          \
    X(CLOCK_BITS, "clock_bits", UNSIGNED, UNITLESS, "48", 2, 63, NULL, "of the logical clocks")                        \
    X(WARP_BITS, "warp_bits", UNSIGNED, UNITLESS, "10", 0, 16, NULL,                                                   \
      "low bits of timestamps that are not clock: they tell warps apart")                                              \
    X(ROLLOVER_MARGIN, "rollover_margin", UNSIGNED, UNITLESS, "16", 1, 0, NULL,                                        \
      "a clock that comes as near to overflow makes all begin anew")                                                   \
    X(TEST_WAKE, "test.wake", CHOICE, UNITLESS, "all", 0, 0, "all|oldest",                                             \
      TEST_ONLY "who waits is woken, or the oldest only and at releases only")                                         \
    X(TEST_WRITTEN, "test.written", CHOICE, UNITLESS, "after", 0, 0, "after|at",                                       \
      TEST_ONLY "the time of a write is the writer's plus one, or the writer's")                                       \
    X(TEST_OWNER, "test.owner", CHOICE, UNITLESS, "attempt", 0, 0, "attempt|warp",                                     \
      TEST_ONLY "a reservation is of an attempt, or of a warp")                                                        \
    X(TEST_PINNED, "test.pinned", CHOICE, UNITLESS, "yes", 0, 0, "yes|no",                                             \
      TEST_ONLY "an entry may not be pushed out while it is put in, or it may")                                        \
    X(TEST_VERDICT, "test.verdict", CHOICE, UNITLESS, "sample", 0, 0, "sample|arrival",                                \
      TEST_ONLY "the verdict on a load holds when the slice takes it, or when the unit does")

enum validation_parameter {
#define VALIDATION_PARAMETER(identifier, ...) PARAMETER_##identifier,
    VALIDATION_PARAMETERS(VALIDATION_PARAMETER)
#undef VALIDATION_PARAMETER
        PARAMETER_COUNT
};

enum { EVICTION_EAGER, EVICTION_LATE };
enum { APPROXIMATE_NONE, APPROXIMATE_REGISTER, APPROXIMATE_BLOOM };
enum { TIE_BREAK_NONE, TIE_BREAK_LAST_READER };
enum { CAUSE_GRANULE, CAUSE_PARTITION };
enum { WAKE_ALL, WAKE_OLDEST };
enum { WRITTEN_AFTER, WRITTEN_AT };
enum { OWNER_ATTEMPT, OWNER_WARP };
enum { PINNED_YES, PINNED_NO };
enum { VERDICT_SAMPLE, VERDICT_ARRIVAL };

/* X(identifier, name, unit, kind, doc) */
#define VALIDATION_STATISTICS(X)                                                                                       \
    X(loads, "loads", "requests", COUNT, "loads taken")                                                                \
    X(stores, "stores", "requests", COUNT, "stores taken, each for one granule")                                       \
    X(lane_stores, "lane_stores", "stores", COUNT, "stores of lanes that they stand for")                              \
    X(loads_approved, "approved.loads", "requests", COUNT, "loads that the slice has carried out")                     \
    X(stores_approved, "approved.stores", "requests", COUNT, "reservations made, or added to")                         \
    X(owner_hits, "owner_hits", "requests", COUNT, "of both, those to what their own attempt has reserved")            \
    X(load_written, "aborts.load_written", "requests", COUNT, "loads of what a later transaction has written")         \
    X(store_written, "aborts.store_written", "requests", COUNT, "stores to what a later transaction has written")      \
    X(store_read, "aborts.store_read", "requests", COUNT, "stores to what a later transaction has read")               \
    X(stall_full, "aborts.stall_full", "requests", COUNT, "requests for which the stall buffer had no room")           \
    X(late_verdicts, "late_verdicts", "requests", COUNT,                                                               \
      "loads that nothing spoke against until the slice had its turn: a store to the granule was faster")              \
    X(discarded, "discarded", "requests", COUNT, "requests of an era that is over, not answered")                      \
    X(look_ups, "look_ups", "accesses", COUNT, "accesses to the tables, by requests taken and by woken ones")          \
    X(table_cycles, "table_cycles", "cycles", COUNT, "cycles that they took")                                          \
    X(cuckoo_hits, "hits.cuckoo", "accesses", COUNT, "found in the cuckoo table")                                      \
    X(stash_hits, "hits.stash", "accesses", COUNT, "found in the stash")                                               \
    X(overflow_hits, "hits.overflow", "accesses", COUNT, "found in the overflow list")                                 \
    X(table_misses, "table_misses", "accesses", COUNT, "not found: times are those of the filter")                     \
    X(kicks, "kicks", "entries", COUNT, "entries pushed on to make room")                                              \
    X(evictions, "evictions", "entries", COUNT, "entries whose times went into the filter")                            \
    X(stashed, "stashed", "entries", COUNT, "entries that went into the stash")                                        \
    X(overflows, "overflows", "entries", COUNT, "entries that went into the overflow list")                            \
    X(entries_maximum, "entries_maximum", "entries", MAXIMUM, "most slots of the cuckoo table in use")                 \
    X(stash_maximum, "stash_maximum", "entries", MAXIMUM, "most entries in the stash")                                 \
    X(overflow_maximum, "overflow_maximum", "entries", MAXIMUM, "most entries in the overflow list")                   \
    X(stalled, "stalled", "requests", COUNT, "requests that had to wait for a granule, counted each time")             \
    X(woken, "woken", "requests", COUNT, "of these, those that were tried again")                                      \
    X(stall_request_cycles, "stall_request_cycles", "cycles", COUNT, "how long they waited, summed")                   \
    X(stall_address_cycles, "stall_address_cycles", "cycles", COUNT, "how long granules were waited for, summed")      \
    X(stall_requests_maximum, "stall_requests_maximum", "requests", MAXIMUM, "most requests waiting")                  \
    X(stall_addresses_maximum, "stall_addresses_maximum", "granules", MAXIMUM, "most granules waited for")             \
    X(releases, "releases", "releases", COUNT, "reservations given back, wholly or in part")                           \
    X(lane_releases, "lane_releases", "stores", COUNT, "stores of lanes that they stand for")                          \
    X(plain_writes, "plain_writes", "writes", COUNT, "writes outside of transactions to what one has reserved")        \
    X(busy_reply, "wait_cycles.reply", "cycles", COUNT, "no request taken: too many answers wait")                     \
    X(busy_slice, "wait_cycles.slice", "cycles", COUNT, "no request taken: too many loads on their way to the slice")  \
    X(clock_maximum, "clock_maximum", "increments", MAXIMUM, "latest logical clock that has come")                     \
    X(rollovers, "rollovers", "rollovers", COUNT, "times that all clocks began anew because of this unit")             \
    X(rollover_cycles, "rollover_cycles", "cycles", COUNT, "cycles in which it took no requests for that")

typedef struct validation_counters {
#define VALIDATION_COUNTER(identifier, ...) uint64_t identifier;
    VALIDATION_STATISTICS(VALIDATION_COUNTER)
#undef VALIDATION_COUNTER
} validation_counters;

static inline void validation_maximum(uint64_t *maximum, uint64_t value)
{
    *maximum = value > *maximum ? value : *maximum;
}

#endif
