/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_traffic_generator, "simt_core/traffic",
    {"pattern", "uniform | random | hot_spot | stride | transpose", "traffic", "simt_core.latency_cycles differs"},
    {"pattern", "uniform | trace", "traffic", "refused: pattern trace needs a file"},
    {"trace", LIVE_MACHINES "/short.trace | " LIVE_MACHINES "/long.trace", "traffic_trace", "simt_core.load_requests grows"},
    {"rate", "1 | 10 | 50", "traffic", "simt_core.offered grows"},
    {"arrivals", "random | periodic", "traffic; core.rate=20", "simt_core.latency_cycles differs"},
    {"outstanding", "64 | 8 | 1", "traffic", "simt_core.outstanding_maximum shrinks; simt_core.answered shrinks"},
    {"bytes", "128 B | 32 B", "traffic", "simt_core.bytes_read shrinks"},
    {"writes", "0 | 10 | 90", "traffic", "simt_core.store_requests grows"},
    {"atomics", "0 | 10 | 90", "traffic", "simt_core.atomic_requests grows"},
    {"region", "own | shared", "traffic; core.footprint=2 KiB", "l2_slice.misses shrinks"},
    {"footprint", "2 KiB | 32 KiB", "traffic", "l2_slice.misses grows"},
    {"base", "0x10000000 | 0x10000080", "traffic; core.pattern=stride; core.footprint=256 B; core.region=shared", "simt_core.latency_cycles differs"},
    {"stride", "128 B | 512 B", "traffic; core.pattern=stride", "simt_core.latency_cycles differs"},
    {"hot_spot.percent", "0 | 100", "traffic; core.pattern=hot_spot", "simt_core.answered shrinks"},
    {"hot_spot.partition", "0 | 2", "traffic; core.pattern=hot_spot", "refused: the machine has 2 partitions"},
    {"warm_up", "0 cycles | 2000 cycles", "traffic", "simt_core.load_requests grows"},
    {"duration", "4000 cycles | 6000 cycles", "traffic", "simt_core.cycles grows; simt_core.load_requests grows"},
    {"requests", "50 | 5", "traffic", "simt_core.load_requests shrinks"});
