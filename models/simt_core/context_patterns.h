/* SPDX-License-Identifier: MIT */
/*
 * Which registers move as a pattern (context.compress). 'move': each is tested as it leaves. 'write': each is tested when it is written,
 * with the values of all lanes of its warp, and what is found is kept in a cache; only what is there moves as a pattern.
 */
#ifndef SIMT_CORE_CONTEXT_PATTERNS_H
#define SIMT_CORE_CONTEXT_PATTERNS_H

#include "shuffle/pattern_cache.h"

struct simt_core;

enum { COMPRESS_NONE, COMPRESS_MOVE, COMPRESS_WRITE };

/* Nonzero: out of memory. */
int patterns_create(struct simt_core *core);
void patterns_destroy(struct simt_core *core);
void patterns_reset(struct simt_core *core);
/* A warp starts; its registers have their first values. */
void patterns_start(struct simt_core *core, uint32_t warp);
/* The register as it leaves with its warp. PATTERN_NONE also where its values are no more bytes than a pattern. */
compressed_register patterns_of(const struct simt_core *core, uint32_t warp, uint32_t number);

#endif
