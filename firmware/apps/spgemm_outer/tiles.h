/* SPDX-License-Identifier: MIT */
/*
 * Both phases on tiles (docs/tiles.md): a thread on each PE for as long as the launch lasts. Tiles take columns, and later rows, from the machine;
 * the PEs of a tile share the elements of the columns, whose caches are one; then half of them are asleep, and the others merge, with a cache and
 * a scratchpad for each two.
 */
#ifndef SPGEMM_TILES_H
#define SPGEMM_TILES_H

#include "heddle_tile.h"
#include "merge.h"
#include "multiply.h"

#define TOLD_BYTES 64 /* a line for each tile: what its PEs read there is in their own cache */

static uint32_t is_first_of_tile(void)
{
    return heddle_tile_pe() == 0;
}

/* Items that all tiles see. None may be left of those before. */
static void offer_to_tiles(uint32_t first, uint32_t end)
{
    if (is_first_of_tile() && heddle_tile_tile() == 0)
        heddle_machine_offer(first, end);
    heddle_machine_barrier();
}

/* ---- Multiply ------------------------------------------------------------------------------------------------------------- */

static volatile share *told_to_tile(const spgemm_outer_args *args)
{
    return (volatile share *)(HD_POINTER(uint8_t, args->told) + heddle_tile_tile() * TOLD_BYTES);
}

/* The first PE takes columns for its tile, and offers their elements to the others. */
static void take_for_tile(const spgemm_outer_args *args, volatile share *told)
{
    const uint32_t *a_first = HD_POINTER(const uint32_t, args->a_first), item = heddle_machine_item();
    const share taken =
        item == HEDDLE_TILE_NONE ? (share){args->inner, args->inner, 0} : share_of(args, item * args->columns);
    told->column = taken.column;
    told->end = taken.end;
    told->nodes = taken.nodes;
    heddle_tile_offer(a_first[taken.column], a_first[taken.end]);
}

/* In the end all nodes are in memory, and no cache has what was there before: those of tiles are not coherent. */
static void multiply_on_tile(const spgemm_outer_args *args)
{
    volatile share *told = told_to_tile(args);
    uint32_t is_over = 0;
    offer_to_tiles(0, (args->inner + args->columns - 1) / args->columns);
    while (!is_over) {
        if (is_first_of_tile())
            take_for_tile(args, told);
        heddle_tile_barrier();
        share mine = {told->column, told->end, told->nodes};
        is_over = mine.column >= args->inner;
        uint32_t element;
        while ((element = heddle_tile_item()) != HEDDLE_TILE_NONE)
            multiply_element(args, &mine, element);
        heddle_tile_barrier();
    }
    if (is_first_of_tile())
        heddle_tile_flush();
    heddle_machine_barrier();
}

/* ---- Merge ---------------------------------------------------------------------------------------------------------------- */

/* Each two PEs that work in merge mode share scratchpad banks. */
static merge_head *heads_of_pe(void)
{
    const uint32_t half = heddle_tile_scratchpad_bytes() / 2, is_second = heddle_tile_pe() % 4 != 0;
    return (merge_head *)((uintptr_t)heddle_tile_scratchpad() + is_second * half);
}

static void merge_items(const spgemm_outer_args *args, uint32_t source, uint32_t first, uint32_t end)
{
    merge_head *heads = heads_of_pe();
    offer_to_tiles(first, end);
    uint32_t item;
    while ((item = heddle_machine_item()) != HEDDLE_TILE_NONE)
        merge_item(args, source, item, heads);
    heddle_machine_barrier();
}

static uint32_t counted(const spgemm_outer_args *args, uint32_t number)
{
    return simt_atomic_add(counter(args, number), 0);
}

/* Rows, and pieces of those that are split; then what has become of their pieces, until no row is split. */
static void merge_all(const spgemm_outer_args *args)
{
    uint32_t source = MERGE_ROWS, first = 0, end = args->rows, pieces = 0;
    while (first != end) {
        merge_items(args, source, first, end);
        const uint32_t all = counted(args, COUNTER_PIECES);
        merge_items(args, MERGE_PIECES, pieces, all);
        pieces = all;
        heddle_tile_flush();
        heddle_machine_barrier();
        first = source == MERGE_ROWS ? 0 : end;
        end = counted(args, COUNTER_SPLIT);
        source = MERGE_SPLIT;
    }
}

/* Every second PE sleeps until the tile's mode is that of multiply again. */
static void merge_on_tile(const spgemm_outer_args *args)
{
    if (heddle_tile_merge_mode())
        return;
    simt_assert(args->heads * sizeof(merge_head) <= heddle_tile_scratchpad_bytes() / 2);
    merge_all(args);
    heddle_tile_multiply_mode();
}

#endif
