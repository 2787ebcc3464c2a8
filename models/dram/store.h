/* SPDX-License-Identifier: MIT */
/*
 * What the memory holds, sparsely: pages of 64 KiB of one partition, made when they are first written. Bytes never
 * written read as 0.
 */
#ifndef DRAM_STORE_H
#define DRAM_STORE_H

#include "hd_extension.h"
#include "hd_state.h"

struct dram_page;

struct dram_store {
    const hd_address_map *map; /* NULL = one partition that holds everything */
    struct dram_page **slots;  /* hash table, a power of two of them */
    uint32_t slot_count;
    uint32_t page_count;
    struct dram_page *last; /* the page found last */
};

void dram_store_read(struct dram_store *store, uint64_t address, void *data, uint32_t bytes);
/* enables: one byte per data byte, 0 = leave it; NULL = write all. */
void dram_store_write(struct dram_store *store, uint64_t address, const void *data, const uint8_t *enables,
                      uint32_t bytes);
/* The bytes around the address that lie side by side, made if they were never written: `length` of them, of the addresses
 * from *base on. They stay where they are until dram_store_clear. */
uint8_t *dram_store_range(struct dram_store *store, uint64_t address, uint64_t *base, uint32_t *length);
/* All bytes (hd_state.h). */
void dram_store_transfer(struct dram_store *store, const hd_state_stream *stream);
/* Forgets everything. */
void dram_store_clear(struct dram_store *store);

/* Address inside the partition, from which rows, banks and columns are taken. */
uint64_t dram_store_offset(const struct dram_store *store, uint64_t address);

#endif
