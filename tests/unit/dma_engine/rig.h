/* SPDX-License-Identifier: MIT */
/* A DMA engine between two memories of the test, and the test in the place of the command processor. A cycle is 1000 ps,
 * links take one. */
#ifndef DMA_ENGINE_RIG_H
#define DMA_ENGINE_RIG_H

#include <criterion/criterion.h>

#include "dma_engine.h"
#include "kit.h"
#include "state.h"

#define RIG_HOST UINT64_C(0x8000000000)
#define RIG_DEVICE UINT64_C(0x10000000)
enum { CYCLE = 1000, LINK = 1, MEMORY_BYTES = 1 << 14 };

typedef struct rig_memory {
    uint8_t bytes[MEMORY_BYTES];
    uint64_t latency; /* cycles until an access is answered */
    uint64_t jitter;  /* up to so many more, drawn from `random`; answers keep the order of a link */
    hd_time answered; /* the last access */
    uint32_t reads;
    uint32_t writes;
    uint32_t longest;  /* access */
    uint64_t unevenly; /* accesses that cross a multiple of `boundary` of the device's addresses */
} rig_memory;

typedef struct rig {
    kit_block *kit;
    rig_memory host;
    rig_memory device;
    uint32_t boundary; /* 0: not looked at */
    uint64_t random;
} rig;

void rig_open(rig *rig, const char *const *parameters);
void rig_close(rig *rig);
/* host and device count from the beginnings of the memories. The tag is the number. */
void rig_start(rig *rig, uint32_t number, uint32_t direction, uint64_t host, uint64_t device, uint64_t bytes,
               hd_time t);
/* The next copy that has ended; it must be there by t. The caller frees it. */
hd_packet *rig_ended(rig *rig, hd_time t);
/* The next copy must have ended well by t; its tag. */
uint64_t rig_expect_end(rig *rig, hd_time t);
/* Bytes that tell where they are from. */
void rig_fill(rig_memory *memory, uint64_t seed);

#endif
