/* SPDX-License-Identifier: MIT */
/* Barriers and warp.sync. */
#ifndef SIMT_CORE_SYNCHRONISE_H
#define SIMT_CORE_SYNCHRONISE_H

#include <stdint.h>

typedef struct simt_core simt_core;

void barrier_arrive(simt_core *core, uint32_t path);
void barrier_check(simt_core *core, uint32_t block);
void barrier_release(simt_core *core, uint32_t block, uint32_t number);
void warp_sync_arrive(simt_core *core, uint32_t path);
void warp_sync_check(simt_core *core, uint32_t warp);
void warp_sync_release(simt_core *core, uint32_t warp);

#endif
