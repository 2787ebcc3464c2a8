/* SPDX-License-Identifier: MIT */
/*
 * Copies between host memory and device memory, in place of the host's own loads and stores.
 *
 * A copy (HD_COPY_START) takes a channel. After `setup` it is read from one side (a fill is not) and written to the other in bursts, cut at
 * multiples of `burst` of the device address, `outstanding` of them under way at a time. Channels take turns at each side.
 * The host side is a link that moves `link.width` bytes a cycle each way, headers included; the device side takes a request
 * a cycle, and what lies behind it (network_bridge) is its bandwidth.
 *
 * An access that is refused ends its copy: no more bursts begin, those under way end, and HD_COPY_DONE says which it was.
 */
#ifndef DMA_ENGINE_H
#define DMA_ENGINE_H

#include "hd_block.h"

extern const hd_block_class hd_dma_engine_channels;

#endif
