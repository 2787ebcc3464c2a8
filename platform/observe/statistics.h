/* SPDX-License-Identifier: MIT */
/*
 * Statistics of a run, by interval: every kernel, all time in which a kernel runs, the whole run.
 *
 * Values are those of the blocks' declared statistics. Over instances and intervals a count is summed and a maximum is
 * the largest. Where launches overlap, each sees everything that happened from its begin to its end.
 */
#ifndef HD_STATISTICS_H
#define HD_STATISTICS_H

#include <stdint.h>

#include "engine.h"
#include "hd_state.h"
#include "netlist.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_statistics hd_statistics;

/* Of an elaborated engine. endpoints: engine number by netlist endpoint, HD_FOREIGN for instances without statistics. Both
 * outlive the result. Traffic of memories that do not count it is counted on their links from here on. */
hd_statistics *hd_statistics_create(const netlist *machine, hd_engine *engine, const uint32_t *endpoints);
void hd_statistics_destroy(hd_statistics *statistics); /* NULL is allowed */

/* While all blocks stand at t. */
void hd_statistics_kernel_begin(hd_statistics *statistics, uint32_t launch, hd_time t);
void hd_statistics_kernel_end(hd_statistics *statistics, uint32_t launch, hd_time t);
/* Takes the values of the whole run up to now, while all blocks stand at t; before the queries. Kernels that run go on. */
void hd_statistics_update(hd_statistics *statistics, hd_time t);
/* The same at the end of the run, once. The interval of a kernel that still runs ends here. */
void hd_statistics_finish(hd_statistics *statistics, hd_time t);
/* After that: all blocks stand at a later time than the end of the run. */
void hd_statistics_stand_at(hd_statistics *statistics, hd_time t);

/* What has been counted so far of an engine that is saved and restored with it; after a restore, of a machine of the same shape. */
void hd_statistics_transfer(hd_statistics *statistics, const hd_state_stream *stream);

typedef struct hd_stretch {
    hd_time begin;
    hd_time end;
} hd_stretch;

/* An interval's values, by netlist block: all instances together. */
typedef struct hd_interval {
    const uint64_t *values; /* hd_statistics_block finds a block's */
    hd_time begin;
    hd_time end;
    hd_time beyond; /* its values are of so much more time behind its end */
    const hd_stretch *stretches; /* what it consists of, if that is not all from begin to end */
    uint32_t stretch_count;
    uint32_t launch;
    uint32_t is_cut; /* the kernel had not ended when the run did */
} hd_interval;

uint32_t hd_statistics_kernel_count(const hd_statistics *statistics);
/* By the order in which they ended. */
const hd_interval *hd_statistics_kernel(const hd_statistics *statistics, uint32_t index);
/* All time in which at least one kernel ran, in stretches; begin is 0, end its length. */
const hd_interval *hd_statistics_busy(const hd_statistics *statistics);
const hd_interval *hd_statistics_run(const hd_statistics *statistics);

/* Values of a netlist block in an interval: statistic_count of its class. */
const uint64_t *hd_statistics_block(const hd_statistics *statistics, const hd_interval *interval, uint32_t block);
/* Values of one instance over the whole run; NULL if it is foreign. */
const uint64_t *hd_statistics_instance(const hd_statistics *statistics, uint32_t block, uint32_t instance);

/* Bytes that a memory moved in an interval: as it counts them (bytes_read, bytes_written), or if it does not, as requests on
 * its links ask for them. */
typedef struct hd_memory_bytes {
    uint64_t read;
    uint64_t written;
    uint32_t is_memory; /* 0: the block is no memory (memories.c), and the rest is 0 */
    uint32_t by_links;
} hd_memory_bytes;
hd_memory_bytes hd_statistics_memory(const hd_statistics *statistics, const hd_interval *interval, uint32_t block);

/* Sum of a statistic over all blocks of a kind; 0 if there is none of that name. */
uint64_t hd_statistics_sum(const hd_statistics *statistics, const hd_interval *interval, const char *kind,
                           const char *name);

const netlist *hd_statistics_netlist(const hd_statistics *statistics);

#ifdef __cplusplus
}
#endif

#endif
