/* SPDX-License-Identifier: MIT */
/* Parameters and statistics of transactions in the core. */
#ifndef SIMT_CORE_TX_PARAMETERS_H
#define SIMT_CORE_TX_PARAMETERS_H

#include "back_off.h"
#include "counting.h"
#include "intra_warp.h"

/* X(identifier, name, type, unit, default, minimum, maximum, choices, doc) */
#define TX_PARAMETERS(X)                                                                                               \
    X(TX, "tx", CHOICE, UNITLESS, "none", 0, 0, NULL, "transactional memory protocol")                                 \
    X(TX_SCRATCHPAD, "tx.scratchpad", CHOICE, UNITLESS, "none", 0, 0, NULL,                                            \
      "protocol for transactions on the scratchpad, beside that of tx for those on global memory")                     \
    X(TX_CONCURRENCY, "tx.concurrency", UNSIGNED, UNITLESS, "8", 0, 256, NULL,                                         \
      "warps that may be in transactions at once; 0: no limit")                                                        \
    X(TX_TOKEN_HOLD, "tx.token_hold", BOOLEAN, UNITLESS, "true", 0, 0, NULL,                                           \
      "a warp keeps its token while it backs off")                                                                     \
    X(TX_CHECKPOINT, "tx.checkpoint", UNSIGNED, CYCLES, "0 cycles", 0, 512, NULL,                                      \
      "time to save the registers at tx.begin")                                                                        \
    X(TX_LOG_BYTES, "tx.log_bytes", UNSIGNED, BYTES, "8 KiB", 64, 65536, NULL,                                         \
      "private memory per thread for its read and write logs, 8 B per word")                                           \
    X(TX_LOG_TRAFFIC, "tx.log_traffic", CHOICE, UNITLESS, "l1", 0, 0, "l1|none",                                       \
      "log accesses use the L1 as lines of private memory, or cost nothing")                                           \
    X(TX_STORE_BLOCKING, "tx.store_blocking", BOOLEAN, UNITLESS, "true", 0, 0, NULL,                                   \
      "a warp waits until its transactional store is approved")                                                        \
    X(TX_OWN_READS, "tx.own_reads", CHOICE, UNITLESS, "log", 0, 0, "log|validate",                                     \
      "loads of words that the thread has written in its transaction: served from its log, or validated like others")  \
    X(TX_INTRA_WARP, "tx.intra_warp", CHOICE, UNITLESS, "2pcr", 0, 0, INTRA_WARP_CHOICES,                              \
      "conflicts between lanes of a warp are resolved: at commit in two parallel phases, lane by lane, or at no "      \
      "cost; or at each access; or by the protocol, as those between warps")                                           \
    X(TX_OWNERSHIP, "tx.ownership", UNSIGNED, BYTES, "4 KiB", 0, 65536, NULL,                                          \
      "2pcr: size of the ownership table, a byte per entry, to which words are hashed; 0 B: one entry per word, no "   \
      "collisions")                                                                                                    \
    X(TX_RESOLUTIONS, "tx.resolutions", UNSIGNED, UNITLESS, "3", 0, 64, NULL,                                          \
      "warps that resolve conflicts at once; 0: no limit")                                                             \
    X(TX_BACK_OFF_LAW, "tx.back_off.law", CHOICE, UNITLESS, "exponential", 0, 0, BACK_OFF_LAWS,                        \
      "before the n-th retry a warp waits: anything below base * 2^n cycles; or base * n cycles; or base * (n mod r) " \
      "cycles, where r is any of 1 to 10")                                                                             \
    X(TX_BACK_OFF, "tx.back_off.base", UNSIGNED, CYCLES, "64 cycles", 0, 65536, NULL,                                  \
      "what the law multiplies; 0: no back-off")                                                                       \
    X(TX_BACK_OFF_EXPONENT, "tx.back_off.exponent", UNSIGNED, UNITLESS, "7", 0, 16, NULL, "exponential: largest n")    \
    X(TX_BACK_OFF_MAXIMUM, "tx.back_off.maximum", UNSIGNED, CYCLES, "0 cycles", 0, 0, NULL,                            \
      "longest back-off; 0: no limit")                                                                                 \
    X(TX_WATCHDOG, "tx.watchdog", UNSIGNED, CYCLES, "0 cycles", 0, 0, NULL,                                            \
      "an attempt that runs longer is aborted; 0: no limit")                                                           \
    X(TX_PATIENCE, "tx.patience", UNSIGNED, UNITLESS, "300000", 0, 0, NULL,                                            \
      "instructions of an attempt, those included that the watchdog has ended before: one more ends the run with an "  \
      "error, unless lanes may be doomed; 0: no limit")

/* Where each of them is among those of transactions. */
enum tx_parameter_number {
#define TX_PARAMETER(identifier, ...) TX_PARAMETER_##identifier,
    TX_PARAMETERS(TX_PARAMETER)
#undef TX_PARAMETER
        TX_PARAMETER_COUNT
};

/* Why attempts were given up, whatever the protocol, in the order of enum tx_reason; X(identifier, unit, kind, doc) */
#define TX_REASONS(X)                                                                                                  \
    X(tx_aborts_intra_warp, "attempts", COUNT, "aborted: conflict with another lane of the warp")                      \
    X(tx_aborts_program, "attempts", COUNT, "aborted by tx.abort")                                                     \
    X(tx_aborts_watchdog, "attempts", COUNT, "aborted: ran for too long")                                              \
    X(tx_aborts_preempted, "attempts", COUNT, "aborted: the thread block leaves the core")

/* What threads spend their cycles on (thread_time.h), with the names of Fung 2015, Fig. 4.9; X(identifier, unit, kind, doc) */
#define TX_THREAD_CYCLES(X)                                                                                            \
    X(thread_cycles_throttled, "cycles", COUNT,                                                                        \
      "of thread_cycles, waiting to begin an attempt: for a token, for a turn, or backing off (TC)")                   \
    X(thread_cycles_committing, "cycles", COUNT,                                                                       \
      "of thread_cycles, from the end of an attempt until the lane has committed or aborted (TO)")                     \
    X(thread_cycles_committed, "cycles", COUNT,                                                                        \
      "of thread_cycles, committed or paused, and waiting for others of the warp (TW)")                                \
    X(thread_cycles_aborted, "cycles", COUNT,                                                                          \
      "of thread_cycles, executing attempts that aborted, and waiting for the end of that of the warp (TA)")           \
    X(thread_cycles_useful, "cycles", COUNT, "of thread_cycles, executing attempts that committed (TU)")               \
    X(thread_cycles_atomic, "cycles", COUNT,                                                                           \
      "of thread_cycles, outside of transactions, an atomic of the thread is on its way (AT)")                         \
    X(thread_cycles_barrier, "cycles", COUNT, "of thread_cycles, waiting at a barrier or warp.sync (BA)")              \
    X(thread_cycles_other, "cycles", COUNT, "of thread_cycles, anything else outside of transactions (NL)")

/* X(identifier, unit, kind, doc); A: as in counting.h */
#define TX_STATISTICS_AND(X, A)                                                                                        \
    X(tx_begins, "transactions", COUNT, "transactions begun, one per warp")                                            \
    X(tx_attempts, "attempts", COUNT, "lanes' attempts")                                                               \
    X(tx_commits, "transactions", COUNT, "lanes' transactions that committed")                                         \
    X(tx_aborts, "attempts", COUNT, "lanes' attempts that aborted")                                                    \
    A(X, aborts_for, TX_REASONS)                                                                                       \
    X(tx_scratchpad_begins, "transactions", COUNT, "of tx_begins, those on the scratchpad")                            \
    X(tx_scratchpad_attempts, "attempts", COUNT, "of tx_attempts, those on the scratchpad")                            \
    X(tx_scratchpad_commits, "transactions", COUNT, "of tx_commits, those on the scratchpad")                          \
    X(tx_scratchpad_aborts, "attempts", COUNT, "of tx_aborts, those on the scratchpad")                                \
    X(tx_withdrawals, "transactions", COUNT, "of tx_begins, those of a block that leaves, to begin anew elsewhere")    \
    X(tx_retries, "attempts", COUNT, "warps' attempts after the first of a transaction")                               \
    X(tx_execute_cycles, "cycles", COUNT, "cycles in which a warp executes a transaction, summed over warps")          \
    X(tx_wait_cycles, "cycles", COUNT, "cycles in which a warp waits to begin, commit or retry, summed over warps")    \
    X(tx_token_cycles, "cycles", COUNT, "of tx_wait_cycles, waiting for a token to begin")                             \
    X(tx_resolve_cycles, "cycles", COUNT, "of tx_wait_cycles, resolving conflicts within the warp")                    \
    X(tx_commit_cycles, "cycles", COUNT, "of tx_wait_cycles, waiting for the protocol's commit")                       \
    X(tx_retry_cycles, "cycles", COUNT, "of tx_wait_cycles, waiting to retry")                                         \
    X(tx_read_words, "words", COUNT,                                                                                   \
      "words that lanes that committed have read: entries of their read logs, or loads from the scratchpad of what "   \
      "they had not written")                                                                                          \
    X(tx_write_words, "words", COUNT,                                                                                  \
      "words that they have written: entries of their write logs, or words of the scratchpad")                         \
    X(tx_maximum_read_words, "words", MAXIMUM, "most words that a lane that committed has read")                       \
    X(tx_maximum_write_words, "words", MAXIMUM, "most words that a lane that committed has written")                   \
    X(tx_own_reads, "accesses", COUNT, "lanes' loads served from their write logs")                                    \
    X(tx_requests, "packets", COUNT, "requests for transactional loads and stores")                                    \
    X(tx_logs, "packets", COUNT, "packets with logs")                                                                  \
    X(tx_undo_words, "words", COUNT, "words of private memory saved before they were overwritten")                     \
    X(tx_maximum_fruitless_cycles, "cycles", MAXIMUM,                                                                  \
      "longest time of a warp's attempts in a row in which no lane committed, without back-off")                       \
    X(tx_maximum_warps, "warps", MAXIMUM, "most warps in transactions at once")                                        \
    X(thread_cycles, "cycles", COUNT, "cycles of threads from launch to end, summed, on cores with transactions")      \
    A(X, thread_cycles_in, TX_THREAD_CYCLES)

typedef struct tx_counters {
#define TX_COUNTER(name, unit, kind, doc) uint64_t name;
    TX_STATISTICS_AND(TX_COUNTER, COUNTING_ARRAY)
#undef TX_COUNTER
} tx_counters;

#endif
