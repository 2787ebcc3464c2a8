/* SPDX-License-Identifier: MIT */
#ifndef BLOCK_GENETIC_ARGS_H
#define BLOCK_GENETIC_ARGS_H

#include "heddle_args.h"

#define INDIVIDUALS_MAX 1024u
#define FAMILY 3u /* individuals that a child concerns: its parents, and the one whose place it may take */

/* Words of a child: individuals 0 and 1, ascending; individual 2, and which of the three it may replace | the gene that changes << PLACE_BITS;
 * the genes that it has from the first parent. */
enum { CHILD_LOW, CHILD_HIGH, CHILD_GENES, CHILD_WORDS };
#define PLACE_BITS 2u

/* In the scratchpad: individuals, 32 genes each, of which those that are 1 make it fit; then their locks. */
typedef struct block_genetic_args {
    hd_device_ptr population; /* [individual] */
    hd_device_ptr children;   /* [CHILD_WORDS][block][child] */
    hd_device_ptr found;      /* [block][child]: the individual in whose place it was to be */
    hd_device_ptr born;       /* [block][child]: its genes */
    hd_device_ptr results;    /* [block][individual] */
    uint32_t individuals;
    uint32_t child_count; /* of a block */
} block_genetic_args;
HD_ARGUMENT_BLOCK(block_genetic_args, 28);

#endif
