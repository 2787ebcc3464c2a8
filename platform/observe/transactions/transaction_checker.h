/* SPDX-License-Identifier: MIT */
/*
 * The serialisability checker: holds the committed transactions of a run against two rules that know nothing of each other.
 *
 *   Replay   In the protocol's own order (hd_transactions.h), on a copy of memory, every read finds the value that it had, and
 *            what is in memory at the end is what the last of them wrote. Where different warps have equal orders
 *            there is nothing to replay by.
 *   Graph    The L2 slices say in which order reads and writes of each word took place. "Came before" among the transactions that
 *            did them (write-read, write-write, read-write) has no cycle. Source: Fung 2015 §5.1; Ren & Lis 2018 §IV.
 *            A word that was validated by value was read when it was validated: only that reading comes before and after others.
 *
 * A transaction without an order is placed by the graph alone. What a protocol says of reads and writes must be what
 * the program has loaded and stored, and a load of what the lane itself has stored must find that.
 * Besides, every write to memory on behalf of transactions belongs to one that committed, every committed write takes place, and
 * slices return what was written last.
 *
 * Transactions are isolated from each other, not from plain accesses: words that are also written plainly while kernels
 * run are counted as mixed and are not compared.
 *
 * Transactions on scratchpads are held against their own order alone, apart from those on global memory: no slice sees them.
 *
 * Intervals: begin -> end, while all blocks stand and nothing is on the way. In between the extension and the taps are
 * called; those of one slice by one thread at a time, those of one endpoint likewise.
 */
#ifndef HD_TRANSACTION_CHECKER_H
#define HD_TRANSACTION_CHECKER_H

#include "hd_extension.h"
#include "hd_tap.h"
#include "hd_transactions.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_transaction_checker hd_transaction_checker;

/* Who knows names. */
typedef struct hd_transaction_places {
    void *context;
    /* Function, line and pc, as isa_program_place. */
    void (*place)(void *context, uint32_t module, uint32_t pc, char *text, size_t bytes);
    /* What memory holds now: 1 and the word, or 0. Called at the end of an interval; NULL: nobody knows. */
    uint32_t (*memory)(void *context, uint64_t address, uint32_t *word);
} hd_transaction_places;

/* Never NULL. places is copied. Endpoints are below endpoint_count. */
hd_transaction_checker *hd_transaction_checker_create(uint32_t slice_count, uint32_t endpoint_count,
                                                      const hd_transaction_places *places);
void hd_transaction_checker_destroy(hd_transaction_checker *checker); /* NULL is allowed */

/* To be provided as HD_EXTENSION_TRANSACTIONS. */
const hd_transactions *hd_transaction_checker_extension(hd_transaction_checker *checker);
/* To be attached to slice number `slice`, with this context, behind all others. */
extern const hd_tap hd_transaction_tap;
hd_block *hd_transaction_checker_slice(hd_transaction_checker *checker, uint32_t slice);

void hd_transaction_checker_begin(hd_transaction_checker *checker);
/* Checks the interval and forgets it. Returns how many violations it has; the first few go to sink, several lines each. */
uint64_t hd_transaction_checker_end(hd_transaction_checker *checker, const hd_text_sink *sink);

typedef struct hd_transaction_checks {
    uint64_t transactions;  /* lanes' commits, of all intervals */
    uint64_t on_scratchpad; /* of these */
    uint64_t reads;         /* words */
    uint64_t writes;
    uint64_t own_reads;   /* loads of words of which their transaction had stored some byte before */
    uint64_t validations; /* reads of words that were validated by value */
    uint64_t replayed;    /* of transactions */
    uint64_t placed;      /* of transactions without an order: by value */
    uint64_t edges;       /* of the graph */
    uint64_t mixed;       /* words of theirs that were not compared */
    uint64_t violations;
} hd_transaction_checks;
hd_transaction_checks hd_transaction_checker_counts(const hd_transaction_checker *checker);

#ifdef __cplusplus
}
#endif

#endif
