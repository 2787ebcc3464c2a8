/* SPDX-License-Identifier: MIT */
/* Two tiles of four PEs, whose words are in their caches, in scratchpad banks for all of a tile and in those of one PE. */
#include "args.h"
#include "heddle_tile.h"

static void make_mistake(volatile uint32_t *words, uint32_t wrong)
{
    volatile uint32_t *scratchpad = heddle_tile_scratchpad();
    if (wrong == ON_TILES_STORE_BEYOND)
        scratchpad[4096] = 1;
    else if (wrong == ON_TILES_STORE_TO_NO_REGISTER)
        *heddle_tile_register(40) = 1;
    else if (wrong == ON_TILES_ATOMIC_ON_REGISTER)
        simt_atomic_add(heddle_tile_register(HEDDLE_TILE_REGISTER_ITEM), 1);
    else if (wrong == ON_TILES_ATOMIC_ON_SCRATCHPAD)
        simt_atomic_add(scratchpad, 1);
    else if (wrong == ON_TILES_BEHIND_WORDS)
        words[2 * ON_TILES_PES] = 1;
    else if (wrong == ON_TILES_WORD_OF_ANOTHER)
        words[ON_TILES_PES + 6] = words[ON_TILES_PES + 5] = 1; /* the first store behind a fence may release */
}

SIMT_KERNEL(on_tiles, const on_tiles_args *args)
{
    volatile uint32_t *words = HD_POINTER(volatile uint32_t, args->words);
    volatile uint32_t *scratchpad = heddle_tile_scratchpad();
    uint32_t pe = heddle_tile_pe(), me = heddle_tile_tile() * heddle_tile_pes() + pe;
    volatile uint32_t kept[2] = {me, args->words.address}; /* on the stack, where a debugger finds it */
    if (pe == 0) {
        heddle_tile_bank_mode(1, HEDDLE_TILE_SCRATCHPAD);
        heddle_tile_bank_mode(2, HEDDLE_TILE_SCRATCHPAD);
        heddle_tile_bank_scope(2, 1u << 3);
        heddle_tile_commit();
    }
    heddle_tile_barrier();
    words[me] = 100 + me;
    scratchpad[pe] = 200 + me;
    if (pe == 3)
        scratchpad[heddle_tile_scratchpad_bytes() / 4 - 1] = 300 + me;
    simt_fence();
    heddle_machine_barrier();
    if (me == 5)
        make_mistake(words, args->wrong);
    uint32_t sum = words[kept[0]];
    sum += scratchpad[pe];
    words[ON_TILES_PES + me] = sum;
    simt_fence();
    heddle_tile_barrier();
    heddle_tile_flush();
}
