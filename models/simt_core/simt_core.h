/* SPDX-License-Identifier: MIT */
/* The SIMT core: fetches, schedules and executes warps of one or more thread blocks. */
#ifndef SIMT_CORE_H
#define SIMT_CORE_H

#include "hd_block.h"

/* kind simt_core, type timed: every pipeline stage takes its time. */
extern const hd_block_class hd_simt_core_timed;

#endif
