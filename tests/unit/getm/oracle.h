/* SPDX-License-Identifier: MIT */
/*
 * Were these commits serialisable? Two independent answers: replay in the protocol's own order on a memory of zeros, against
 * what was read and what is left in memory; and a search for a circle in the graph of who read and wrote what before whom, for
 * which each write has a value of its own and the order of the writes to a word is known.
 */
#ifndef GETM_ORACLE_H
#define GETM_ORACLE_H

#include "scripted_core.h"

typedef struct oracle oracle;

/* Words are those from `base` on, `stride` apart. */
oracle *oracle_create(uint64_t base, uint64_t stride, uint32_t words);
void oracle_destroy(oracle *oracle);
void oracle_reset(oracle *oracle);

/* A word has been written in memory; in the order in which it becomes visible. */
void oracle_note_write(oracle *oracle, uint64_t address, uint32_t value);
void oracle_add(oracle *oracle, const scripted_commit *commits, uint32_t count);

/* Each returns 1, or 0 and what is wrong. memory: what is left, by word. */
uint32_t oracle_replay(oracle *oracle, const uint32_t *memory, char *wrong, uint32_t bytes);
uint32_t oracle_search(oracle *oracle, char *wrong, uint32_t bytes);

#endif
