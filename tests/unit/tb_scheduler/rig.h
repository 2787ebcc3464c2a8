/* SPDX-License-Identifier: MIT */
/* A thread-block scheduler with the test in the place of the cores and of the command processor. */
#ifndef TB_SCHEDULER_RIG_H
#define TB_SCHEDULER_RIG_H

#include "hd_extension.h"
#include "kit.h"
#include "tb_scheduler.h"

enum { PORT_LAUNCH, PORT_DONE, PORT_DISPATCH, PORT_EVENT };

#define COMMAND_PROCESSOR 77u /* endpoint that launches */

/* 32 lanes, 8 warps, 256 threads, 4 blocks, 16384 registers at 32 per thread, 16 KiB of scratchpad. */
extern const hd_core_capacity rig_small_core;
extern const hd_programs *rig_programs; /* that schedulers are given from now on; NULL: none */

/* `cores` cores of this capacity; they have reported it at time 0. */
kit_block *rig_create(const char *const *parameters, uint32_t cores, const hd_core_capacity *capacity);
void rig_report_capacity(kit_block *kit, uint32_t core, const hd_core_capacity *capacity);

/* A grid of one-dimensional blocks; every field may be changed before it is sent. */
hd_grid rig_grid(uint32_t launch, uint32_t blocks, uint32_t threads);
void rig_launch(kit_block *kit, const hd_grid *grid, hd_time t);

/* The next block that the core has been given by t. Returns 0 if there is none. */
typedef struct rig_dispatch {
    hd_block_launch launch;
    uint64_t tag;
    hd_time arrival;
} rig_dispatch;
uint32_t rig_take(kit_block *kit, uint32_t core, rig_dispatch *dispatch, hd_time t);
void rig_finish(kit_block *kit, uint32_t core, uint64_t tag, hd_time t);

/* Cores that finish each block by themselves, this many cycles after they got it. */
void rig_answer(kit_block *kit, const uint64_t *cycles);

#endif
