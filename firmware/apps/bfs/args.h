/* SPDX-License-Identifier: MIT */
#ifndef BFS_ARGS_H
#define BFS_ARGS_H

#include "heddle_args.h"

#define BFS_UNREACHED 0xFFFFFFFFu

/* One level: the vertices of the frontier, all at distance `level`, put their unreached neighbours into the next one. */
typedef struct bfs_args {
    hd_device_ptr first_edge; /* uint32_t[vertices + 1]: where a vertex's edges start in targets */
    hd_device_ptr targets;    /* uint32_t[edges] */
    hd_device_ptr distance;   /* uint32_t[vertices] */
    hd_device_ptr frontier;   /* uint32_t[count] */
    hd_device_ptr next;       /* uint32_t[vertices] */
    hd_device_ptr next_count; /* uint32_t, 0 */
    uint32_t count;
    uint32_t level;
} bfs_args;
HD_ARGUMENT_BLOCK(bfs_args, 32);

#endif
