/* SPDX-License-Identifier: MIT */
#ifndef APRIORI_ARGS_H
#define APRIORI_ARGS_H

#include "heddle_args.h"

/* A node of the hash tree: a leaf, or a root that has been split. Candidate i is called i + 1 in links; 0 ends a chain. */
enum { NODE_FIRST, NODE_COUNT, NODE_IS_SPLIT, NODE_FIELDS };

/* Behind them the items of the candidate, in ascending order. */
enum { CANDIDATE_NEXT, CANDIDATE_SUPPORT, CANDIDATE_ITEMS };

/* Roots hash the first item of a candidate, their children the second. A root is split when one more would come to so many. */
#define TREE_ROOTS 64u
#define TREE_CHILDREN 16u
#define TREE_NODES (TREE_ROOTS * (1 + TREE_CHILDREN))
#define LEAF_CAPACITY 64u

static inline uint32_t tree_root(uint32_t first_item)
{
    return first_item % TREE_ROOTS;
}

static inline uint32_t tree_child(uint32_t root, uint32_t second_item)
{
    return TREE_ROOTS + root * TREE_CHILDREN + second_item % TREE_CHILDREN;
}

#define MATCHES_MAX 32u /* candidates that a thread counts at once: words of the scratchpad */

typedef struct apriori_args {
    hd_device_ptr sets; /* uint32_t[set_count][length - 1], the frequent sets in ascending order */
    hd_device_ptr
        join_end; /* uint32_t[set_count]: the sets behind this one, up to here, differ in the last item only */
    hd_device_ptr first_candidate; /* uint32_t[set_count], of the joins of this set */
    hd_device_ptr candidates;      /* uint32_t[][candidate_words], 0 */
    hd_device_ptr nodes;           /* uint32_t[TREE_NODES][node_words], 0 */
    hd_device_ptr records;         /* uint32_t[], the items of one record after those of another */
    hd_device_ptr record_begin;    /* uint32_t[record_count + 1] */
    hd_device_ptr locks;           /* uint32_t[TREE_ROOTS], 0; coarse: the first is everybody's */
    uint32_t set_count;
    uint32_t record_count;
    uint32_t length; /* of candidates, 3 or more */
    uint32_t candidate_words;
    uint32_t node_words;
} apriori_args;
HD_ARGUMENT_BLOCK(apriori_args, 52);

#endif
