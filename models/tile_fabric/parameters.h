/* SPDX-License-Identifier: MIT */
#ifndef TILE_FABRIC_PARAMETERS_H
#define TILE_FABRIC_PARAMETERS_H

#include "hd_tables.h"
#include "hd_tile.h"

#define FABRIC_PES_MAX 256u /* of all tiles */
#define FABRIC_TILES_MAX 64u
#define FABRIC_L1_MAX 16u
#define FABRIC_LINE 64u /* bytes of a line of both levels; a mask of bytes is a word */

/* X(identifier, name, type, unit, default, minimum, maximum, choices, doc); defaults: Beaumont 2019 Table 4.1, or assumed. */
#define FABRIC_PARAMETERS(X)                                                                                           \
    X(TILES, "tiles", UNSIGNED, UNITLESS, "16", 1, FABRIC_TILES_MAX, NULL, "tiles, of as many PEs each")               \
    X(PES, "pes", UNSIGNED, UNITLESS, "16", 1, HD_TILE_PES_MAX, NULL,                                                  \
      "PEs of a tile: PE p of tile t is element t * pes + p of the ports")                                             \
    X(L0_BANKS, "l0.banks", UNSIGNED, UNITLESS, "16", 1, HD_TILE_BANKS_MAX, NULL,                                      \
      "first-level banks of a tile, each with one port")                                                               \
    X(L0_BYTES, "l0.bytes", UNSIGNED, BYTES, "16 KiB", 64, 16777216, NULL, "all of them together")                     \
    X(L0_WAYS, "l0.ways", UNSIGNED, UNITLESS, "4", 1, 64, NULL, "associativity of a bank that is a cache")             \
    X(L0_LATENCY, "l0.latency", UNSIGNED, CYCLES, "2 cycles", 1, 512, NULL,                                            \
      "from the crossbar to a reply, of caches and scratchpads")                                                       \
    X(L0_MSHRS, "l0.mshrs", UNSIGNED, UNITLESS, "32", 1, 1024, NULL,                                                   \
      "misses of a tile under way; PEs that reach a part of the banks have that part of them")                         \
    X(L0_TARGETS, "l0.mshr_targets", UNSIGNED, UNITLESS, "16", 1, 1024, NULL, "accesses that can wait for one line")   \
    X(L0_WRITE, "l0.write", CHOICE, UNITLESS, "back", 0, 0, "back|through",                                            \
      "stores stay in first-level caches until they are flushed; or go to memory too, which nobody has to flush")      \
    X(L1_BANKS, "l1.banks", UNSIGNED, UNITLESS, "4", 1, FABRIC_L1_MAX, NULL,                                           \
      "second-level banks, shared by all tiles; each has a way to memory")                                             \
    X(L1_BYTES, "l1.bytes", UNSIGNED, BYTES, "4 KiB", 64, 16777216, NULL, "one of them")                               \
    X(L1_WAYS, "l1.ways", UNSIGNED, UNITLESS, "2", 1, 64, NULL, "associativity")                                       \
    X(L1_LATENCY, "l1.latency", UNSIGNED, CYCLES, "4 cycles", 1, 512, NULL, "from a request to its answer")            \
    X(L1_PORTS, "l1.ports", UNSIGNED, UNITLESS, "16", 1, FABRIC_TILES_MAX, NULL, "accesses of a bank in a cycle")      \
    X(L1_MSHRS, "l1.mshrs", UNSIGNED, UNITLESS, "32", 1, 1024, NULL, "lines that a bank fetches at a time")            \
    X(CROSSBAR_LATENCY, "crossbar.latency", UNSIGNED, CYCLES, "2 cycles", 1, 512, NULL,                                \
      "of the crossbar between the levels, each way")                                                                  \
    X(RECONFIGURE, "reconfigure", UNSIGNED, CYCLES, "10 cycles", 1, 1000, NULL,                                        \
      "from settings that nothing is in the way of until they hold")                                                   \
    X(MANAGER_LATENCY, "manager.latency", UNSIGNED, CYCLES, "2 cycles", 1, 512, NULL,                                  \
      "from a tile manager's decision to the PE's answer")                                                             \
    X(STALE, "stale_reads", CHOICE, UNITLESS, "fault", 0, 0, "fault|count",                                            \
      "a load of bytes that another cache has newer, or that this one keeps after others have stored them: the run "   \
      "ends, or it is counted")

enum fabric_parameter { FABRIC_PARAMETERS(HD_PARAMETER_NUMBER) PARAMETER_COUNT };
#define STALE_FAULT 0u
#define WRITE_BACK 0u

/* X(identifier, name, unit, kind, doc) */
#define FABRIC_STATISTICS(X)                                                                                           \
    X(loads, "loads", "requests", COUNT, "loads of PEs, but of registers")                                             \
    X(stores, "stores", "requests", COUNT, "stores of PEs, but to registers")                                          \
    X(atomics, "atomics", "requests", COUNT, "requests for atomics, which go past the banks")                          \
    X(l0_hits, "l0_hits", "requests", COUNT, "loads whose bytes a first-level cache had, and its stores")              \
    X(l0_misses, "l0_misses", "requests", COUNT, "loads that made it ask for a line")                                  \
    X(l0_merges, "l0_merges", "requests", COUNT, "accesses to a line that it awaited already")                         \
    X(bank_reads, "bank_reads", "reads", COUNT, "reads of first-level banks for loads that hit")                       \
    X(broadcasts, "broadcast_deliveries", "requests", COUNT, "of l0_hits, loads that another PE's read served too")    \
    X(conflicts, "bank_conflict_cycles", "cycles", COUNT, "cycles in which an access waited for its bank, summed")     \
    X(mshr_stalls, "mshr_stall_cycles", "cycles", COUNT, "cycles in which one waited for an MSHR or a way, summed")    \
    X(scratchpad_loads, "scratchpad_loads", "requests", COUNT, "loads from scratchpad banks")                          \
    X(scratchpad_stores, "scratchpad_stores", "requests", COUNT, "stores to them")                                     \
    X(bypasses, "bypasses", "requests", COUNT, "loads and stores of PEs that reach no cache: second level only")       \
    X(l0_fills, "l0_fills", "lines", COUNT, "lines that came to first-level caches")                                   \
    X(write_backs, "write_backs", "lines", COUNT, "dirty lines that left them")                                        \
    X(write_back_bytes, "write_back_bytes", "bytes", COUNT, "dirty bytes of these")                                    \
    X(l1_hits, "l1_hits", "requests", COUNT, "reads that the second level had")                                        \
    X(l1_misses, "l1_misses", "requests", COUNT, "reads that it asked memory for")                                     \
    X(l1_merges, "l1_merges", "requests", COUNT, "reads of lines that it awaited already")                             \
    X(l1_writes, "l1_writes", "requests", COUNT, "writes, which all go on to memory")                                  \
    X(memory_bytes_read, "memory_bytes_read", "bytes", COUNT, "lines fetched from memory")                             \
    X(memory_bytes_written, "memory_bytes_written", "bytes", COUNT, "bytes written to memory")                         \
    X(reconfigurations, "reconfigurations", "commits", COUNT, "times that settings of a tile were applied")            \
    X(reconfigure_cycles, "reconfigure_cycles", "cycles", COUNT, "that the crossbars took for them")                   \
    X(mode_changes, "mode_changes", "banks", COUNT, "banks that became a cache, or a scratchpad")                      \
    X(mode_write_backs, "mode_write_backs", "lines", COUNT, "of write_backs, those of banks that stop being a cache")  \
    X(flushes, "flushes", "flushes", COUNT, "caches written back, dropped or both because the program asked")          \
    X(task_cycles, "task_cycles", "cycles", COUNT, "cycles in which a tile did so or was set, summed over tiles")      \
    X(drained_lines, "drained_lines", "lines", COUNT, "dirty lines left when a kernel had ended")                      \
    X(items, "items", "items", COUNT, "items of work handed out")                                                      \
    X(barriers, "barriers", "barriers", COUNT, "barriers that opened")                                                 \
    X(barrier_cycles, "barrier_cycles", "cycles", COUNT, "cycles of enabled PEs at barriers, summed")                  \
    X(gated_cycles, "gated_cycles", "cycles", COUNT, "cycles of PEs that were asleep: disabled, and done; summed")     \
    X(stale_reads, "stale_reads", "loads", COUNT, "loads of stale bytes that stale_reads 'count' let pass")

typedef struct fabric_counters {
    FABRIC_STATISTICS(HD_COUNTER)
} fabric_counters;

#endif
