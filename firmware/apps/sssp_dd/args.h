/* SPDX-License-Identifier: MIT */
#ifndef SSSP_DD_ARGS_H
#define SSSP_DD_ARGS_H

#include "heddle_args.h"

#define SSSP_UNREACHED 0xFFFFFFFFu

/*
 * A worklist is a ring of vertices. A place is reserved, then written, then said to be written: whoever finds as many written as
 * reserved may take all up to there. Each vertex is in its list once at most, so `room` is enough for all that have this list.
 */
typedef struct sssp_list {
    uint32_t taken;
    uint32_t reserved;
    uint32_t written;
} sssp_list;

typedef struct sssp_args {
    hd_device_ptr first_edge; /* uint32_t[vertices + 1] */
    hd_device_ptr targets;    /* uint32_t[edges] */
    hd_device_ptr weights;    /* uint32_t[edges] */
    hd_device_ptr distance;   /* uint32_t[vertices] */
    hd_device_ptr is_listed;  /* uint32_t[vertices]: 1 while the vertex is in its list */
    hd_device_ptr lists;      /* sssp_list[list_count] */
    hd_device_ptr items;      /* uint32_t[list_count][room] */
    hd_device_ptr unfinished; /* uint32_t: vertices that are in lists, or being worked on */
    uint32_t list_count;
    uint32_t room; /* a power of two */
} sssp_args;
HD_ARGUMENT_BLOCK(sssp_args, 40);

static inline uint32_t sssp_list_of(uint32_t vertex, uint32_t list_count)
{
    return vertex % list_count;
}

#endif
