/* SPDX-License-Identifier: MIT */
/*
 * Matrices as lists of nodes, one list for each row (CR): what the products of sparse matrices on the device consist of. A node is
 *
 *     next, length, (column, value)[length]
 *
 * in words of a heap, and is called by the word where it begins; 0 ends a list. Nodes are never given back: the heap's top only rises.
 */
#ifndef SPGEMM_LISTS_H
#define SPGEMM_LISTS_H

#include <stdint.h>

enum { NODE_NEXT, NODE_LENGTH, NODE_PAIRS }; /* words of a node */
enum { PAIR_COLUMN, PAIR_VALUE, PAIR_WORDS };
#define HEAP_BEGIN 2u /* the first node */

/* Words of a node of so many pairs: always even. */
#define NODE_WORDS(pairs) (NODE_PAIRS + PAIR_WORDS * (pairs))

#endif
