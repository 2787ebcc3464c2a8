/* SPDX-License-Identifier: MIT */
/* What the files of the SIMT stack share. */
#ifndef SIMT_CORE_STACK_STATE_H
#define SIMT_CORE_STACK_STATE_H

#include "stack.h"

typedef struct warp_stack {
    stack_entry *entries;
    uint32_t *arrival_pcs; /* by lane: where it returned to, while it waits at ISA_RECONVERGE_AT_RETURN */
    uint64_t live;
    uint32_t size;
} warp_stack;

typedef struct stack {
    reconvergence_parameters parameters;
    reconvergence_events events;
    uint32_t capacity;
    uint64_t maximum_depth;
    path *paths;
    warp_stack *warps;
    stack_entry *entries;
    uint32_t *arrival_pcs;
} stack;

/* stack.c: the warp's path runs what the top entry says. */
void stack_show_top(stack *s, uint32_t warp);

/* stack_context.c */
void stack_save(reconvergence *unit, uint32_t warp, byte_stream *stream);
uint32_t stack_restore(reconvergence *unit, uint32_t warp, byte_stream *stream);
void stack_drop(reconvergence *unit, uint32_t warp);

#endif
