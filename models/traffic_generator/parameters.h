/* SPDX-License-Identifier: MIT */
/* Parameters and statistics of the traffic generator: the tables from which its declaration and its struct are made. */
#ifndef TRAFFIC_GENERATOR_PARAMETERS_H
#define TRAFFIC_GENERATOR_PARAMETERS_H

#include "kind.h"

enum traffic_pattern {
    PATTERN_UNIFORM,
    PATTERN_RANDOM,
    PATTERN_HOT_SPOT,
    PATTERN_STRIDE,
    PATTERN_TRANSPOSE,
    PATTERN_TRACE,
};
enum traffic_region { REGION_OWN, REGION_SHARED };
enum traffic_arrivals { ARRIVALS_RANDOM, ARRIVALS_PERIODIC };

#define RATE_UNIT 1000u /* `rate` counts requests in so many cycles */

/* X(identifier, name, type, unit, default, minimum, maximum, choices, doc) */
#define TRAFFIC_PARAMETERS(X)                                                                                          \
    X(PATTERN, "pattern", CHOICE, UNITLESS, "uniform", 0, 0, "uniform|random|hot_spot|stride|transpose|trace",         \
      "addresses: a random partition and its lines in turn; random; random with one partition more often; at a fixed " \
      "stride; one partition per generator; from a file")                                                              \
    X(TRACE, "trace", TEXT, UNITLESS, "", 0, 0, NULL, "trace: the file, relative to the current folder")               \
    X(RATE, "rate", UNSIGNED, UNITLESS, "0", 0, RATE_UNIT, NULL,                                                       \
      "mean requests offered per 1000 cycles; 0: as fast as `outstanding` allows")                                     \
    X(ARRIVALS, "arrivals", CHOICE, UNITLESS, "random", 0, 0, "random|periodic",                                       \
      "with a rate: randomly in each cycle, or evenly spaced")                                                         \
    X(OUTSTANDING, "outstanding", UNSIGNED, UNITLESS, "64", 1, 4096, NULL, "maximum requests in flight")               \
    X(BYTES, "bytes", UNSIGNED, BYTES, "128 B", 4, 128, NULL, "size of a request, a power of two")                     \
    X(WRITES, "writes", UNSIGNED, UNITLESS, "0", 0, 100, NULL, "percent of the requests that are stores")              \
    X(ATOMICS, "atomics", UNSIGNED, UNITLESS, "0", 0, 100, NULL,                                                       \
      "percent of the requests that are atomic additions to one word")                                                 \
    X(REGION, "region", CHOICE, UNITLESS, "own", 0, 0, "own|shared",                                                   \
      "each generator has its own footprint, consecutive in memory, or all share one")                                 \
    X(FOOTPRINT, "footprint", UNSIGNED, BYTES, "64 KiB", 128, 1073741824, NULL,                                        \
      "size of the accessed region, a multiple of 128 B")                                                              \
    X(BASE, "base", UNSIGNED, UNITLESS, "0x10000000", 0, 0xFFFFFFFF, NULL,                                             \
      "physical address of the first footprint, a multiple of 128")                                                    \
    X(STRIDE, "stride", UNSIGNED, BYTES, "128 B", 4, 1073741824, NULL,                                                 \
      "stride: distance between requests, a multiple of `bytes`; wraps around in the footprint")                       \
    X(HOT_PERCENT, "hot_spot.percent", UNSIGNED, UNITLESS, "50", 0, 100, NULL,                                         \
      "hot_spot: percent of the requests that go to one partition, in addition to its share of the others")            \
    X(HOT_PARTITION, "hot_spot.partition", UNSIGNED, UNITLESS, "0", 0, 65535, NULL, "hot_spot: the partition")         \
    X(WARM_UP, "warm_up", UNSIGNED, CYCLES, "0 cycles", 0, 0, NULL, "time before the measurement")                     \
    X(DURATION, "duration", UNSIGNED, CYCLES, "20000 cycles", 1, 0, NULL,                                              \
      "time for which requests are generated and measured")                                                            \
    X(REQUESTS, "requests", UNSIGNED, UNITLESS, "0", 0, 0, NULL, "maximum requests per generator; 0: no limit")

enum traffic_parameter { TRAFFIC_PARAMETERS(HD_PARAMETER_NUMBER) PARAMETER_COUNT };

/* Buckets of the latency histogram: X(up to so many cycles, more than so many). */
#define TRAFFIC_LATENCIES(X)                                                                                           \
    X(64, 0)                                                                                                           \
    X(96, 64)                                                                                                          \
    X(128, 96)                                                                                                         \
    X(192, 128)                                                                                                        \
    X(256, 192)                                                                                                        \
    X(384, 256)                                                                                                        \
    X(512, 384) X(768, 512) X(1024, 768) X(1536, 1024) X(2048, 1536) X(3072, 2048) X(4096, 3072) X(8192, 4096)

/* X(identifier, name, unit, kind, doc) */
#define TRAFFIC_BUCKET(most, more)                                                                                     \
    X_(LATENCY_##most, "latency.to_" #most, "requests", COUNT,                                                         \
       "measured requests that took more than " #more " and at most " #most " cycles")
#define TRAFFIC_STATISTICS                                                                                             \
    X_(CYCLES, "cycles", "cycles", COUNT, "cycles measured, at most until the last reply")                             \
    X_(LOADS, "load_requests", "requests", COUNT, "loads sent")                                                        \
    X_(STORES, "store_requests", "requests", COUNT, "stores sent")                                                     \
    X_(ATOMICS, "atomic_requests", "requests", COUNT, "atomic operations sent")                                        \
    X_(OFFERED, "offered", "requests", COUNT, "requests generated during the measurement; counted when answered")      \
    X_(ACCEPTED, "accepted", "requests", COUNT, "requests sent during the measurement")                                \
    X_(ANSWERED, "answered", "requests", COUNT, "requests answered during the measurement")                            \
    X_(BYTES_READ, "bytes_read", "bytes", COUNT, "bytes requested by loads and atomics")                               \
    X_(BYTES_WRITTEN, "bytes_written", "bytes", COUNT, "bytes written by stores")                                      \
    X_(BYTES_COMPARED, "bytes_compared", "bytes", COUNT, "bytes read and found correct")                               \
    X_(LATENCY_CYCLES, "latency_cycles", "cycles", COUNT, "from generation to reply, summed over offered requests")    \
    X_(FLIGHT_CYCLES, "flight_cycles", "cycles", COUNT, "from sending to reply, summed over offered requests")         \
    X_(LIMIT_STALL_CYCLES, "limit_stall_cycles", "cycles", COUNT,                                                      \
       "cycles in which nothing could be sent because `outstanding` requests were in flight")                          \
    X_(CREDIT_STALL_CYCLES, "credit_stall_cycles", "cycles", COUNT, "cycles in which a request waited for a credit")   \
    TRAFFIC_LATENCIES(TRAFFIC_BUCKET)                                                                                  \
    X_(LATENCY_LONGER, "latency.longer", "requests", COUNT, "measured requests that took more")                        \
    X_(LATENCY_MAXIMUM, "latency_maximum", "cycles", MAXIMUM, "longest time from generation to reply")                 \
    X_(OUTSTANDING_MAXIMUM, "outstanding_maximum", "requests", MAXIMUM, "most requests in flight at once")

enum traffic_statistic {
#define X_(identifier, ...) STATISTIC_##identifier,
    TRAFFIC_STATISTICS
#undef X_
        STATISTIC_COUNT
};

#endif
