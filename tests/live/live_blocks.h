/* SPDX-License-Identifier: MIT */
/* Block classes of these tests' own. */
#ifndef LIVE_BLOCKS_H
#define LIVE_BLOCKS_H

#include "netlist.h"

netlist_registry live_blocks(void);

#endif
