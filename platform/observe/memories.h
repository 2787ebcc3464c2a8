/* SPDX-License-Identifier: MIT */
/* Which blocks of a machine are its memory, and what they say of themselves. */
#ifndef HD_MEMORIES_H
#define HD_MEMORIES_H

#include "netlist.h"

/* Blocks of kind dram; in a machine without one, whatever is at the end of the memory links below the partitions. */
uint32_t memories_include(const netlist *machine, uint32_t block);

/* Index of a statistic of a class, UINT32_MAX if it has none of that name. */
uint32_t class_statistic(const hd_block_class *type, const char *name);

#endif
