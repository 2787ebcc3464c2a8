/* SPDX-License-Identifier: MIT */
/* The edges of the core: what is done at each, and which comes next. */
#ifndef SIMT_CORE_PIPELINE_H
#define SIMT_CORE_PIPELINE_H

#include "hd_block.h"

typedef struct simt_core simt_core;

/* What is to be done when, and of what is on its way: when it comes, and the first edge from then on. */
typedef struct edge_state {
    uint64_t cycle_base; /* edge from which programs and schedulers count cycles: that of the last alignment */
    hd_time horizon;     /* everything before is done */
    uint64_t next;       /* first edge with work for more than the memory pipe, unless something changes */
    uint32_t changed;    /* at this edge: what a path is doing, or what a block's end waits for */
    uint32_t capacity_sent;
    uint32_t attended; /* edges may have work of traces, levels, units that act, or write_back.width */
    hd_time launch_arrival;
    hd_time credit_arrival; /* while residency.end_awaits_credit, engine.awaits_credit or levels.awaits_credit */
    hd_time transaction_arrival;
    hd_time input_time;
    uint64_t input_edge;
    hd_time work_to_network_time; /* at least, from any edge of work to a packet that it causes */
} edge_state;

/* Of create.c. */
typedef struct core_links {
    hd_link *request, *reply, *dispatch, *event, *transaction_request, *transaction_reply;
    uint32_t message_launch, message_capacity, message_done;
} core_links;

hd_time core_advance(hd_block *block, hd_time now, hd_time horizon);
hd_time core_promise(hd_block *block, hd_time now);

#endif
