/* SPDX-License-Identifier: MIT */
#ifndef TILE_FABRIC_H
#define TILE_FABRIC_H

#include "hd_block.h"

enum { TILE_FABRIC_REQUEST, TILE_FABRIC_REPLY, TILE_FABRIC_MEMORY, TILE_FABRIC_FILL, TILE_FABRIC_PORTS };

extern const hd_block_class hd_tile_fabric_reconfigurable;

#endif
