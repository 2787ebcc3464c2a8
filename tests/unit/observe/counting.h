/* SPDX-License-Identifier: MIT */
/* Two blocks of three instances whose statistics the test sets: what the statistics of a run are made of. */
#ifndef COUNTING_H
#define COUNTING_H

#include "hd_profile.h"
#include "statistics.h"

enum { COUNTING_EVENTS, COUNTING_DEPTH, COUNTING_STATISTICS };

/* Columns of the cores' profile. */
enum { COUNTING_SLOTS, COUNTING_ABORTS, COUNTING_COLUMNS };

/* What is behind an instance. */
typedef struct counting_block {
    uint64_t values[COUNTING_STATISTICS];
    hd_profile_table table; /* of the cores, when it was begun */
} counting_block;

typedef struct counting {
    hd_engine *engine;
    netlist machine;
    netlist_block blocks[2]; /* "core", 2 instances; "l2", 1 instance */
    netlist_clock clock;
    hd_value values[2]; /* lanes, bus_bytes of every block */
    uint32_t endpoints[3];
    hd_statistics *statistics;
} counting;

void counting_open(counting *rig);
void counting_close(counting *rig);
/* The statistics of an instance, by endpoint: counts go up, the maximum is the high-water mark since the last mark. */
uint64_t *counting_values(counting *rig, uint32_t endpoint);

#endif
