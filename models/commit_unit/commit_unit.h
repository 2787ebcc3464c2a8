/* SPDX-License-Identifier: MIT */
/*
 * The commit unit of a memory partition: it applies the write logs of transactions to the slice, and gives back what they have
 * reserved (GETM: Ren & Lis 2018 §V-C). hd_getm.h has its messages. Nobody waits for it but who needs to know that all
 * is written.
 */
#ifndef COMMIT_UNIT_H
#define COMMIT_UNIT_H

#include "hd_block.h"

extern const hd_block_class hd_commit_unit_getm;

#endif
