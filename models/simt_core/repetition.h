/* SPDX-License-Identifier: MIT */
/*
 * Whether a warp does the same again and again: it comes to a jump back with the registers, the lanes and all that its reconvergence
 * unit knows as they have been before, nothing of it being in flight. If no word of memory has changed in between, which is for the caller
 * to know, it will never do anything else, unless somebody changes one: what it reads is what it has read.
 *
 * Watched only once a run makes no progress any more. Not watched are lanes that are regrouped, and transactions; nor does a state count if
 * since then the warp has looked at the time, stored in private memory, loaded global lines that the L1 keeps, of which a stale one may go,
 * or tried a store conditional, or if its unit acts by itself. Source: ElTantawy 2018 §3.1; states are kept after Brent 1980.
 */
#ifndef SIMT_CORE_REPETITION_H
#define SIMT_CORE_REPETITION_H

#include <stdint.h>

struct simt_core;
struct memory_access;

typedef struct warp_repetition {
    uint8_t *state; /* that it is compared with, NULL: none */
    uint64_t bytes;
    uint64_t looked, until; /* how often it has been, and when it gives way to a later one */
    uint32_t repeats;
    uint32_t reserved;
} warp_repetition;

typedef struct repetition_state {
    warp_repetition *warps; /* NULL: nothing is watched */
} repetition_state;

/* From now on. */
void repetition_watch(struct simt_core *core);
void repetition_end(struct simt_core *core);
/* The path has gone back. */
void repetition_look(struct simt_core *core, uint32_t path);
/* What the warp has been does not count. */
void repetition_forget(struct simt_core *core, uint32_t warp);
void repetition_note_access(struct simt_core *core, const struct memory_access *access);
uint32_t repetition_found(const struct simt_core *core, uint32_t warp);

#endif
