/* SPDX-License-Identifier: MIT */
/*
 * A way onto the network for whoever speaks the memory protocol: a TLM-2.0 initiator in place of a core, a DMA engine.
 *
 * Reads and writes of global memory are taken apart into lines, one access a cycle, which the L2 slices carry out in the
 * order of their requests. A request is answered when all of its lines are, and requests are answered in their order.
 * An address outside of global memory, a length that no packet carries and byte enables other than 0x00 and 0xFF are
 * answered with their status.
 */
#ifndef NETWORK_BRIDGE_H
#define NETWORK_BRIDGE_H

#include "hd_block.h"

extern const hd_block_class hd_network_bridge_lines;

#endif
