/* SPDX-License-Identifier: MIT */
/* Parameters, ports and statistics of the timed SIMT core: the tables from which its declaration and its struct are made. */
#ifndef SIMT_CORE_PARAMETERS_H
#define SIMT_CORE_PARAMETERS_H

#include "counting.h"
#include "kind.h"
#include "memory/memory.h"
#include "registers/operands.h"
#include "spinning_statistics.h"
#include "tx/parameters.h"
#include "work_statistics.h"

/* X(identifier, name, type, unit, default, minimum, maximum, choices, doc) */
#define CORE_PARAMETERS(X)                                                                                             \
    SIMT_CORE_SIZES(X)                                                                                                 \
    X(SIMD_WIDTH, "simd_width", UNSIGNED, UNITLESS, "16", 1, 64, NULL,                                                 \
      "lanes issued per cycle; a warp occupies its issue port lanes / simd_width cycles, rounded up")                  \
    X(FETCH_WIDTH, "fetch.width", UNSIGNED, UNITLESS, "1", 1, 8, NULL, "instructions fetched per cycle")               \
    X(FETCH_LATENCY, "fetch.latency", UNSIGNED, CYCLES, "1 cycle", 1, 64, NULL,                                        \
      "from fetch to a decoded instruction in the instruction buffer")                                                 \
    X(SCHEDULERS, "schedulers", UNSIGNED, UNITLESS, "2", 1, 8, NULL, "issue ports; warp w belongs to w % schedulers")  \
    X(ISSUE_PER_WARP, "issue.per_warp", UNSIGNED, UNITLESS, "1", 1, 2, NULL,                                           \
      "independent instructions of a warp that its port issues in one cycle; they come by one fetch")                  \
    X(ISSUE_DIFFERENT_UNITS, "issue.different_units", BOOLEAN, UNITLESS, "true", 0, 0, NULL,                           \
      "two in one cycle must need different functional units")                                                         \
    X(SCHEDULER, "scheduler", CHOICE, UNITLESS, "gto", 0, 0, NULL, "which ready warp issues")                          \
    X(SPIN, "spin", CHOICE, UNITLESS, "none", 0, 0, NULL, "finds the backward branches at which warps spin")           \
    X(BACK_OFF, "back_off", CHOICE, UNITLESS, "none", 0, 0, NULL,                                                      \
      "holds warps that spin back, before the scheduler picks among the others")                                       \
    SIMT_CORE_RECONVERGENCE(X)                                                                                         \
    X(SCOREBOARD, "scoreboard", CHOICE, UNITLESS, "register_dependence", 0, 0, NULL,                                   \
      "what an instruction waits for before it can issue")                                                             \
    X(REGISTER_READ, "register_read.latency", UNSIGNED, CYCLES, "2 cycles", 0, 64, NULL,                               \
      "from issue until the operands are at the functional unit")                                                      \
    X(REGISTER_BANKS, "registers.banks", UNSIGNED, UNITLESS, "0", 0, OPERAND_BANKS_MAX, NULL,                          \
      "banks of the register file: of the core with collectors, of each issue port with a read window; 0: operands "   \
      "are "                                                                                                           \
      "always read in time")                                                                                           \
    X(REGISTER_BANK_WIDTH, "registers.bank_width", UNSIGNED, UNITLESS, "1", 1, OPERANDS_MAX, NULL,                     \
      "operands of an instruction that a bank reads at once")                                                          \
    X(REGISTER_BANK_INTERVAL, "registers.bank_interval", UNSIGNED, CYCLES, "1 cycle", 1, OPERAND_INTERVAL_MAX, NULL,   \
      "from one read of a bank to its next")                                                                           \
    X(REGISTER_COLLECTORS, "registers.collectors", UNSIGNED, UNITLESS, "0", 0, OPERAND_COLLECTORS_MAX, NULL,           \
      "instructions that can wait for their operands; the bank of a register is (register + warp) mod banks")          \
    X(REGISTER_WINDOW, "registers.read_window", UNSIGNED, CYCLES, "0 cycles", 0, 16, NULL,                             \
      "instead of collectors: operands are read so soon after issue, or the port waits; the bank of a register is "    \
      "register mod banks")                                                                                            \
    X(WRITE_BACK, "write_back.latency", UNSIGNED, CYCLES, "1 cycle", 0, 64, NULL,                                      \
      "from the result until the scoreboard entry is cleared")                                                         \
    X(WRITE_BACK_WIDTH, "write_back.width", UNSIGNED, UNITLESS, "0", 0, 64, NULL,                                      \
      "results that the core writes to registers per cycle, those of functional units before loaded ones; 0: all")     \
    X(WRITE_BACK_ONE_PER_PORT, "write_back.one_per_port", BOOLEAN, UNITLESS, "false", 0, 0, NULL,                      \
      "integer, float and control instructions of an issue port share a pipeline that one leaves per cycle: one that " \
      "would leave beside an earlier one waits before it, and keeps its port")                                         \
    X(INT_LATENCY, "integer.latency", UNSIGNED, CYCLES, "4 cycles", 1, 512, NULL, "integer add, logic, shift")         \
    X(SHIFT_LATENCY, "shift.latency", UNSIGNED, CYCLES, "0 cycles", 0, 512, NULL,                                      \
      "integer shifts; 0: integer.latency")                                                                            \
    X(SHIFT_INTERVAL, "shift.interval", UNSIGNED, CYCLES, "0 cycles", 0, 512, NULL,                                    \
      "between two shifts of the core; 0: as many as other integer instructions")                                      \
    X(COMPARE_LATENCY, "compare.latency", UNSIGNED, CYCLES, "0 cycles", 0, 512, NULL,                                  \
      "compares to a register, float minimum and maximum; 0: integer.latency, float.latency")                          \
    X(COMPARE_INTERVAL, "compare.interval", UNSIGNED, CYCLES, "0 cycles", 0, 512, NULL,                                \
      "between two of these in the core; 0: as many as other instructions")                                            \
    X(MUL_LATENCY, "multiply.latency", UNSIGNED, CYCLES, "8 cycles", 1, 512, NULL, "integer multiply")                 \
    X(MUL_INTERVAL, "multiply.interval", UNSIGNED, CYCLES, "2 cycles", 0, 512, NULL,                                   \
      "between two integer multiplies; 0: as many as other integer instructions")                                      \
    X(DIV_LATENCY, "divide.latency", UNSIGNED, CYCLES, "145 cycles", 1, 1024, NULL, "integer divide and remainder")    \
    X(DIV_INTERVAL, "divide.interval", UNSIGNED, CYCLES, "16 cycles", 1, 512, NULL, "between two integer divides")     \
    X(FP_LATENCY, "float.latency", UNSIGNED, CYCLES, "4 cycles", 1, 512, NULL,                                         \
      "float add, compare, convert, multiply")                                                                         \
    X(FMA_LATENCY, "float_fma.latency", UNSIGNED, CYCLES, "5 cycles", 1, 512, NULL, "float fused multiply-add")        \
    X(FP_DIV_LATENCY, "float_divide.latency", UNSIGNED, CYCLES, "39 cycles", 1, 512, NULL,                             \
      "float divide and square root")                                                                                  \
    X(FP_DIV_INTERVAL, "float_divide.interval", UNSIGNED, CYCLES, "8 cycles", 1, 512, NULL,                            \
      "between two float divides or square roots")                                                                     \
    X(SPECIAL_LATENCY, "special.latency", UNSIGNED, CYCLES, "20 cycles", 1, 512, NULL,                                 \
      "special functions: reciprocal, roots, sine, cosine, exp2, log2 (sf.*)")                                         \
    X(SPECIAL_INTERVAL, "special.interval", UNSIGNED, CYCLES, "8 cycles", 1, 512, NULL,                                \
      "between two special functions: lanes / units")                                                                  \
    X(BRANCH_LATENCY, "branch.latency", UNSIGNED, CYCLES, "2 cycles", 1, 512, NULL,                                    \
      "branches and jumps: from operands to a known next pc")                                                          \
    X(CROSS_LANE_LATENCY, "cross_lane.latency", UNSIGNED, CYCLES, "8 cycles", 1, 512, NULL, "votes and shuffles")      \
    X(BARRIER_LATENCY, "barrier.latency", UNSIGNED, CYCLES, "5 cycles", 1, 512, NULL,                                  \
      "from the last arrival to the release of a barrier or warp.sync")                                                \
    X(MEMORY_QUEUE, "memory.queue", UNSIGNED, UNITLESS, "4", 1, 64, NULL, "accesses waiting to enter the memory pipe") \
    X(ADDRESS_INTERVAL, "memory.address.interval", UNSIGNED, CYCLES, "0 cycles", 0, 64, NULL,                          \
      "between two accesses of a scheduler, which has an address unit of its own and one more place than "             \
      "memory.queue; 0 cycles: one queue for all, and no such units")                                                  \
    X(ADDRESS_LATENCY, "memory.address.latency", UNSIGNED, CYCLES, "1 cycle", 1, 512, NULL,                            \
      "with address units: from an access's turn until it can enter the memory pipe")                                  \
    X(MEMORY_LANES, "memory.lanes", UNSIGNED, UNITLESS, "0", 0, 64, NULL,                                              \
      "lanes of a warp access that enter the memory pipe per cycle; 0: all at once")                                   \
    X(MEMORY_TICKETS, "memory.accesses", UNSIGNED, UNITLESS, "192", 1, 4096, NULL, "maximum warp accesses in flight")  \
    X(ATOMIC_REQUEST, "atomic.request", CHOICE, UNITLESS, "lines", 0, 0, ATOMIC_REQUESTS,                              \
      "what a request for global atomics carries: all lanes of a line; those with different words; those of 32 B "     \
      "with different words; one lane")                                                                                \
    X(MEMORY_RESPONSES, "memory.responses", UNSIGNED, UNITLESS, "0", 0, 64, NULL,                                      \
      "accesses waiting for a line of the L1, constant or texture cache that are served per cycle; 0: all of a line "  \
      "at once")                                                                                                       \
    X(SECTOR_BYTES, "memory.sector", UNSIGNED, BYTES, "32 B", 32, 128, NULL,                                           \
      "granularity of loads that bypass the L1: 32 B, 64 B or 128 B")                                                  \
    X(SCRATCHPAD_BYTES, "scratchpad.bytes", UNSIGNED, BYTES, "16 KiB", 0, 16777216, NULL, "shared memory of a core")   \
    X(SCRATCHPAD_BANKS, "scratchpad.banks", UNSIGNED, UNITLESS, "32", 1, 64, NULL, "banks, word interleaved")          \
    X(SCRATCHPAD_GROUP, "scratchpad.group", UNSIGNED, UNITLESS, "0", 0, 64, NULL,                                      \
      "lanes that pass the banks together, so that their words may conflict; 0: all of a warp")                        \
    X(SCRATCHPAD_LATENCY, "scratchpad.latency", UNSIGNED, CYCLES, "24 cycles", 1, 512, NULL,                           \
      "from a pass over the banks to the values")                                                                      \
    X(BARRIER_EARLY_EXIT, "barrier.early_exit", CHOICE, UNITLESS, "warn", 0, 0, "warn|fault",                          \
      "a barrier opens although some threads have ended: warn once, or fault")                                         \
    X(L1_BYTES, "l1.bytes", UNSIGNED, BYTES, "48 KiB", 32, 67108864, NULL, "L1 data cache")                            \
    X(L1_LINE, "l1.line", UNSIGNED, BYTES, "128 B", 32, 128, NULL,                                                     \
      "line size: 32 B, 64 B or 128 B; wide accesses are of 128 B")                                                    \
    X(L1_SECTOR, "l1.sector", UNSIGNED, BYTES, "0 B", 0, 128, NULL,                                                    \
      "part of a line that is fetched and written back by itself: 32 B, 64 B or 128 B; 0 B: the line")                 \
    X(L1_ALLOCATE, "l1.allocate", CHOICE, UNITLESS, "on_miss", 0, 0, "on_miss|on_fill",                                \
      "when a line takes its way: when its miss is sent, or when it comes")                                            \
    X(L1_LOOKUPS, "l1.lookups", UNSIGNED, UNITLESS, "1", 1, 4, NULL, "lines of a wide access looked up per cycle")     \
    X(L1_PORT_BYTES, "l1.port_bytes", UNSIGNED, BYTES, "0 B", 0, 1024, NULL,                                           \
      "bytes per cycle to and from the data of lines that hit, which move whole; 0 B: any number")                     \
    X(L1_REPLACEMENT, "l1.replacement", CHOICE, UNITLESS, "lru", 0, 0, NULL, "which line of a set goes")               \
    X(L1_SET_HASH, "l1.set_hash", CHOICE, UNITLESS, "multiplicative", 0, 0, CACHE_SET_HASHES,                          \
      "bits of the line's number that choose the set: the lowest; these with a hash of all above (linear if sets are " \
      "no power of two); with those of Fermi; with the next; or the remainder by an irreducible polynomial")           \
    X(L1_WAYS, "l1.ways", UNSIGNED, UNITLESS, "6", 1, 64, NULL, "associativity")                                       \
    X(L1_LATENCY, "l1.latency", UNSIGNED, CYCLES, "30 cycles", 1, 512, NULL, "hit latency of a wide access")           \
    X(L1_MSHRS, "l1.mshrs", UNSIGNED, UNITLESS, "64", 1, 1024, NULL, "outstanding line misses")                        \
    X(L1_MERGES, "l1.mshr_merges", UNSIGNED, UNITLESS, "8", 1, 64, NULL, "accesses that can wait for one line")        \
    X(L1_GLOBAL, "l1.global", CHOICE, UNITLESS, "bypass", 0, 0, "bypass|cache",                                        \
      "global accesses: bypass the L1, or are cached without coherence")                                               \
    X(L1_WRITE, "l1.write", CHOICE, UNITLESS, "evict", 0, 0, "evict|through",                                          \
      "global stores, which go to the partition, drop their line in the L1, or update it")                             \
    X(L1_WRITE_ALLOCATE, "l1.write_allocate", CHOICE, UNITLESS, "no", 0, 0, "no|validate",                             \
      "with l1.write 'through': global stores bring in no line, or the sectors that they write whole")                 \
    X(L1_PRIVATE, "l1.private", CHOICE, UNITLESS, "cache", 0, 0, "cache|bypass",                                       \
      "private memory: cached with write-back, or bypasses the L1")                                                    \
    X(CONSTANT_BYTES, "constant_cache.bytes", UNSIGNED, BYTES, "0 B", 0, 67108864, NULL,                               \
      "constant cache; 0 B: constants go through the L1")                                                              \
    X(CONSTANT_WAYS, "constant_cache.ways", UNSIGNED, UNITLESS, "2", 1, 64, NULL, "associativity")                     \
    X(CONSTANT_LINE, "constant_cache.line", UNSIGNED, BYTES, "64 B", 32, 128, NULL, "line size: 32 B, 64 B or 128 B")  \
    X(CONSTANT_LATENCY, "constant_cache.latency", UNSIGNED, CYCLES, "8 cycles", 1, 512, NULL,                          \
      "hit latency of one word, for all lanes that ask for it")                                                        \
    X(CONSTANT_MSHRS, "constant_cache.mshrs", UNSIGNED, UNITLESS, "2", 1, 1024, NULL, "outstanding line misses")       \
    X(CONSTANT_MERGES, "constant_cache.mshr_merges", UNSIGNED, UNITLESS, "32", 1, 64, NULL,                            \
      "words that can wait for one line")                                                                              \
    X(TEXTURE_BYTES, "texture_cache.bytes", UNSIGNED, BYTES, "0 B", 0, 67108864, NULL,                                 \
      "texture cache, for lw.nc and flw.nc; 0 B: these are loads as others")                                           \
    X(TEXTURE_WAYS, "texture_cache.ways", UNSIGNED, UNITLESS, "16", 1, 64, NULL, "associativity")                      \
    X(TEXTURE_LINE, "texture_cache.line", UNSIGNED, BYTES, "64 B", 32, 128, NULL,                                      \
      "line size: 32 B, 64 B or 128 B; one line is looked up per cycle")                                               \
    X(TEXTURE_LATENCY, "texture_cache.latency", UNSIGNED, CYCLES, "30 cycles", 1, 512, NULL,                           \
      "hit latency of a line, for all lanes that ask for words of it")                                                 \
    X(TEXTURE_MSHRS, "texture_cache.mshrs", UNSIGNED, UNITLESS, "64", 1, 1024, NULL, "outstanding line misses")        \
    X(TEXTURE_MERGES, "texture_cache.mshr_merges", UNSIGNED, UNITLESS, "8", 1, 64, NULL,                               \
      "accesses that can wait for one line")                                                                           \
    X(CODE_BYTES, "instruction_cache.bytes", UNSIGNED, BYTES, "0 B", 0, 67108864, NULL,                                \
      "instruction cache; 0 B: every fetch hits")                                                                      \
    X(CODE_WAYS, "instruction_cache.ways", UNSIGNED, UNITLESS, "4", 1, 64, NULL, "associativity")                      \
    X(CODE_LINE, "instruction_cache.line", UNSIGNED, BYTES, "128 B", 32, 128, NULL, "line size: 32 B, 64 B or 128 B")  \
    X(CODE_MSHRS, "instruction_cache.mshrs", UNSIGNED, UNITLESS, "2", 1, 1024, NULL, "outstanding line misses")        \
    X(CODE_MERGES, "instruction_cache.mshr_merges", UNSIGNED, UNITLESS, "32", 1, 4096, NULL,                           \
      "fetches that can wait for one line")                                                                            \
    X(CONTEXT_ENGINE, "context.engine", CHOICE, UNITLESS, "none", 0, 0, "none|stream",                                 \
      "thread blocks leave and enter by messages of the scheduler: not at all, or one at a time as a stream of "       \
      "packets")                                                                                                       \
    X(CONTEXT_STORAGE, "context.storage", CHOICE, UNITLESS, "scheduler", 0, 0, "scheduler|memory|buffer",              \
      "where they wait meanwhile: with the scheduler, which has a way and room for them; in memory, to which they go " \
      "by the network; or in buffers of the L2, to which they do, and those that find none in memory")                 \
    X(CONTEXT_CACHEABLE, "context.cacheable", CHOICE, UNITLESS, "none", 0, 0, "none|l2|l1l2",                          \
      "caches that keep their lines on the way to memory and back")                                                    \
    X(CONTEXT_RATE, "context.bytes_per_cycle", UNSIGNED, BYTES, "8 B", 0, 4096, NULL,                                  \
      "rate at which they do so: registers, scratchpad and reconvergence state; 0 B: as fast as they find a way")      \
    X(CONTEXT_BUFFER_RATE, "context.buffer_bytes_per_cycle", UNSIGNED, BYTES, "64 B", 0, 4096, NULL,                   \
      "rate at which they go to buffers of the L2 and come from there; 0 B: as fast as they find a way")               \
    X(CONTEXT_DEAD, "context.dead", CHOICE, UNITLESS, "none", 0, 0, "none|marks|oracle",                               \
      "registers that stay behind because nobody needs their values any more: none; those that an instruction has "    \
      "read for the last time; or all that are not needed where a warp is")                                            \
    X(CONTEXT_COMPRESS, "context.compress", CHOICE, UNITLESS, "none", 0, 0, "none|move|write",                         \
      "registers whose values are a pattern, of which a number or two are enough: all move whole; each is tested as "  \
      "it leaves; or when it is written, and what is found is kept")                                                   \
    X(CONTEXT_COMPRESS_CACHE, "context.compress_cache", UNSIGNED, BYTES, "2 KiB", 0, 1048576, NULL,                    \
      "with context.compress 'write': room for what is found, 67 bits for a register; the one that was written "       \
      "longest ago goes")                                                                                              \
    X(CONTEXT_SCRATCHPAD, "context.scratchpad", CHOICE, UNITLESS, "whole", 0, 0, "whole|written|arrays",               \
      "what of a block's scratchpad moves with it: all; or the words that it has written; or of these, those that "    \
      "are not an unchanged copy of global memory, from which the others are read where it goes on")                   \
    X(CONTEXT_SCRATCHPAD_ENTRIES, "context.scratchpad_entries", UNSIGNED, UNITLESS, "128", 0, 4096, NULL,              \
      "with context.scratchpad 'written' or 'arrays': ranges of words that the core can tell for its blocks; one "     \
      "that has more moves whole")                                                                                     \
    X(CONTEXT_UNWRITTEN, "context.unwritten", CHOICE, UNITLESS, "zero", 0, 0, "zero|garbage",                          \
      "what words of a scratchpad that have not moved are where the block goes on: 0, as when it starts, or garbage, " \
      "to find out who reads them")                                                                                    \
    X(CONTEXT_FOREIGN_STORES, "context.foreign_store_check", CHOICE, UNITLESS, "detect", 0, 0, "detect|strict",        \
      "with context.scratchpad 'arrays': which loads may be of arrays: all, or those of what the program declares "    \
      "read-only. With either, what was stored to meanwhile ends the run")                                             \
    X(CONTEXT_RETILE, "context.retile", BOOLEAN, UNITLESS, "false", 0, 0, NULL,                                        \
      "with context.scratchpad 'written' or 'arrays': a store to part of an array leaves the rest of it one")          \
    X(CONTEXT_TX_POLICY, "context.tx_policy", CHOICE, UNITLESS, "drain", 0, 0, "drain|abort|drain_then_abort",         \
      "open transactions of a thread block that stops: they are completed; or given up, and begun anew where it goes " \
      "on; or that after context.tx_drain. Those of which a lane has committed are completed")                         \
    X(CONTEXT_TX_DRAIN, "context.tx_drain", UNSIGNED, CYCLES, "1000 cycles", 0, 1000000000, NULL,                      \
      "from block.stop until transactions are given up, with context.tx_policy 'drain_then_abort'")                    \
    X(CONTEXT_LOCK_PATIENCE, "context.lock_patience", UNSIGNED, CYCLES, "0 cycles", 0, 1000000000, NULL,               \
      "for which a thread block goes on after block.stop while its threads hold locks, as the source marks them; 0 "   \
      "cycles: it stops at once")                                                                                      \
    X(CONTEXT_LEVELS, "context.levels", CHOICE, UNITLESS, "none", 0, 0, "none|blocks",                                 \
      "what the scheduler can ask the core to report of running thread blocks: nothing, or how much of its issue "     \
      "slots "                                                                                                         \
      "and its memory pipe each wants")                                                                                \
    TX_PARAMETERS(X)

enum core_parameter { CORE_PARAMETERS(HD_PARAMETER_NUMBER) PARAMETER_COUNT };

/* Slots of units (hd_unit.h), in this order. */
enum core_unit {
    CORE_SCHEDULER,
    CORE_RECONVERGENCE,
    CORE_TX,
    CORE_TX_SCRATCHPAD,
    CORE_L1_REPLACEMENT,
    CORE_SCOREBOARD,
    CORE_SPIN,
    CORE_BACK_OFF,
    CORE_UNITS
};

#define MAX_SCHEDULERS 8u
#define EARLY_EXIT_FAULT 1u /* of barrier.early_exit */

/* In the row of a statistic that is 0 unless one of two parameters is on. */
#define COUNTS_WITH(parameter, other) .when = HD_STATISTIC_WHEN(PARAMETER_##parameter, PARAMETER_##other)

/*
 * What an issue slot (one scheduler, one cycle) was used for; together they are cycles * schedulers. Where the paths of a
 * scheduler wait for different things, the first in this order has the slot (account.c).
 */
#define CORE_SLOTS(X)                                                                                                  \
    X(slots_issued, "slots", COUNT, "issue slots that issued an instruction")                                          \
    X(slots_port_busy, "slots", COUNT, "slots occupied by an instruction issued in an earlier cycle")                  \
    X(slots_registers, "slots", COUNT, "slots lost: operands waited for banks of the register file",                   \
      COUNTS_WITH(REGISTER_BANKS, REGISTER_BANKS))                                                                     \
    X(slots_unit_busy, "slots", COUNT, "slots lost: ready instructions, but the functional unit was busy")             \
    X(slots_backed_off, "slots", COUNT, "slots lost: ready instructions, but the scheduler declined to issue one now", \
      .when = HD_STATISTIC_SELDOM)                                                                                     \
    X(slots_network, "slots", COUNT,                                                                                   \
      "slots lost: ready memory instructions, but the memory pipe was full and its packet waited for a network "       \
      "credit")                                                                                                        \
    X(slots_memory_width, "slots", COUNT,                                                                              \
      "slots lost: ready memory instructions, but the memory pipe was full and narrower than the access in it",        \
      COUNTS_WITH(MEMORY_LANES, L1_PORT_BYTES))                                                                        \
    X(slots_memory_pipe, "slots", COUNT, "slots lost: ready memory instructions, but the memory pipe was full")        \
    X(slots_memory_data, "slots", COUNT, "slots lost: waiting for loaded data or for stores to be acknowledged")       \
    X(slots_dependence, "slots", COUNT, "slots lost: waiting for results of the functional units")                     \
    X(slots_fetch, "slots", COUNT, "slots lost: waiting for an instruction cache miss",                                \
      COUNTS_WITH(CODE_BYTES, CODE_BYTES))                                                                             \
    X(slots_control, "slots", COUNT, "slots lost: waiting for a branch outcome")                                       \
    X(slots_decode, "slots", COUNT, "slots lost: waiting for fetch and decode")                                        \
    X(slots_barrier, "slots", COUNT, "slots lost: waiting at a barrier or warp.sync")                                  \
    X(slots_transaction, "slots", COUNT,                                                                               \
      "slots lost: waiting to begin, commit or retry, or for a transaction's stores", COUNTS_WITH(TX, TX))             \
    X(slots_idle, "slots", COUNT, "slots without a running path")

enum core_slot {
#define CORE_SLOT(name, ...) CORE_##name,
    CORE_SLOTS(CORE_SLOT)
#undef CORE_SLOT
        CORE_SLOT_COUNT
};

/* The same slots in the four classes of Fung 2015, Fig. 4.10: EXEC, STALL, SCRB, IDLE. Which is in which: account.c. */
#define CORE_SLOT_CLASSES(X)                                                                                           \
    X(execute_slots, "slots", COUNT, "slots_issued and slots_port_busy")                                               \
    X(stall_slots, "slots", COUNT,                                                                                     \
      "slots in which an instruction was ready, and nothing could take it: slots_registers, slots_unit_busy, "         \
      "slots_backed_off, slots_network, slots_memory_width and slots_memory_pipe")                                     \
    X(scoreboard_slots, "slots", COUNT,                                                                                \
      "slots in which instructions waited for others: slots_memory_data, slots_dependence, slots_barrier and "         \
      "slots_transaction")                                                                                             \
    X(idle_slots, "slots", COUNT,                                                                                      \
      "slots without an instruction to look at: slots_fetch, slots_control, slots_decode and slots_idle")

enum core_slot_class { CORE_EXECUTE, CORE_STALL, CORE_SCOREBOARD_WAITS, CORE_IDLE, CORE_SLOT_CLASS_COUNT };

/* Registers of warps of blocks_saved that moved as a pattern, in the order of enum register_pattern. */
#define CORE_CONTEXT_PATTERN(X, name, what)                                                                            \
    X(context_##name##_registers, "registers", COUNT, "registers of the warps of blocks_saved that moved as " what,    \
      COUNTS_WITH(CONTEXT_COMPRESS, CONTEXT_COMPRESS))
#define CORE_CONTEXT_PATTERNS(X)                                                                                       \
    CORE_CONTEXT_PATTERN(X, constant, "one number")                                                                    \
    CORE_CONTEXT_PATTERN(X, stride_1, "numbers that follow one another")                                               \
    CORE_CONTEXT_PATTERN(X, stride_4, "numbers by steps of 4")                                                         \
    CORE_CONTEXT_PATTERN(X, halves_1, "numbers that follow one another in each half of the warp")                      \
    CORE_CONTEXT_PATTERN(X, halves_4, "numbers by steps of 4 in each half")

/* X(identifier, unit, kind, doc), or with COUNTS_WITH behind; the name is the identifier. A: as in counting.h. */
#define CORE_OWN_STATISTICS_AND(X, A)                                                                                  \
    COUNTING_TOTALS(X)                                                                                                 \
    A(X, slots, CORE_SLOTS)                                                                                            \
    A(X, slot_classes, CORE_SLOT_CLASSES)                                                                              \
    A(X, spinning, SPINNING_STATISTICS)                                                                                \
    X(dual_issues, "instructions", COUNT, "instructions that issued in the slot of the one before them")               \
    X(empty_cycles, "cycles", COUNT, "cycles without a resident block, which are not counted as slots")                \
    X(fetch_stall_cycles, "cycles", COUNT,                                                                             \
      "cycles from an instruction fetch that missed to its fill, summed over fetches")                                 \
    X(operand_conflicts, "instructions", COUNT, "instructions whose operands waited for a bank of the register file")  \
    X(operand_wait_cycles, "cycles", COUNT, "cycles of operand_conflicts, summed over instructions")                   \
    X(exit_waits, "instructions", COUNT,                                                                               \
      "instructions that waited because they would have left the pipeline of their port beside another")               \
    X(exit_wait_cycles, "cycles", COUNT, "cycles of exit_waits, summed over instructions")                             \
    X(write_back_waits, "results", COUNT, "results that waited to be written to registers")                            \
    X(write_back_wait_cycles, "cycles", COUNT, "cycles of write_back_waits, summed over results")                      \
    X(launches_held, "blocks", COUNT, "blocks that waited in the core for a free slot")                                \
    X(blocks_saved, "blocks", COUNT, "thread blocks that left as a stream",                                            \
      COUNTS_WITH(CONTEXT_ENGINE, CONTEXT_ENGINE))                                                                     \
    X(blocks_restored, "blocks", COUNT, "thread blocks that entered as a stream",                                      \
      COUNTS_WITH(CONTEXT_ENGINE, CONTEXT_ENGINE))                                                                     \
    X(blocks_shuffled, "blocks", COUNT, "of blocks_saved and blocks_restored, those that went by a buffer of the L2",  \
      COUNTS_WITH(CONTEXT_STORAGE, CONTEXT_STORAGE))                                                                   \
    X(context_buffer_overflows, "blocks", COUNT, "of blocks_saved, those that were larger than their buffer",          \
      COUNTS_WITH(CONTEXT_STORAGE, CONTEXT_STORAGE))                                                                   \
    X(context_bytes, "B", COUNT, "registers, scratchpad and reconvergence state of blocks_saved and blocks_restored",  \
      COUNTS_WITH(CONTEXT_ENGINE, CONTEXT_ENGINE))                                                                     \
    X(context_cycles, "cycles", COUNT, "cycles of blocks_saved and blocks_restored, from the first byte to the last",  \
      COUNTS_WITH(CONTEXT_ENGINE, CONTEXT_ENGINE))                                                                     \
    X(context_dead_registers, "registers", COUNT, "registers of the warps of blocks_saved that stayed behind",         \
      COUNTS_WITH(CONTEXT_DEAD, CONTEXT_DEAD))                                                                         \
    A(X, context_patterns, CORE_CONTEXT_PATTERNS)                                                                      \
    X(context_registers_tested, "registers", COUNT, "registers of warps that were tested for patterns",                \
      COUNTS_WITH(CONTEXT_COMPRESS, CONTEXT_COMPRESS))                                                                 \
    X(context_registers_expanded, "registers", COUNT,                                                                  \
      "registers of the warps of blocks_restored that came as a pattern",                                              \
      COUNTS_WITH(CONTEXT_COMPRESS, CONTEXT_COMPRESS))                                                                 \
    X(context_pattern_writes, "registers", COUNT, "patterns that were written to context.compress_cache",              \
      COUNTS_WITH(CONTEXT_COMPRESS, CONTEXT_COMPRESS))                                                                 \
    X(context_pattern_reads, "registers", COUNT, "patterns that blocks_saved took from context.compress_cache",        \
      COUNTS_WITH(CONTEXT_COMPRESS, CONTEXT_COMPRESS))                                                                 \
    X(context_pattern_evictions, "registers", COUNT, "patterns that made room for others in context.compress_cache",   \
      COUNTS_WITH(CONTEXT_COMPRESS, CONTEXT_COMPRESS))                                                                 \
    X(context_bytes_spared, "B", COUNT,                                                                                \
      "of the registers of blocks_saved, what patterns were smaller and dead registers were, without the bits that "   \
      "tell which they are",                                                                                           \
      COUNTS_WITH(CONTEXT_DEAD, CONTEXT_COMPRESS))                                                                     \
    X(context_scratchpad_spared, "B", COUNT, "of the scratchpads of blocks_saved, what did not move",                  \
      COUNTS_WITH(CONTEXT_SCRATCHPAD, CONTEXT_SCRATCHPAD))                                                             \
    X(context_scratchpad_overflows, "blocks", COUNT,                                                                   \
      "blocks_saved whose scratchpad moved whole as context.scratchpad_entries were too few",                          \
      COUNTS_WITH(CONTEXT_SCRATCHPAD, CONTEXT_SCRATCHPAD))                                                             \
    X(context_arrays, "arrays", COUNT, "arrays of blocks_saved that stayed in global memory",                          \
      COUNTS_WITH(CONTEXT_SCRATCHPAD, CONTEXT_SCRATCHPAD))                                                             \
    X(context_array_bytes_spared, "B", COUNT, "of context_scratchpad_spared, what these are",                          \
      COUNTS_WITH(CONTEXT_SCRATCHPAD, CONTEXT_SCRATCHPAD))                                                             \
    X(context_array_bytes, "B", COUNT, "read from global memory for the arrays of blocks_restored",                    \
      COUNTS_WITH(CONTEXT_SCRATCHPAD, CONTEXT_SCRATCHPAD))                                                             \
    X(context_foreign_words, "words", COUNT, "of these, words that had been stored to meanwhile: the run ends",        \
      .when = HD_STATISTIC_SELDOM)                                                                                     \
    X(context_lock_waits, "blocks", COUNT, "thread blocks that went on after block.stop, because they held a lock",    \
      COUNTS_WITH(CONTEXT_LOCK_PATIENCE, CONTEXT_LOCK_PATIENCE))                                                       \
    X(context_lock_cycles, "cycles", COUNT, "of context_stop_cycles, those for which they did",                        \
      COUNTS_WITH(CONTEXT_LOCK_PATIENCE, CONTEXT_LOCK_PATIENCE))                                                       \
    X(context_stop_cycles, "cycles", COUNT, "cycles of blocks_saved from block.stop to the first byte",                \
      COUNTS_WITH(CONTEXT_ENGINE, CONTEXT_ENGINE))                                                                     \
    X(context_answer_cycles, "cycles", COUNT,                                                                          \
      "cycles of blocks_saved and blocks_restored from the last request to memory to its answer",                      \
      COUNTS_WITH(CONTEXT_STORAGE, CONTEXT_STORAGE))                                                                   \
    X(levels_cycles, "cycles", COUNT, "cycles in which a thread block was watched, summed over blocks",                \
      COUNTS_WITH(CONTEXT_LEVELS, CONTEXT_LEVELS))                                                                     \
    X(levels_slots, "slots", COUNT, "instructions that the core could have issued in levels_cycles",                   \
      COUNTS_WITH(CONTEXT_LEVELS, CONTEXT_LEVELS))                                                                     \
    X(levels_refused_cycles, "cycles", COUNT,                                                                          \
      "of levels_cycles, those with a memory instruction of the block ready that the memory pipe had no room for",     \
      COUNTS_WITH(CONTEXT_LEVELS, CONTEXT_LEVELS))                                                                     \
    X(levels_float_instructions, "instructions", COUNT, "float instructions of blocks in levels_cycles",               \
      COUNTS_WITH(CONTEXT_LEVELS, CONTEXT_LEVELS))                                                                     \
    X(levels_memory_attempts, "attempts", COUNT,                                                                       \
      "memory instructions of blocks in levels_cycles, and for each cycle the warps with one that found no room; "     \
      "where the policy asks for demand",                                                                              \
      COUNTS_WITH(CONTEXT_LEVELS, CONTEXT_LEVELS))                                                                     \
    X(levels_tx_ended, "attempts", COUNT, "attempts of lanes of transactions that ended in levels_cycles",             \
      COUNTS_WITH(CONTEXT_LEVELS, CONTEXT_LEVELS))                                                                     \
    X(levels_tx_aborted, "attempts", COUNT, "of levels_tx_ended, those that aborted",                                  \
      COUNTS_WITH(CONTEXT_LEVELS, CONTEXT_LEVELS))                                                                     \
    A(X, work_lanes, CORE_ACTIVE_LANES)                                                                                \
    A(X, work_inactive_lanes, CORE_INACTIVE_LANES)                                                                     \
    X(register_reads, "operands", COUNT, "different registers that an instruction reads, times active lanes, summed")  \
    X(register_inactive_reads, "operands", COUNT, "the same times lanes that are not active")                          \
    X(register_writes, "operands", COUNT, "registers that an instruction writes, times active lanes, summed")          \
    X(register_inactive_writes, "operands", COUNT, "the same times lanes that are not active")                         \
    COUNTING_EXECUTION_AND(X, A)
#define CORE_STATISTICS(X) CORE_OWN_STATISTICS_AND(X, COUNTING_ROWS) TX_STATISTICS_AND(X, COUNTING_ROWS)

typedef struct core_counters {
#define CORE_COUNTER(name, ...) uint64_t name;
    CORE_OWN_STATISTICS_AND(CORE_COUNTER, COUNTING_ARRAY)
#undef CORE_COUNTER
    tx_counters tx;
    memory_counters memory;
} core_counters;

#endif
