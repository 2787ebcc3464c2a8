/* SPDX-License-Identifier: MIT */
/* What blocks say that cannot be created, as errors at their places in the netlist. */
#ifndef HD_MACHINE_REFUSALS_H
#define HD_MACHINE_REFUSALS_H

#include "netlist.h"

/*
 * lines: "NAME: why", NAME of an instance, as the engine gives them. Each becomes error[N41] at its block; others stay as they are. NULL:
 * the first is not of a block. To be freed by the caller.
 */
char *refusals_at_their_blocks(const netlist *list, const char *lines);

#endif
