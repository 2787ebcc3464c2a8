/* SPDX-License-Identifier: MIT */
/* The serialisability checker (observe/transactions) around a machine: it listens to every L2 slice, and checks whenever the
 * last kernel that runs has ended. A violation is a fault of the run. */
#ifndef TRANSACTIONS_CHECK_H
#define TRANSACTIONS_CHECK_H

#include "machine_internal.h"
#include "ordering_points.h"
#include "transaction_checker.h"

typedef struct transactions_check transactions_check;

/* Before the machine is made: adds what it listens to to taps. Never NULL. */
transactions_check *transactions_check_create(hd_machine *machine, const ordering_points *points, ordering_taps *taps);
void transactions_check_destroy(transactions_check *check); /* NULL is allowed, as below: nothing is checked */
hd_tlm_extension transactions_check_extension(transactions_check *check);

/* A kernel begins, or has ended; while all blocks stand at t. */
void transactions_check_begin(transactions_check *check);
void transactions_check_end(transactions_check *check, hd_time t);

/* So far; NULL: nothing is checked. Valid until the next call. */
const hd_transaction_checks *transactions_check_counts(transactions_check *check);

#endif
