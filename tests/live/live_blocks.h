/* SPDX-License-Identifier: MIT */
/* Block classes of these tests' own. */
#ifndef LIVE_BLOCKS_H
#define LIVE_BLOCKS_H

#include "netlist.h"

extern const hd_block_class live_requester, live_announcer;

netlist_registry live_blocks(void);

#endif
