/* SPDX-License-Identifier: MIT */
/*
 * Reads the commands that a channel shows in a trace, and holds them against the rules of JEDEC JESD79-4 and JESD212: every pair
 * of commands, the data bus, one command in a cycle, open and closed rows, refreshes. It knows the trace and the timing alone.
 */
#ifndef JEDEC_H
#define JEDEC_H

#include "device.h"
#include "kit.h"

typedef struct jedec_device {
    struct dram_timing timing; /* a container: in cycles of the clock */
    uint32_t banks, groups;    /* bank b is in group b % groups */
    hd_clock clock;
} jedec_device;

typedef struct jedec_verdict {
    uint32_t findings;
    char first[192]; /* the rule, and where it is broken */
    uint32_t activates, precharges, columns, refreshes;
} jedec_verdict;

/* The events of a run from power-on to time `end`, in order. */
jedec_verdict jedec_check(const jedec_device *device, const kit_traced *events, uint32_t count, hd_time end);

#endif
