/* SPDX-License-Identifier: MIT */
/* Who debugs kernels (hd_debug.h): groups are warp slots. */
#ifndef SIMT_CORE_DEBUG_H
#define SIMT_CORE_DEBUG_H

#include "hd_debug.h"

typedef struct simt_core simt_core;

typedef struct watched_access watched_access;

typedef struct debug_state {
    hd_debug_listener listener;
    watched_access *watched;     /* in flight (watched.h) */
    const watched_access *shown; /* the one that its threads are shown at; NULL: none */
} debug_state;

extern const hd_debug core_debug;

/* The path's instruction is about to issue. Somebody listens. */
void debug_tell(const simt_core *core, uint32_t path);
/* A program has made a mistake, which is kept (core->fault). Nobody need listen. */
void debug_tell_fault(const simt_core *core, uint32_t kind, const char *what);

#endif
