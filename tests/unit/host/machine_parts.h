/* SPDX-License-Identifier: MIT */
/* Stand-ins that close a machine around host, command processor and scheduler: one memory, and cores that only count. */
#ifndef HOST_MACHINE_PARTS_H
#define HOST_MACHINE_PARTS_H

#include "hd_block.h"

#define FLAT_MEMORY_BYTES (2u << 20)
#define COUNTING_CORE_CYCLES 40u /* of every block */

enum { FLAT_MEMORY_REQUEST, FLAT_MEMORY_REPLY };
enum { COUNTING_CORE_DISPATCH, COUNTING_CORE_EVENT };

extern const hd_block_class flat_memory;   /* statistic 0: accesses, 1: times aligned */
extern const hd_block_class counting_core; /* statistic 0: blocks, 1: threads */

#endif
