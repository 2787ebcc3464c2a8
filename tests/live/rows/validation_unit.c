/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_validation_unit, "validation_unit/getm",
    {"granule", "32 B | 128 B", "transactions", "validation_unit.table_misses shrinks"},
    {"precise.entries", "4096 | 8", "transactions", "validation_unit.evictions grows"},
    {"precise.ways", "4 | 1", "tiny_tables", "time differs"},
    {"precise.kicks", "8 | 1", "tiny_tables", "validation_unit.kicks shrinks"},
    {"precise.eviction", "eager | late", "tiny_tables", "validation_unit.kicks grows"},
    {"stash", "4 | 0", "tiny_tables", "validation_unit.overflows grows"},
    {"overflow_latency", "0 cycles | 200 cycles", "tiny_tables", "validation_unit.table_cycles grows"},
    {"overflow_lists", "1 | 64", "tiny_tables", "validation_unit.overflow_accesses shrinks"},
    {"overflow_line", "1 | 7", "tiny_tables; validation_unit.overflow_lists=1", "validation_unit.overflow_accesses shrinks"},
    {"approximate", "bloom | maximum_register | none", "tiny_tables", "validation_unit.evictions differs"},
    {"approximate.entries", "1024 | 2", "tiny_tables", "time differs"},
    {"approximate.ways", "4 | 1", "tiny_tables; validation_unit.approximate.entries=16", "time differs"},
    {"hash_seed", "7 | 8", "tiny_tables", "time differs"},
    {"stall.lines", "4 | 1", "contended", "validation_unit.stall_addresses_maximum shrinks"},
    {"stall.entries", "4 | 1", "contended", "validation_unit.stall_requests_maximum shrinks"},
    {"tie_break", "none | last_reader", "contended; core.ties=true", "validation_unit.aborts.store_read differs"},
    {"cause", "granule | partition", "contended", "validation_unit.clock_maximum differs"},
    {"latency", "1 cycle | 50 cycles", "transactions", "time grows"},
    {"replies", "16 | 1", "narrow; validation_unit.loads=16", "validation_unit.wait_cycles.reply grows"},
    {"loads", "16 | 1", "transactions", "validation_unit.wait_cycles.slice grows"},
    {"clock_bits", "48 | 6", "old_clocks; validation_unit.rollover_margin=50", "validation_unit.rollovers grows"},
    {"warp_bits", "4 | 0", "old_clocks; validation_unit.clock_bits=10; validation_unit.rollover_margin=1000", "validation_unit.rollovers grows"},
    {"rollover_margin", "20 | 60", "old_clocks", "validation_unit.rollovers grows"},
    {"test.wake", "all | oldest", "contended", "fails: "},
#ifdef NDEBUG /* clocks that differ hide it from all but the invariant */
    {"test.written", "after | at", "contended; core.ties=true", "fails: "},
#else
    {"test.written", "after | at", "contended", "fails: I2"},
#endif
    {"test.owner", "attempt | warp", "contended", "fails: "},
    {"test.pinned", "yes | no", "tiny_tables", "fails: "},
    {"test.verdict", "sample | arrival", "contended", "validation_unit.late_verdicts shrinks"});
