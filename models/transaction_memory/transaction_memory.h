/* SPDX-License-Identifier: MIT */
/*
 * Transactional memory in one place for all cores. Type `ideal`: what any transactional memory could give at best. Conflicts are
 * found at no cost, who commits first wins, and what is written is seen a cycle later; what stays is the cost of running again
 * (Fung 2015 §4.1). hd_ideal.h has its messages.
 */
#ifndef TRANSACTION_MEMORY_H
#define TRANSACTION_MEMORY_H

#include "hd_block.h"

extern const hd_block_class hd_transaction_memory_ideal;

#endif
