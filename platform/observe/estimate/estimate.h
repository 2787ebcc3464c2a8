/* SPDX-License-Identifier: MIT */
/*
 * Area and power of what a machine adds to a plain GPU, estimated from published figures of the same structures: scaled with
 * their bytes, and power also with the clock. A figure for comparing variants, no more: blocks and units declare each number, with
 * where it is from (hd_structure).
 */
#ifndef HD_ESTIMATE_H
#define HD_ESTIMATE_H

#include "netlist.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of an estimate in which figures of different processes are added up. */
#define HD_ESTIMATE_SEVERAL "several processes"

/* One kind of structure, of all its instances together. */
typedef struct hd_estimate_item {
    const char *structure; /* "precise metadata tables" */
    double bytes;
    double square_millimetres;
    double milliwatts;      /* dynamic and static, accessed in every cycle */
    const hd_structure *of; /* the published one */
} hd_estimate_item;

#define HD_ESTIMATE_ITEMS 32u
typedef struct hd_estimate {
    const char *source;  /* of the largest; NULL: the machine has nothing of the kind, all else is 0 */
    const char *process; /* "32 nm", or HD_ESTIMATE_SEVERAL; NULL: neither area nor power of any is published */
    uint32_t item_count;
    hd_estimate_item items[HD_ESTIMATE_ITEMS]; /* the largest published one first */
    double bytes;                              /* sums */
    double square_millimetres;
    double milliwatts;
} hd_estimate;

/* By the first publication of each structure, whatever its process. */
hd_estimate hd_estimate_of(const netlist *machine);

/* All of one process, for comparing machines of different studies; source is NULL where a structure of the machine is not published in it. */
hd_estimate hd_estimate_in(const netlist *machine, const char *process);

/* The processes, first published first, in which all structures of the machine are published, but for the one that hd_estimate_of
 * has anyway. Number of them. */
#define HD_ESTIMATE_PROCESSES 4u
uint32_t hd_estimate_other_processes(const netlist *machine, const char *processes[HD_ESTIMATE_PROCESSES]);

#ifdef __cplusplus
}
#endif

#endif
