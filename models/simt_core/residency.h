/* SPDX-License-Identifier: MIT */
/* Thread blocks come and go. */
#ifndef SIMT_CORE_RESIDENCY_H
#define SIMT_CORE_RESIDENCY_H

#include "entities.h"
#include "residents.h"

typedef struct simt_core simt_core;

typedef struct residency_state {
    const hd_programs *programs;
    uint64_t launches;
    residents in;               /* its slots */
    uint32_t ending;            /* blocks without a live thread that are still resident */
    uint32_t held;              /* the block at the head of dispatch does not fit yet */
    uint32_t freed;             /* a block has ended since it was tried */
    uint32_t end_awaits_credit; /* a block could end, but for a credit */
    uint32_t may_end;           /* since the end of a block was looked for last, something that it waits for has come */
} residency_state;

void residency_accept(simt_core *core);
void residency_exit_threads(simt_core *core, uint32_t path, uint64_t mask);
void residency_end_blocks(simt_core *core);

/* Is there room for a block of this grid now, and where? */
uint32_t residency_find_room(const simt_core *core, const hd_grid *grid, uint32_t *slot, uint32_t *offset);
/* The block takes the slot and this offset of the scratchpad. Nonzero: its program is not loaded. */
int residency_enter(simt_core *core, uint32_t slot, uint32_t offset, const hd_block_launch *launch, uint64_t tag);
/* The program of its launch, and the tables of that; NULL: it is not loaded. */
void residency_find_program(simt_core *core, uint32_t slot);
/* The block's paths have been added: whoever has to know that its warps run is told. */
void residency_tell_launch(simt_core *core, uint32_t slot);
/* The warp becomes warp `index` of the block in the slot. */
void residency_enter_warp(simt_core *core, uint32_t slot, uint32_t warp, uint32_t index);
/* Slot, warps and scratchpad are free again. */
void residency_leave(simt_core *core, uint32_t slot);

#endif
