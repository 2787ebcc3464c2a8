/* SPDX-License-Identifier: MIT */
/* Private to platform/engine: what is saved and restored as one, the engine's own state or that of a block. */
#ifndef HD_ENGINE_STATE_SECTION_H
#define HD_ENGINE_STATE_SECTION_H

#include "engine_internal.h"
#include "state_bytes.h"

#define STATE_WHAT_BYTES (4u * HD_NAME_MAX)

/* What a stream works on; while it is used. */
typedef struct state_section {
    hd_engine *engine;
    state_bytes *values; /* saving, NULL: nobody wants them */
    state_bytes *shapes; /* likewise; what is restored has been compared before */
} state_section;

hd_state_stream state_saving(state_section *section);
hd_state_stream state_restoring(state_section *section);

/* state_engine.c: links, times, what blocks are called for. */
void state_transfer_engine(hd_engine *engine, const hd_state_stream *stream);

#endif
