/* SPDX-License-Identifier: MIT */
/*
 * Scripted cores, a vendor of commit IDs, two crossbars, and for each partition a commit unit, an L2 slice and a memory: the blocks
 * of Kilo TM as in a machine, run by seed.
 */
#ifndef KILO_MACHINE_H
#define KILO_MACHINE_H

#include "kit.h"
#include "scripted_kilo.h"

typedef char kilo_settings[24][48]; /* of a class, as netlists write them; "" at the end */

typedef struct shape {
    uint32_t cores, partitions;
    kilo_settings core, unit, slice, vendor;
    uint32_t link; /* latency of the links around the slice, in cycles */
    uint32_t words, stride;
    uint32_t is_cfg_a;  /* clocks: 1300 / 650 MHz; else 1400 / 700 MHz */
    uint32_t is_silent; /* readers have to be given a place: values differ */
    uint32_t is_mixed;  /* there are also accesses outside of transactions */
} shape;

typedef struct kilo_machine kilo_machine;
kilo_machine *kilo_machine_create(const shape *shape);
void kilo_machine_destroy(kilo_machine *machine);

/* One schedule. 1, or 0 and what went wrong. */
uint32_t kilo_machine_run(kilo_machine *machine, uint64_t seed, char *wrong, uint32_t bytes);
/* A statistic of the last schedule, over all blocks that have it. */
uint64_t kilo_machine_statistic(kilo_machine *machine, const char *kind, const char *name);
/* The engine calls blocks in random order from here on, and so on; results must not change. */
void kilo_machine_disturb(kilo_machine *machine, uint64_t seed);
uint64_t kilo_machine_end(const kilo_machine *machine); /* of the last schedule, in ps */

#endif
