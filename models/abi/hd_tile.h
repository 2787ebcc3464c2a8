/* SPDX-License-Identifier: MIT */
/*
 * The tile fabric as programs see it: registers of the tile managers, and scratchpad banks, at the top of the global window. A
 * kernel uses them by firmware/include/heddle_tile.h.
 *
 * Registers lie HD_TILE_REGISTER_BYTES apart: a core loads whole sectors, and some loads do something. A load of a register that
 * does something is answered when that is done.
 */
#ifndef HD_TILE_H
#define HD_TILE_H

#include "hd_address.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HD_TILE_REGISTERS UINT32_C(0xFFF00000)
#define HD_TILE_REGISTERS_END UINT32_C(0xFFF10000)
#define HD_TILE_SCRATCHPAD UINT32_C(0xFFF40000) /* the scratchpad banks that a PE reaches, one behind the other */
#define HD_TILE_SCRATCHPAD_END UINT32_C(0xFFF80000)
#define HD_TILE_REGISTER_BYTES 32u

#define HD_TILE_NO_ITEM UINT32_MAX

/* Numbers of registers. Who and how many: */
#define HD_TILE_TILE 0u
#define HD_TILE_PE 1u
#define HD_TILE_TILES 2u
#define HD_TILE_PES 3u /* of a tile */
#define HD_TILE_BANKS 4u
#define HD_TILE_SCRATCHPAD_BYTES 5u /* of the banks that this PE reaches */
#define HD_TILE_ENABLED 6u          /* PEs of the tile that are */
/* Work: a store of the end offers the items from the first, stored before, on; a load takes one. */
#define HD_TILE_ITEM 8u
#define HD_TILE_ITEM_FIRST 9u
#define HD_TILE_ITEM_END 10u
#define HD_TILE_MACHINE_ITEM 11u /* the same of all tiles */
#define HD_TILE_MACHINE_ITEM_FIRST 12u
#define HD_TILE_MACHINE_ITEM_END 13u
/* A load waits for all enabled PEs of the tile, or of the machine. */
#define HD_TILE_BARRIER 14u
#define HD_TILE_MACHINE_BARRIER 15u
/* A load makes the caches that the PE reaches write back their dirty lines, drop those that are not, or both. */
#define HD_TILE_WRITE_BACK 16u
#define HD_TILE_INVALIDATE 17u
#define HD_TILE_FLUSH 18u
/* A load applies the settings stored before. After a flush: a dirty line in a bank that stops being a cache is a mistake. */
#define HD_TILE_COMMIT 19u
#define HD_TILE_COMMIT_FLUSHED 20u
/* All enabled PEs of the tile arrive, and the settings are applied. Who is not enabled by them sleeps in this load until a later one
 * enables it. Answers 1 to a PE that has slept, else 0. */
#define HD_TILE_SWITCH 23u
/* Settings of the tile, which are stored: */
#define HD_TILE_ENABLE 21u       /* PEs that work */
#define HD_TILE_SECOND_LEVEL 22u /* second-level banks that the tile reaches */
#define HD_TILE_BANK_MODE 64u    /* + bank */
#define HD_TILE_BANK_SCOPE 128u  /* + bank: PEs that may use it, 0: all */
#define HD_TILE_MAP 192u         /* + PE: banks that it reaches */

#define HD_TILE_CACHE 0u
#define HD_TILE_IS_SCRATCHPAD 1u

#define HD_TILE_PES_MAX 32u
#define HD_TILE_BANKS_MAX 32u

#ifdef __cplusplus
}
#endif

#endif
