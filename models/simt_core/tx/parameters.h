/* SPDX-License-Identifier: MIT */
/* Parameters and statistics of transactions in the core. */
#ifndef SIMT_CORE_TX_PARAMETERS_H
#define SIMT_CORE_TX_PARAMETERS_H

#include "intra_warp.h"

#define TX_CHOICES "none|getm"
enum { TX_CHOICE_NONE, TX_CHOICE_GETM };

/* X(identifier, name, type, unit, default, minimum, maximum, choices, doc) */
#define TX_PARAMETERS(X)                                                                                               \
    X(TX, "tx", CHOICE, UNITLESS, "none", 0, 0, TX_CHOICES, "protocol of transactions on global memory")               \
    X(TX_CONCURRENCY, "tx.concurrency", UNSIGNED, UNITLESS, "8", 0, 256, NULL,                                         \
      "warps in transactions at once; 0: all")                                                                         \
    X(TX_TOKEN_HOLD, "tx.token_hold", BOOLEAN, UNITLESS, "true", 0, 0, NULL,                                           \
      "a warp that backs off keeps its place among them")                                                              \
    X(TX_CHECKPOINT, "tx.checkpoint", UNSIGNED, CYCLES, "0 cycles", 0, 512, NULL, "registers are saved at tx.begin")   \
    X(TX_LOG_BYTES, "tx.log_bytes", UNSIGNED, BYTES, "8 KiB", 64, 65536, NULL,                                         \
      "private memory of a thread for its read and write log, 8 B a word")                                             \
    X(TX_LOG_TRAFFIC, "tx.log_traffic", CHOICE, UNITLESS, "l1", 0, 0, "l1|none",                                       \
      "logs are lines of private memory that take their turns in the L1, or cost nothing")                             \
    X(TX_STORE_BLOCKING, "tx.store_blocking", BOOLEAN, UNITLESS, "true", 0, 0, NULL,                                   \
      "a transactional store holds its warp until it is approved")                                                     \
    X(TX_OWN_READS, "tx.own_reads", CHOICE, UNITLESS, "log", 0, 0, "log|validate",                                     \
      "loads of what the thread has written in its transaction: from its log, or validated all the same")              \
    X(TX_INTRA_WARP, "tx.intra_warp", CHOICE, UNITLESS, "2pcr", 0, 0, INTRA_WARP_CHOICES,                              \
      "conflicts between lanes of a warp: at commit in two parallel phases, lane by lane, at no cost; or at each "     \
      "access")                                                                                                        \
    X(TX_OWNERSHIP, "tx.ownership", UNSIGNED, BYTES, "4 KiB", 0, 65536, NULL,                                          \
      "2pcr: ownership table, a byte for each word that is hashed to it; 0 B: one for every word")                     \
    X(TX_RESOLUTIONS, "tx.resolutions", UNSIGNED, UNITLESS, "3", 0, 64, NULL,                                          \
      "warps that resolve conflicts at once; 0: all")                                                                  \
    X(TX_BACK_OFF, "tx.back_off.base", UNSIGNED, CYCLES, "64 cycles", 0, 65536, NULL,                                  \
      "the n-th retry waits up to base * 2^n cycles; 0: none does")                                                    \
    X(TX_BACK_OFF_EXPONENT, "tx.back_off.exponent", UNSIGNED, UNITLESS, "7", 0, 16, NULL, "n at most")                 \
    X(TX_WATCHDOG, "tx.watchdog", UNSIGNED, CYCLES, "0 cycles", 0, 0, NULL,                                            \
      "an attempt that runs for so long is given up; 0: none is")                                                      \
    X(TX_GRANULE, "tx.granule", UNSIGNED, BYTES, "32 B", 16, 128, NULL,                                                \
      "getm: what is validated as one; that of the validation units")                                                  \
    X(TX_TIE_BREAK, "tx.tie_break", CHOICE, UNITLESS, "gwid", 0, 0, "gwid|paper",                                      \
      "getm: clocks of different warps differ by the number of the warp, or may be equal")                             \
    X(TX_CLOCK_SEED, "tx.clock_seed", CHOICE, UNITLESS, "slot", 0, 0, "slot|core_max|zero",                            \
      "getm: clock of a new block's warps: that of the warps before them, the core's highest, or 0")                   \
    X(TX_CLOCK_START, "tx.clock_start", CHOICE, UNITLESS, "warp", 0, 0, "warp|core",                                   \
      "getm: a transaction starts at the clock of its warp, or at the highest of its core")

/* Why attempts were given up, in the order of enum tx_reason; X(identifier, unit, kind, doc) */
#define TX_REASONS(X)                                                                                                  \
    X(tx_aborts_load_written, "attempts", COUNT, "given up: a later transaction had written what a load asked for")    \
    X(tx_aborts_store_written, "attempts", COUNT, "given up: a later transaction had written to where a store goes")   \
    X(tx_aborts_store_read, "attempts", COUNT, "given up: a later transaction had read from where a store goes")       \
    X(tx_aborts_stall_full, "attempts", COUNT, "given up: no room to wait for an earlier transaction")                 \
    X(tx_aborts_intra_warp, "attempts", COUNT, "given up: conflict with another lane of the warp")                     \
    X(tx_aborts_program, "attempts", COUNT, "given up by tx.abort")                                                    \
    X(tx_aborts_watchdog, "attempts", COUNT, "given up: ran for too long")                                             \
    X(tx_aborts_rollover, "attempts", COUNT, "given up: clocks began anew")

/* X(identifier, unit, kind, doc) */
#define TX_STATISTICS(X)                                                                                               \
    X(tx_begins, "transactions", COUNT, "transactions begun, one per warp")                                            \
    X(tx_attempts, "attempts", COUNT, "attempts of lanes")                                                             \
    X(tx_commits, "transactions", COUNT, "transactions of lanes that committed")                                       \
    X(tx_aborts, "attempts", COUNT, "attempts of lanes that were given up")                                            \
    TX_REASONS(X)                                                                                                      \
    X(tx_retries, "attempts", COUNT, "attempts of warps after the first of a transaction")                             \
    X(tx_execute_cycles, "cycles", COUNT, "cycles in which a warp runs within a transaction, summed over warps")       \
    X(tx_wait_cycles, "cycles", COUNT, "cycles in which a warp waits to begin, commit or retry one; likewise")         \
    X(tx_token_cycles, "cycles", COUNT, "of tx_wait_cycles, to begin: too many other warps are in transactions")       \
    X(tx_resolve_cycles, "cycles", COUNT, "of tx_wait_cycles, for conflicts within the warp")                          \
    X(tx_commit_cycles, "cycles", COUNT, "of tx_wait_cycles, for the protocol's commit")                               \
    X(tx_retry_cycles, "cycles", COUNT, "of tx_wait_cycles, to begin again")                                           \
    X(tx_read_words, "words", COUNT, "words in read logs of lanes that committed")                                     \
    X(tx_write_words, "words", COUNT, "words in write logs of lanes that committed")                                   \
    X(tx_maximum_read_words, "words", MAXIMUM, "words in the read log of one lane that committed")                     \
    X(tx_maximum_write_words, "words", MAXIMUM, "words in the write log of one lane that committed")                   \
    X(tx_own_reads, "accesses", COUNT, "loads of lanes that their write logs served")                                  \
    X(tx_requests, "packets", COUNT, "packets for transactional loads and stores")                                     \
    X(tx_logs, "packets", COUNT, "packets with logs")                                                                  \
    X(tx_undo_words, "words", COUNT, "words of private memory that were saved before they were overwritten")           \
    X(tx_clock_steps, "steps", COUNT, "getm: how far clocks of warps were put forward")                                \
    X(tx_rollovers, "rollovers", COUNT, "getm: times that all clocks began anew")                                      \
    X(tx_maximum_warps, "warps", MAXIMUM, "warps in transactions at once")

#endif
