/* SPDX-License-Identifier: MIT */
/* Parameters and statistics of the validation unit: the tables from which its declaration and its counters are made. */
#ifndef VALIDATION_UNIT_PARAMETERS_H
#define VALIDATION_UNIT_PARAMETERS_H

#include "hd_getm.h"
#include "hd_tables.h"

#define TEST_ONLY "for tests: "

/* X(identifier, name, type, unit, default, minimum, maximum, choices, doc) */
#define VALIDATION_PARAMETERS(X)                                                                                       \
    X(GRANULE, "granule", UNSIGNED, BYTES, "32 B", HD_GETM_GRANULE_MIN, 128, NULL,                                     \
      "granule of conflict detection, a power of two; must equal that of the cores")                                   \
    X(PRECISE_ENTRIES, "precise.entries", UNSIGNED, UNITLESS, "4096", 1, 1048576, NULL,                                \
      "entries of the cuckoo tables, total of all partitions")                                                         \
    X(PRECISE_WAYS, "precise.ways", UNSIGNED, UNITLESS, "4", 1, 8, NULL,                                               \
      "ways of the cuckoo table: slots that a granule may use")                                                        \
    X(PRECISE_KICKS, "precise.kicks", UNSIGNED, UNITLESS, "8", 0, 1024, NULL,                                          \
      "maximum kicks per insertion, a cycle each, before an entry goes into the stash")                                \
    X(PRECISE_EVICTION, "precise.eviction", CHOICE, UNITLESS, "eager", 0, 0, "eager|late",                             \
      "an evictable entry is evicted as soon as its slot is wanted, or only after all kicks")                          \
    X(STASH, "stash", UNSIGNED, UNITLESS, "4", 0, 4096, NULL, "entries of the stash, per partition")                   \
    X(OVERFLOW_LATENCY, "overflow_latency", UNSIGNED, CYCLES, "115 cycles", 0, 100000, NULL,                           \
      "time of one access to the overflow lists in main memory")                                                       \
    X(OVERFLOW_LISTS, "overflow_lists", UNSIGNED, UNITLESS, "512", 1, 65536, NULL,                                     \
      "overflow lists per partition, each with a bit in the unit that says whether it is empty")                       \
    X(OVERFLOW_LINE, "overflow_line", UNSIGNED, UNITLESS, "7", 1, 64, NULL,                                            \
      "entries of an overflow list that one access reads: entries of 16 B and a link in a line")                       \
    X(APPROXIMATE, "approximate", CHOICE, UNITLESS, "bloom", 0, 0, "none|maximum_register|bloom",                      \
      "what keeps the timestamps of evicted entries: none (no evictions); one register with the latest; a recency "    \
      "Bloom filter")                                                                                                  \
    X(APPROXIMATE_ENTRIES, "approximate.entries", UNSIGNED, UNITLESS, "1024", 1, 1048576, NULL,                        \
      "entries of the recency filters, total of all partitions")                                                       \
    X(APPROXIMATE_WAYS, "approximate.ways", UNSIGNED, UNITLESS, "4", 1, 8, NULL, "hash functions of the filter")       \
    X(HASH_SEED, "hash_seed", UNSIGNED, UNITLESS, "7", 0, 0, NULL, "seed of the hash functions")                       \
    X(STALL_LINES, "stall.lines", UNSIGNED, UNITLESS, "4", 1, 64, NULL,                                                \
      "granules that requests may wait for, per partition")                                                            \
    X(STALL_ENTRIES, "stall.entries", UNSIGNED, UNITLESS, "4", 1, 1024, NULL, "requests that may wait for a granule")  \
    X(TIE_BREAK, "tie_break", CHOICE, UNITLESS, "none", 0, 0, "none|last_reader",                                      \
      "last_reader: refuse a store whose timestamp equals that of the latest read, by another warp")                   \
    X(CAUSE, "cause", CHOICE, UNITLESS, "granule", 0, 0, "granule|partition",                                          \
      "timestamp reported with a refusal: that of the granule, or the latest of the partition")                        \
    X(LATENCY, "latency", UNSIGNED, CYCLES, "1 cycle", 1, 100000, NULL,                                                \
      "from a verdict to the departure of the reply")                                                                  \
    X(REPLIES, "replies", UNSIGNED, UNITLESS, "16", 1, 4096, NULL,                                                     \
      "replies that may wait to be sent; beyond that no request is accepted")                                          \
    X(LOADS, "loads", UNSIGNED, UNITLESS, "16", 1, 4096, NULL,                                                         \
      "loads in flight to the slice; beyond that no request is accepted")                                              \
    X(CLOCK_BITS, "clock_bits", UNSIGNED, UNITLESS, "48", 2, 63, NULL, "width of the logical clocks")                  \
    X(WARP_BITS, "warp_bits", UNSIGNED, UNITLESS, "10", 0, 16, NULL,                                                   \
      "low bits of timestamps that hold the warp's number")                                                            \
    X(ROLLOVER_MARGIN, "rollover_margin", UNSIGNED, UNITLESS, "16", 1, 0, NULL,                                        \
      "rollover begins when a clock is this close to overflow")                                                        \
    X(TEST_WAKE, "test.wake", CHOICE, UNITLESS, "all", 0, 0, "all|oldest",                                             \
      TEST_ONLY "wake all waiting requests concerned, or only the oldest and only at releases")                        \
    X(TEST_WRITTEN, "test.written", CHOICE, UNITLESS, "after", 0, 0, "after|at",                                       \
      TEST_ONLY "timestamp of a write: the writer's plus one, or the writer's")                                        \
    X(TEST_OWNER, "test.owner", CHOICE, UNITLESS, "attempt", 0, 0, "attempt|warp",                                     \
      TEST_ONLY "owner of a reservation: an attempt, or a warp")                                                       \
    X(TEST_PINNED, "test.pinned", CHOICE, UNITLESS, "yes", 0, 0, "yes|no",                                             \
      TEST_ONLY "an entry is protected from eviction during its own insertion, or not")                                \
    X(TEST_VERDICT, "test.verdict", CHOICE, UNITLESS, "sample", 0, 0, "sample|arrival",                                \
      TEST_ONLY "the verdict on a load is made when the slice accepts it, or when the validation unit does")

enum validation_parameter { VALIDATION_PARAMETERS(HD_PARAMETER_NUMBER) PARAMETER_COUNT };

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
    X(loads, "loads", "requests", COUNT, "loads accepted")                                                             \
    X(stores, "stores", "requests", COUNT, "stores accepted, each for one granule")                                    \
    X(lane_stores, "lane_stores", "stores", COUNT, "lanes' stores represented by these")                               \
    X(loads_approved, "approved.loads", "requests", COUNT, "loads approved and accepted by the slice")                 \
    X(stores_approved, "approved.stores", "requests", COUNT, "stores approved: reservations made or extended")         \
    X(owner_hits, "owner_hits", "requests", COUNT, "of both, those to granules reserved by the same attempt")          \
    X(load_written, "aborts.load_written", "requests", COUNT,                                                          \
      "loads of a granule that a later transaction has written")                                                       \
    X(store_written, "aborts.store_written", "requests", COUNT,                                                        \
      "stores to a granule that a later transaction has written")                                                      \
    X(store_read, "aborts.store_read", "requests", COUNT, "stores to a granule that a later transaction has read")     \
    X(stall_full, "aborts.stall_full", "requests", COUNT, "requests refused because the stall buffer was full")        \
    X(late_verdicts, "late_verdicts", "requests", COUNT,                                                               \
      "loads that passed the look-up but were refused or stalled when the slice accepted them, because of a store in " \
      "between")                                                                                                       \
    X(discarded, "discarded", "requests", COUNT, "requests of an earlier era, discarded without reply")                \
    X(look_ups, "look_ups", "accesses", COUNT, "table look-ups, by new and by woken requests")                         \
    X(table_cycles, "table_cycles", "cycles", COUNT, "cycles of these look-ups")                                       \
    X(cuckoo_hits, "hits.cuckoo", "accesses", COUNT, "found in the cuckoo table")                                      \
    X(stash_hits, "hits.stash", "accesses", COUNT, "found in the stash")                                               \
    X(overflow_hits, "hits.overflow", "accesses", COUNT, "found in an overflow list")                                  \
    X(table_misses, "table_misses", "accesses", COUNT, "not found: timestamps are taken from the filter")              \
    X(kicks, "kicks", "entries", COUNT, "cuckoo kicks")                                                                \
    X(evictions, "evictions", "entries", COUNT, "entries evicted into the filter")                                     \
    X(stashed, "stashed", "entries", COUNT, "entries that went into the stash")                                        \
    X(overflows, "overflows", "entries", COUNT, "entries that went into an overflow list")                             \
    X(overflow_accesses, "overflow_accesses", "accesses", COUNT, "accesses to overflow lists by look-ups")             \
    X(entries_maximum, "entries_maximum", "entries", MAXIMUM, "most slots of the cuckoo table in use")                 \
    X(stash_maximum, "stash_maximum", "entries", MAXIMUM, "most entries in the stash")                                 \
    X(overflow_maximum, "overflow_maximum", "entries", MAXIMUM, "most entries in all overflow lists")                  \
    X(stalled, "stalled", "requests", COUNT, "times that a request was put into the stall buffer")                     \
    X(woken, "woken", "requests", COUNT, "of stalled, those retried")                                                  \
    X(stall_request_cycles, "stall_request_cycles", "cycles", COUNT, "waiting time, summed over requests")             \
    X(stall_address_cycles, "stall_address_cycles", "cycles", COUNT, "waiting time, summed over granules waited for")  \
    X(stall_requests_maximum, "stall_requests_maximum", "requests", MAXIMUM, "most requests waiting")                  \
    X(stall_addresses_maximum, "stall_addresses_maximum", "granules", MAXIMUM, "most granules waited for")             \
    X(releases, "releases", "releases", COUNT, "releases of reservations, complete or partial")                        \
    X(lane_releases, "lane_releases", "stores", COUNT, "lanes' stores represented by these")                           \
    X(plain_writes, "plain_writes", "writes", COUNT, "writes outside transactions to reserved granules")               \
    X(busy_reply, "wait_cycles.reply", "cycles", COUNT, "no request accepted: too many replies wait")                  \
    X(busy_slice, "wait_cycles.slice", "cycles", COUNT, "no request accepted: too many loads in flight to the slice")  \
    X(clock_maximum, "clock_maximum", "increments", MAXIMUM, "latest logical clock in a request")                      \
    X(rollovers, "rollovers", "rollovers", COUNT, "rollovers begun by this unit")                                      \
    X(rollover_cycles, "rollover_cycles", "cycles", COUNT,                                                             \
      "cycles in which no requests were accepted because of a rollover")

typedef struct validation_counters {
    VALIDATION_STATISTICS(HD_COUNTER)
} validation_counters;

#endif
