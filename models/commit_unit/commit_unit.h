/* SPDX-License-Identifier: MIT */
/*
 * The commit unit of a memory partition: it applies the write logs of transactions to the slice, and releases their
 * reservations (GETM: Ren & Lis 2018 §V-C). hd_getm.h has its messages. Warps wait for its acknowledgements only when they
 * need to know that their data has been written.
 */
#ifndef COMMIT_UNIT_H
#define COMMIT_UNIT_H

#include "hd_block.h"

extern const hd_block_class hd_commit_unit_getm;

#endif
