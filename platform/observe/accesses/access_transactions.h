/* SPDX-License-Identifier: MIT */
/* Accesses of transactions count when, and if, their lane commits: until then they are kept here. */
#ifndef HD_ACCESS_TRANSACTIONS_H
#define HD_ACCESS_TRANSACTIONS_H

#include "access_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hd_access_attempt;
typedef struct hd_access_transactions {
    struct hd_access_attempt *attempts; /* by warp */
} hd_access_transactions;

/* Passes on what counts now: any record but a transactional access; in front of a COMMIT what its lanes have done. */
void hd_access_transactions_take(hd_access_transactions *transactions, const hd_access_record *record, void *context,
                                 void (*take)(void *context, const hd_access_record *record));
void hd_access_transactions_forget(hd_access_transactions *transactions);

#ifdef __cplusplus
}
#endif

#endif
