/* SPDX-License-Identifier: MIT */
#ifndef SUFFIX_TREE_ARGS_H
#define SUFFIX_TREE_ARGS_H

#include "heddle_args.h"

enum { SUFFIX_TREE_BASES = 4, SUFFIX_TREE_END = SUFFIX_TREE_BASES }; /* a base, and what ends the long sequence */

/* The edge to a node has the bases first .. end - 1 of the long sequence. */
typedef struct suffix_tree_node {
    uint32_t first, end;
    uint32_t children[SUFFIX_TREE_BASES]; /* by the first base of their edge; 0: none */
} suffix_tree_node;

typedef struct suffix_tree_args {
    hd_device_ptr text;    /* uint8_t[], with SUFFIX_TREE_END behind it */
    hd_device_ptr nodes;   /* suffix_tree_node[], the root first */
    hd_device_ptr queries; /* uint8_t[count][length] */
    hd_device_ptr matches; /* uint32_t[count]: bases of the longest one, times 2^16, and where in the query it begins */
    uint32_t count;
    uint32_t length;
} suffix_tree_args;
HD_ARGUMENT_BLOCK(suffix_tree_args, 24);

#ifndef LOAD_TEXTURE /* the kernel: through the texture cache */
#define LOAD_TEXTURE(word) (*(word))
#endif

/* Bases from the beginning of the query that are somewhere in the text. A walk ends where the sequences part, in the middle of an edge or at its end. */
static inline uint32_t suffix_tree_match(const uint8_t *text, const suffix_tree_node *nodes, const uint8_t *query,
                                         uint32_t length)
{
    uint32_t matched = 0;
    const suffix_tree_node *node = nodes;
    while (matched < length) {
        uint32_t child = LOAD_TEXTURE(&node->children[query[matched]]);
        if (!child)
            return matched;
        node = nodes + child;
        const uint32_t end = LOAD_TEXTURE(&node->end);
        for (uint32_t at = LOAD_TEXTURE(&node->first); at < end; at++) {
            if (matched == length || text[at] != query[matched])
                return matched;
            matched++;
        }
    }
    return matched;
}

static inline uint32_t suffix_tree_longest(const uint8_t *text, const suffix_tree_node *nodes, const uint8_t *query,
                                           uint32_t length)
{
    uint32_t longest = 0;
    for (uint32_t start = 0; start < length; start++) {
        uint32_t matched = suffix_tree_match(text, nodes, query + start, length - start);
        if (matched > longest >> 16)
            longest = matched << 16 | start;
    }
    return longest;
}

#endif
