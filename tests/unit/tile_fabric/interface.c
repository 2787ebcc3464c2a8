/* SPDX-License-Identifier: MIT */
/* Kernels and the fabric mean the same registers, although their headers know nothing of each other. */
#include <criterion/criterion.h>

#include "hd_tile.h"
#include "heddle_tile_registers.h"

#define SAME(name) cr_expect_eq(HEDDLE_TILE_REGISTER_##name, HD_TILE_##name, #name)

Test(tile_fabric, kernels_have_the_numbers_of_the_fabric)
{
    cr_expect_eq(HEDDLE_TILE_REGISTERS, HD_TILE_REGISTERS);
    cr_expect_eq(HEDDLE_TILE_REGISTER_BYTES, HD_TILE_REGISTER_BYTES);
    cr_expect_eq(HEDDLE_TILE_SCRATCHPAD_BASE, HD_TILE_SCRATCHPAD);
    cr_expect_eq(HEDDLE_TILE_NONE, HD_TILE_NO_ITEM);
    cr_expect_eq(HEDDLE_TILE_CACHE, HD_TILE_CACHE);
    cr_expect_eq(HEDDLE_TILE_SCRATCHPAD, HD_TILE_IS_SCRATCHPAD);
    SAME(TILE);
    SAME(PE);
    SAME(TILES);
    SAME(PES);
    SAME(BANKS);
    SAME(SCRATCHPAD_BYTES);
    SAME(ENABLED);
    SAME(ITEM);
    SAME(ITEM_FIRST);
    SAME(ITEM_END);
    SAME(MACHINE_ITEM);
    SAME(MACHINE_ITEM_FIRST);
    SAME(MACHINE_ITEM_END);
    SAME(BARRIER);
    SAME(MACHINE_BARRIER);
    SAME(SWITCH);
    SAME(WRITE_BACK);
    SAME(INVALIDATE);
    SAME(FLUSH);
    SAME(COMMIT);
    SAME(COMMIT_FLUSHED);
    SAME(ENABLE);
    SAME(SECOND_LEVEL);
    SAME(BANK_MODE);
    SAME(BANK_SCOPE);
    SAME(MAP);
}
