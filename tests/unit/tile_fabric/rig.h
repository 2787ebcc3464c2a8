/* SPDX-License-Identifier: MIT */
/* Two tiles of four PEs with four banks of 16 lines, and memory that answers after MEMORY cycles. */
#ifndef TILE_FABRIC_RIG_H
#define TILE_FABRIC_RIG_H

#include <criterion/criterion.h>

#include "hd_tile.h"
#include "kit.h"
#include "tile_fabric.h"

enum { CYCLE = 1000, LINK = 1, MEMORY = 20, TILES = 2, PES = 4, BANKS = 4, MEMORY_BYTES = 65536, BANK_BYTES = 1024 };
#define AT(offset) (HD_GLOBAL_BASE + (offset))

typedef struct rig {
    kit_block *kit;
    uint8_t memory[MEMORY_BYTES];
    uint32_t loads, stores, atomics; /* that reached memory */
    hd_time answered;                /* when the latest reply came */
    char mistake[224];               /* what it says; "": it was none */
    uint8_t wrong[32];               /* of its bytes: 1 */
} rig;

/* extra: more parameters, or NULL. */
void rig_open(rig *rig, const char *const *extra);
void rig_close(rig *rig);
uint32_t rig_memory(const rig *rig, uint32_t offset);
void rig_put(rig *rig, uint32_t offset, uint32_t value);

/* Sends now; the reply is to be taken by rig_take. PE of the machine: tile * PES + number. */
void rig_ask_load(rig *rig, uint32_t pe, uint64_t address, hd_time t);
void rig_ask_store(rig *rig, uint32_t pe, uint64_t address, uint32_t value, hd_time t);
/* 1 and the word of the oldest reply to the PE, of those that have come by t; 0: none. */
uint32_t rig_take(rig *rig, uint32_t pe, hd_time t, uint32_t *word);

/* One access, until all is quiet. */
uint32_t rig_load(rig *rig, uint32_t pe, uint64_t address);
void rig_store(rig *rig, uint32_t pe, uint64_t address, uint32_t value);
/* Adds to a word of memory; returns what was there. */
uint32_t rig_add(rig *rig, uint32_t pe, uint64_t address, uint32_t value);
uint32_t rig_register(rig *rig, uint32_t pe, uint32_t number);
void rig_set(rig *rig, uint32_t pe, uint32_t number, uint32_t value);
#define rig_count(rig, name) kit_statistic((rig)->kit, name)
#define REGISTER(number) (HD_TILE_REGISTERS + (number)*HD_TILE_REGISTER_BYTES)

#endif
