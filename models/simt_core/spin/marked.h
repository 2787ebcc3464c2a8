/* SPDX-License-Identifier: MIT */
/* A detector that learns nothing: a table of each program says at which branches warps spin. */
#ifndef SIMT_CORE_SPIN_MARKED_H
#define SIMT_CORE_SPIN_MARKED_H

#include "spin.h"

spin *marked_create(const spin_parameters *parameters);
void marked_destroy(spin *unit);
void marked_reset(spin *unit);
/* spin_unit.launch, with the table isa_spin_static or isa_spin_marked. */
void marked_launch_static(spin *unit, uint32_t warp, const isa_program *program, uint32_t entry_pc);
void marked_launch_oracle(spin *unit, uint32_t warp, const isa_program *program, uint32_t entry_pc);
uint32_t marked_branched(spin *unit, const path_event *event);
/* Nothing: marks follow from the launch. */
void marked_transfer(spin *unit, const hd_state_stream *stream);

#endif
