/* SPDX-License-Identifier: MIT */
/*
 * One block with memory target ports and nothing else: no engine, no other blocks. Requests stand at its ports as long as
 * the caller provides any, and responses are taken as soon as they are sent. What is measured is the block.
 */
#ifndef BENCH_ALONE_H
#define BENCH_ALONE_H

#include "hd_block.h"

typedef struct alone alone;

/* The next request of a port, in a packet of this one's pool (alone_packet). */
typedef hd_packet *alone_source(alone *self, void *context, uint32_t element);

/* Never NULL; ends the program with a message if the block refuses. */
alone *alone_create(const hd_block_class *block_class, const hd_value *values, hd_clock clock, uint32_t ports,
                    alone_source *source, void *context);
void alone_destroy(alone *self);

hd_packet *alone_packet(alone *self, const char *message, uint32_t body_bytes);
/* Runs until so many responses have been sent since the beginning, in calls of `cycles` cycles. */
void alone_run(alone *self, uint64_t responses, uint32_t cycles);
/* Nothing arrives any more: runs to the end of work, and to `end`. Returns the calls of advance that took. */
uint64_t alone_idle(alone *self, hd_time end);
uint64_t alone_responses(const alone *self);
hd_time alone_now(const alone *self);
/* By name; ends the program if there is none. */
uint64_t alone_statistic(const alone *self, const char *name);

#endif
