/* SPDX-License-Identifier: MIT */
#ifndef BLOCK_KMEANS_ARGS_H
#define BLOCK_KMEANS_ARGS_H

#include "heddle_args.h"

#define CLUSTERS_MAX 64u
#define DIMENSIONS 4u
#define SUM_WORDS (DIMENSIONS + 1) /* of a cluster: sums of coordinates, and how many points */

/* In the scratchpad: SUM_WORDS of each cluster, then their locks. */
typedef struct block_kmeans_args {
    hd_device_ptr points;  /* [dimension][block][point] */
    hd_device_ptr centres; /* [cluster][dimension] */
    hd_device_ptr nearest; /* [block][point] */
    hd_device_ptr results; /* [block][cluster][SUM_WORDS] */
    uint32_t clusters;
    uint32_t point_count; /* of a block */
} block_kmeans_args;
HD_ARGUMENT_BLOCK(block_kmeans_args, 24);

#endif
