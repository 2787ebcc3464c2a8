/* SPDX-License-Identifier: MIT */
#ifndef STREAM_CLUSTERING_ARGS_H
#define STREAM_CLUSTERING_ARGS_H

#include "heddle_args.h"

/* What a point has of the clustering as it is. */
typedef struct stream_clustering_point {
    uint32_t weight;
    uint32_t cost;   /* its distance to its centre, times its weight */
    uint32_t centre; /* number of the centre */
} stream_clustering_point;

typedef struct stream_clustering_args {
    hd_device_ptr coordinates; /* int32_t[dimensions][count] */
    hd_device_ptr points;      /* stream_clustering_point[count] */
    hd_device_ptr moves;       /* uint32_t[count]: 1 if the point is nearer to the candidate than to its centre */
    hd_device_ptr gain;        /* uint32_t, 0: what these gain */
    hd_device_ptr losses;      /* uint32_t[centres], 0: what all others would lose if their centre were closed */
    uint32_t count, dimensions;
    uint32_t candidate; /* the point that may become a centre */
} stream_clustering_args;
HD_ARGUMENT_BLOCK(stream_clustering_args, 32);

#endif
