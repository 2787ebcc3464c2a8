/* SPDX-License-Identifier: MIT */
/* heddle.state/1 of the core: all that may have changed since reset, to bytes and back (hd_state.h). */
#ifndef SIMT_CORE_CHECKPOINT_H
#define SIMT_CORE_CHECKPOINT_H

#include "hd_state.h"
#include "instruction_places.h"

typedef struct simt_core simt_core;

extern const hd_state core_state;

/* checkpoint_entities.c: blocks, warps, paths and threads, and accesses in flight. Blocks have their programs afterwards. */
void entities_transfer(simt_core *core, const instruction_places *places, const hd_state_stream *stream);

#endif
