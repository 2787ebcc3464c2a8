/* SPDX-License-Identifier: MIT */
/*
 * Switches that the core executes (isa_ssde_virtual): where lanes go by them. Each lane has a number, set when it comes to a
 * switch; what it says before does not matter.
 */
#ifndef SIMT_CORE_VIRTUAL_SWITCHES_H
#define SIMT_CORE_VIRTUAL_SWITCHES_H

#include "byte_stream.h"
#include "hd_state.h"
#include "path.h"
#include "path_event.h"
#include "program.h"

typedef struct virtual_switches {
    uint8_t *number; /* [warp][lane]; NULL: this core has none */
    uint32_t lanes;
} virtual_switches;

/* Tables of a program. */
typedef struct switch_tables {
    const uint32_t *values, *lists; /* "switches"; NULL: it has none */
} switch_tables;

int virtual_switches_create(virtual_switches *switches, uint32_t warps, uint32_t lanes); /* 0 = done */
void virtual_switches_destroy(virtual_switches *switches);

switch_tables switch_tables_of(const isa_program *program);

/* The path's lanes, which are to go where these groups say, go where those in `out` say: as many at most as it has lanes, each pc and depth
 * once. Returns how many. */
uint32_t virtual_switches_transfer(virtual_switches *switches, const switch_tables *tables, const isa_program *program,
                                   const path *path, const path_group *groups, uint32_t count, path_group *out);

/* They go straight on to path->pc, from the instruction before, or to the switch that path->pc then is. */
void virtual_switches_step(virtual_switches *switches, const switch_tables *tables, const isa_program *program,
                           path *path);

/* The numbers of a warp, to or from a stream. */
void virtual_switches_stream(virtual_switches *switches, uint32_t warp, byte_stream *stream);
/* heddle.state/1, of so many warps. */
void virtual_switches_transfer_state(virtual_switches *switches, uint32_t warps, const hd_state_stream *stream);

#endif
