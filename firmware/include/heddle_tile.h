/* SPDX-License-Identifier: MIT */
/*
 * What a kernel can say to the tile fabric that its PE belongs to (docs/tiles.md): work, barriers, flushes, banks and crossbars.
 *
 * Launch one block of one thread for each PE of the machine, and ask the fabric who you are:
 *
 *     for (uint32_t i = heddle_machine_item(); i != HEDDLE_TILE_NONE; i = heddle_machine_item())
 *         ...
 *     simt_fence();
 *     heddle_tile_barrier();
 *     if (heddle_tile_pe() == 0)
 *         heddle_tile_flush();
 *     heddle_machine_barrier();
 *
 * The caches of tiles are not coherent. What one tile stores another sees after the one has written it back and the other has dropped
 * what it kept of it; a load that sees older bytes ends the run.
 */
#ifndef HEDDLE_TILE_H
#define HEDDLE_TILE_H

#include "heddle_tile_registers.h"
#include "simt.h"

SIMT_INLINE volatile uint32_t *heddle_tile_register(uint32_t number)
{
    return (volatile uint32_t *)(uintptr_t)(HEDDLE_TILE_REGISTERS + number * HEDDLE_TILE_REGISTER_BYTES);
}

/* The compiler keeps the order of these and of all other accesses. No cache ever has a register. */
SIMT_INLINE uint32_t heddle_tile_load(uint32_t number)
{
    return simt_load_cg(heddle_tile_register(number));
}

SIMT_INLINE void heddle_tile_store(uint32_t number, uint32_t value)
{
    __asm__ volatile("" ::: "memory");
    *heddle_tile_register(number) = value;
}

/* A load that does something: what was stored before is stored, and nothing begins before it is done. */
SIMT_INLINE void heddle_tile_do(uint32_t number)
{
    simt_fence();
    (void)heddle_tile_load(number);
    simt_fence();
}

/* ---- Who am I ------------------------------------------------------------------------------------------------------ */

#define HEDDLE_TILE_ASK(name, REGISTER)                                                                                \
    SIMT_INLINE uint32_t name(void)                                                                                    \
    {                                                                                                                  \
        return heddle_tile_load(HEDDLE_TILE_REGISTER_##REGISTER);                                                      \
    }

HEDDLE_TILE_ASK(heddle_tile_tile, TILE) /* this tile, of so many: */
HEDDLE_TILE_ASK(heddle_tile_tiles, TILES)
HEDDLE_TILE_ASK(heddle_tile_pe, PE) /* this PE, of so many of the tile: */
HEDDLE_TILE_ASK(heddle_tile_pes, PES)
HEDDLE_TILE_ASK(heddle_tile_banks, BANKS)                       /* first-level banks of the tile */
HEDDLE_TILE_ASK(heddle_tile_enabled, ENABLED)                   /* its PEs that are, as bits */
HEDDLE_TILE_ASK(heddle_tile_scratchpad_bytes, SCRATCHPAD_BYTES) /* of the banks that this PE reaches */

/* They lie one behind the other. */
SIMT_INLINE volatile uint32_t *heddle_tile_scratchpad(void)
{
    return (volatile uint32_t *)(uintptr_t)HEDDLE_TILE_SCRATCHPAD_BASE;
}

/* ---- Work ---------------------------------------------------------------------------------------------------------- */

/* Items first .. end-1 are there for the PEs of this tile, or of the machine. A barrier lies between an offer and who asks. */
SIMT_INLINE void heddle_tile_offer(uint32_t first, uint32_t end)
{
    heddle_tile_store(HEDDLE_TILE_REGISTER_ITEM_FIRST, first);
    heddle_tile_store(HEDDLE_TILE_REGISTER_ITEM_END, end);
}
SIMT_INLINE void heddle_machine_offer(uint32_t first, uint32_t end)
{
    heddle_tile_store(HEDDLE_TILE_REGISTER_MACHINE_ITEM_FIRST, first);
    heddle_tile_store(HEDDLE_TILE_REGISTER_MACHINE_ITEM_END, end);
}

/* The next one, or HEDDLE_TILE_NONE. A PE that is not enabled sleeps here until it is. */
HEDDLE_TILE_ASK(heddle_tile_item, ITEM)
HEDDLE_TILE_ASK(heddle_machine_item, MACHINE_ITEM)

/* All enabled PEs of the tile, or of the machine, arrive before any goes on. What was stored before is in a cache or in memory. */
SIMT_INLINE void heddle_tile_barrier(void)
{
    heddle_tile_do(HEDDLE_TILE_REGISTER_BARRIER);
}
SIMT_INLINE void heddle_machine_barrier(void)
{
    heddle_tile_do(HEDDLE_TILE_REGISTER_MACHINE_BARRIER);
}

/* ---- Caches: all that this PE reaches ------------------------------------------------------------------------------ */

/* Dirty lines go to memory, and stay. */
SIMT_INLINE void heddle_tile_write_back(void)
{
    heddle_tile_do(HEDDLE_TILE_REGISTER_WRITE_BACK);
}
/* Lines that are not dirty are dropped. */
SIMT_INLINE void heddle_tile_invalidate(void)
{
    heddle_tile_do(HEDDLE_TILE_REGISTER_INVALIDATE);
}
/* Both, of all lines. */
SIMT_INLINE void heddle_tile_flush(void)
{
    heddle_tile_do(HEDDLE_TILE_REGISTER_FLUSH);
}

/* ---- Settings of this tile: they hold from the commit on ----------------------------------------------------------- */

/* HEDDLE_TILE_CACHE or HEDDLE_TILE_SCRATCHPAD. */
SIMT_INLINE void heddle_tile_bank_mode(uint32_t bank, uint32_t mode)
{
    heddle_tile_store(HEDDLE_TILE_REGISTER_BANK_MODE + bank, mode);
}
/* PEs that may use it, as bits; 0: all, it is shared. */
SIMT_INLINE void heddle_tile_bank_scope(uint32_t bank, uint32_t pes)
{
    heddle_tile_store(HEDDLE_TILE_REGISTER_BANK_SCOPE + bank, pes);
}
/* Banks that the crossbar takes the PE to, as bits. Lines lie in those that are caches, one after the other. */
SIMT_INLINE void heddle_tile_map(uint32_t pe, uint32_t banks)
{
    heddle_tile_store(HEDDLE_TILE_REGISTER_MAP + pe, banks);
}
/* PEs that work, as bits. Others sleep: at a switch, or where they ask for an item or arrive at a barrier. */
SIMT_INLINE void heddle_tile_enable(uint32_t pes)
{
    heddle_tile_store(HEDDLE_TILE_REGISTER_ENABLE, pes);
}
/* Second-level banks that the tile reaches, as bits. */
SIMT_INLINE void heddle_tile_second_level(uint32_t banks)
{
    heddle_tile_store(HEDDLE_TILE_REGISTER_SECOND_LEVEL, banks);
}
/* A bank that stops being a cache writes its dirty lines back first. */
SIMT_INLINE void heddle_tile_commit(void)
{
    heddle_tile_do(HEDDLE_TILE_REGISTER_COMMIT);
}
/* It has none, the program says: one that is dirty is a mistake. */
SIMT_INLINE void heddle_tile_commit_flushed(void)
{
    heddle_tile_do(HEDDLE_TILE_REGISTER_COMMIT_FLUSHED);
}

/* All enabled PEs of the tile arrive, and what any of them has set holds. Who is disabled by it sleeps here until a later switch
 * enables it. Returns 1 to a PE that has slept: what the others did meanwhile is done. */
SIMT_INLINE uint32_t heddle_tile_switch(void)
{
    simt_fence();
    const uint32_t has_slept = heddle_tile_load(HEDDLE_TILE_REGISTER_SWITCH);
    simt_fence();
    return has_slept;
}

/* ---- Patterns of settings ------------------------------------------------------------------------------------------ */

SIMT_INLINE uint32_t heddle_tile_bits(uint32_t first, uint32_t count)
{
    return (count >= 32 ? 0xFFFFFFFFu : (1u << count) - 1) << first;
}

/* Broadcast: every PE reaches every bank. */
SIMT_INLINE void heddle_tile_map_broadcast(void)
{
    const uint32_t pes = heddle_tile_pes(), all = heddle_tile_bits(0, heddle_tile_banks());
    for (uint32_t p = 0; p < pes; p++)
        heddle_tile_map(p, all);
}
/* Pass-through: PE i reaches bank i, modulo the banks. */
SIMT_INLINE void heddle_tile_map_pass_through(void)
{
    const uint32_t pes = heddle_tile_pes(), banks = heddle_tile_banks();
    for (uint32_t p = 0, b = 0; p < pes; p++) {
        heddle_tile_map(p, 1u << b);
        b = b + 1 == banks ? 0 : b + 1;
    }
}
/* Point to point: two PEs share a bank, which is a scratchpad and nobody else's. */
SIMT_INLINE void heddle_tile_map_point_to_point(uint32_t pe, uint32_t other, uint32_t bank)
{
    heddle_tile_bank_mode(bank, HEDDLE_TILE_SCRATCHPAD);
    heddle_tile_bank_scope(bank, 1u << pe | 1u << other);
    heddle_tile_map(pe, 1u << bank);
    heddle_tile_map(other, 1u << bank);
}

/* All banks are caches that all PEs share, and all PEs work. */
SIMT_INLINE void heddle_tile_set_multiply_mode(void)
{
    const uint32_t banks = heddle_tile_banks();
    for (uint32_t b = 0; b < banks; b++) {
        heddle_tile_bank_mode(b, HEDDLE_TILE_CACHE);
        heddle_tile_bank_scope(b, 0);
    }
    heddle_tile_map_broadcast();
    heddle_tile_enable(heddle_tile_bits(0, heddle_tile_pes()));
}

/* Every second PE works; each pair of those has a quarter of the banks of four PEs to itself: half of them cache, half scratchpad.
 * Needs a multiple of 4 PEs, and as many banks as PEs. */
SIMT_INLINE void heddle_tile_set_merge_mode(void)
{
    const uint32_t pes = heddle_tile_pes();
    uint32_t working = 0;
    for (uint32_t first = 0; first < pes; first += 4) {
        const uint32_t pair = 1u << first | 1u << (first + 2);
        working |= pair;
        for (uint32_t b = first; b < first + 4; b++) {
            heddle_tile_bank_mode(b, b < first + 2 ? HEDDLE_TILE_CACHE : HEDDLE_TILE_SCRATCHPAD);
            heddle_tile_bank_scope(b, pair);
            heddle_tile_map(b, heddle_tile_bits(first, 4));
        }
    }
    heddle_tile_enable(working);
}

/*
 * The same as switches, which all enabled PEs of the tile call:
 *
 *     if (!heddle_tile_merge_mode()) {
 *         ...                              half of the PEs
 *         heddle_tile_multiply_mode();
 *     }
 */
SIMT_INLINE uint32_t heddle_tile_merge_mode(void)
{
    if (heddle_tile_pe() == 0)
        heddle_tile_set_merge_mode();
    return heddle_tile_switch();
}
SIMT_INLINE uint32_t heddle_tile_multiply_mode(void)
{
    if (heddle_tile_pe() == 0)
        heddle_tile_set_multiply_mode();
    return heddle_tile_switch();
}

#endif
