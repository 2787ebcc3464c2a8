/* SPDX-License-Identifier: MIT */
/* The SIMT core without its pipeline: the same programs, messages and results, loosely timed and fast. */
#ifndef FUNCTIONAL_CORE_H
#define FUNCTIONAL_CORE_H

#include "hd_block.h"

/* kind simt_core, type functional: runs warps in turn over memory that it touches directly (hd_direct.h). */
extern const hd_block_class hd_simt_core_functional;

#endif
