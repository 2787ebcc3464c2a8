/* SPDX-License-Identifier: MIT */
/*
 * What the memory holds, sparsely: pages of 4 KiB of one partition, made when they are first written. Bytes never
 * written read as 0.
 */
#ifndef DRAM_STORE_H
#define DRAM_STORE_H

#include "hd_extension.h"
#include "hd_state.h"

struct dram_page;
struct dram_slab;

struct dram_slot {
    uint64_t number; /* of the page, over all partitions */
    struct dram_page *page;
};

struct dram_store {
    const hd_address_map *map; /* NULL = one partition that holds everything */
    struct dram_slot *slots;   /* hash table, a power of two of them; free: no page */
    uint32_t slot_count;
    uint32_t page_count;
    struct dram_slot last;   /* the page found last */
    struct dram_slab *slab;  /* that of the page made last; it knows those before */
    struct dram_page *fresh; /* in it: where the next is made */
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
/* The first of the bytes, as many as lie side by side, will soon be read or written: the host fetches them meanwhile. */
void dram_store_prefetch(const struct dram_store *store, uint64_t address, uint32_t bytes);
/* Forgets everything. */
void dram_store_clear(struct dram_store *store);

/* Address inside the partition, from which rows, banks and columns are taken. */
uint64_t dram_store_offset(const struct dram_store *store, uint64_t address);

#endif
