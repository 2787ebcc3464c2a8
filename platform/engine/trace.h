/* SPDX-License-Identifier: MIT */
/* Trace events inside of the engine (trace.c): what blocks have recorded, and when it is handed out. */
#ifndef HD_ENGINE_TRACE_H
#define HD_ENGINE_TRACE_H

#include "engine.h"

typedef struct node node;

typedef struct traced_list {
    hd_traced *items;
    uint32_t count, capacity;
} traced_list;

/* Before the block is created. */
void trace_init(node *node);
void trace_destroy(node *node);
void trace_reset(hd_engine *engine);
/* What the block answers to HD_EXTENSION_TRACE. */
const hd_trace *trace_service(const node *node);
/* When the block has to be called to show something before t, if it says so; HD_NEVER: it need not be. Asked once. */
hd_time trace_take_call(node *node, hd_time t);
/* Blocks that have something to show before the end of the window are called in it. */
void trace_schedule_calls(hd_engine *engine, hd_time end);
/* Hands out what was recorded before the end of the window. */
void trace_flush(hd_engine *engine);

#endif
