/* SPDX-License-Identifier: MIT */
/*
 * Scripted cores, two crossbars, and for each partition a validation unit, a commit unit, an L2 slice and a memory: the blocks
 * of GETM as in a machine, run by seed.
 */
#ifndef GETM_MACHINE_H
#define GETM_MACHINE_H

#include "kit.h"
#include "scripted_core.h"

typedef struct shape {
    uint32_t cores, partitions;
    /* Parameters of each class, as netlists write them, NULL at the end. */
    char core[16][48], validation[24][48], commit[4][48], slice[8][48];
    uint32_t link; /* latency of the links around the slice, in cycles, */
    uint32_t load; /* and of that by which loads come */
    uint32_t words, stride;
} shape;

typedef struct getm_machine getm_machine;
getm_machine *getm_machine_create(const shape *shape);
void getm_machine_destroy(getm_machine *machine);

/* One schedule. 1, or 0 and what went wrong. */
uint32_t getm_machine_run(getm_machine *machine, uint64_t seed, char *wrong, uint32_t bytes);
/* The same, but stops now and then and compares what is reserved with what logs and packets say (I1). No rollovers. */
uint32_t getm_machine_run_audited(getm_machine *machine, uint64_t seed, char *wrong, uint32_t bytes);
uint64_t getm_machine_audits(const getm_machine *machine); /* comparisons so far */
/* A statistic of the last schedule, over all blocks that have it. */
uint64_t getm_machine_statistic(getm_machine *machine, const char *kind, const char *name);
/* The engine calls blocks in random order from here on, and so on; results must not change. */
void getm_machine_disturb(getm_machine *machine, uint64_t seed);
uint64_t getm_machine_end(const getm_machine *machine); /* of the last schedule, in ps */

#endif
