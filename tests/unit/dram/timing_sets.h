/* SPDX-License-Identifier: MIT */
/* The devices of configs/dram, each at the clocks of the machines that have it. */
#ifndef TIMING_SETS_H
#define TIMING_SETS_H

#include "jedec.h"

enum { TIMING_TEXTS = 40, TIMING_SETS = 16 };

typedef struct timing_set {
    char file[64];
    uint64_t hz;
    char texts[TIMING_TEXTS][96]; /* "tcl=12 cycles" */
    uint32_t count;
} timing_set;

/* All of them. Aborts the test if a file of the folder has no clock in the table of timing_sets.c. */
uint32_t timing_sets_read(timing_set sets[TIMING_SETS]);

/* A channel of these devices, with further parameters, NULL at the end; the controller's pipeline is short. */
kit_block *timing_set_make(const timing_set *set, const char *const *more);
/* The value of a parameter of these devices. */
uint64_t timing_set_value(const timing_set *set, const char *name);
/* What the checker has to know of it. */
jedec_device timing_set_device(const timing_set *set, const char *const *more);

#endif
