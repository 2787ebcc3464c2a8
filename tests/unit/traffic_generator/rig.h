/* SPDX-License-Identifier: MIT */
/* A generator with the test at its ports and a memory behind the network. A cycle is 1000 ps, links take one. */
#ifndef TRAFFIC_GENERATOR_RIG_H
#define TRAFFIC_GENERATOR_RIG_H

#include <criterion/criterion.h>

#include "hd_address.h"
#include "kit.h"
#include "state.h"
#include "traffic_generator.h"

enum {
    CYCLE = 1000,
    LINK = 1,
    MEMORY = 20,            /* cycles until a request is answered */
    FLIGHT = LINK + MEMORY, /* from sending to the answer, which arrives when it is sent to the kit */
    PARTITIONS = 3,         /* of 256 bytes, at endpoints 1, 2, 3 */
    MEMORY_BYTES = 1 << 18,
    REQUESTS_MAX = 1 << 16,
};

typedef struct seen {
    uint64_t address; /* from HD_GLOBAL_BASE on */
    hd_time t;        /* arrival */
    uint32_t bytes, operation, partition;
} seen;

typedef struct rig {
    kit_block *kit;
    uint8_t memory[MEMORY_BYTES]; /* from HD_GLOBAL_BASE on */
    seen requests[REQUESTS_MAX];
    uint32_t count;
    uint32_t spoilt; /* if not 0: this many answers before one byte of a load is wrong */
    uint32_t swaps;  /* 1: a load that follows a store is carried out before it, once */
} rig;

/* parameters: "name=value", NULL at the end. It is generator `index` of `count`. */
rig *rig_open(const char *const *parameters, uint32_t index, uint32_t count, uint32_t credits);
void rig_close(rig *rig);
uint64_t rig_statistic(const rig *rig, const char *name);

#endif
