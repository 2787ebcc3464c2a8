/* SPDX-License-Identifier: MIT */
/*
 * When the value of a load is there, by the parameters of the machine: the way of a request that nobody else disturbs,
 * hop by hop. Every block works at edges of its own clock; a packet waits for the next one.
 *
 *     issue -> register read -> one cycle into the pipe -> request network (latency, flits) -> L2 port and latency
 *           [-> DRAM commands, data, controller latency -> L2 port and latency] -> reply network -> core
 */
#ifndef MICRO_PATH_H
#define MICRO_PATH_H

#include "micro.h"

typedef struct path path;
/* The machine must outlive the path. */
path *path_new(const hd_machine *machine);
void path_free(path *p);

/* Each takes the core edge at which the load issues and gives that at which its value is there: what waits for it can
 * issue then. */
uint64_t path_scratchpad(const path *p, uint64_t issue, uint32_t passes);
uint64_t path_l1_hit(const path *p, uint64_t issue, uint32_t lines);
/* bytes: 1..128, what the request asks for. */
uint64_t path_l2_hit(const path *p, uint64_t issue, uint32_t bytes);
/* The channel is otherwise idle, remembers the row that each bank was left with, and does not refresh. */
uint64_t path_l2_miss(path *p, uint64_t issue, uint64_t address, uint32_t bytes);

/* Edges from an instruction's issue to that of the next of the same warp, when it waits for nothing. */
uint64_t path_next_issue(const path *p);

#endif
