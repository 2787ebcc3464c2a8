/* SPDX-License-Identifier: MIT */
/* Where the threads of a warp are in block, grid and machine: what CSRs and the texts of faults say of them. */
#ifndef SIMT_CORE_WARP_PLACE_H
#define SIMT_CORE_WARP_PLACE_H

#include "hd_block.h"
#include "hd_message.h"
#include "lanes.h"
#include "program.h"

typedef struct warp_place {
    const hd_services *services; /* of the core */
    const hd_block_launch *launch;
    const isa_program *program;
    uint32_t warp;  /* in its block */
    uint32_t lanes; /* of a warp */
} warp_place;

/* Threads of a block, exact as far as 32 bits go, and beyond that too many for any core. */
uint64_t grid_threads(const hd_grid *grid);
/* What the threads of a warp start with: every register 0 but the stack pointer and the argument. */
void warp_start_registers(isa_lanes *lanes, const hd_grid *grid);

/* Thread index of a lane in its block along axis 0, 1 or 2. */
uint32_t warp_thread_index(const warp_place *place, uint32_t lane, uint32_t axis);

/* CSRs that say where a thread is. Nonzero: this is none of them. */
int warp_place_csr(const warp_place *place, uint32_t csr, uint32_t lane, uint32_t *value);
/* The usual way to ask for them, a `csrr` of many lanes, at once. 0: the instruction is none of these, nothing is done. */
uint32_t warp_place_read(const warp_place *place, const isa_instruction *instruction, isa_lanes *lanes, uint64_t mask);

/* Reports a program's mistake so that its author finds it: kernel, pc, block, warp, lanes, thread. */
void warp_place_fault(const warp_place *place, hd_time t, uint32_t pc, uint64_t lanes, const char *what);
/* The same as a warning: the run goes on. */
void warp_place_warn(const warp_place *place, hd_time t, uint32_t pc, uint64_t lanes, const char *what);

/* Why an instruction that every core refuses has no meaning: "illegal instruction 0x%08x" and the like. */
void refused_instruction(const isa_instruction *instruction, uint32_t pc, char *text, size_t bytes);

#endif
