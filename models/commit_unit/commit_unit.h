/* SPDX-License-Identifier: MIT */
/*
 * The commit unit of a memory partition: it applies the write logs of transactions to the slice. A folder per protocol.
 */
#ifndef COMMIT_UNIT_H
#define COMMIT_UNIT_H

#include "hd_block.h"

/* Applies what has been validated, and releases its reservations (Ren & Lis 2018 §V-C). Messages: hd_getm.h. Warps wait for its
 * acknowledgements only when they need to know that their data has been written. */
extern const hd_block_class hd_commit_unit_getm;

/* Validates by value what its lanes have read, and applies what they write, in the order of commit IDs (Fung 2015 §4.2, §6.2).
 * Messages: hd_kilo.h. */
extern const hd_block_class hd_commit_unit_kilo;

#endif
