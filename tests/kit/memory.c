/* SPDX-License-Identifier: MIT */
/* The memory behind a block that touches memory directly: pages that the test holds. */
#include "kit_internal.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES 4096u
#define BUCKETS 1024u

typedef struct kit_page {
    struct kit_page *next;
    uint64_t address;
    uint8_t data[PAGE_BYTES];
} kit_page;

struct kit_memory {
    kit_page *buckets[BUCKETS];
};

static kit_page *page_of(kit_memory *memory, uint64_t address)
{
    const uint64_t base = address - address % PAGE_BYTES;
    kit_page **bucket = &memory->buckets[base / PAGE_BYTES % BUCKETS];
    for (kit_page *page = *bucket; page; page = page->next)
        if (page->address == base)
            return page;
    kit_page *page = calloc(1, sizeof *page);
    if (!page)
        kit_die("out of memory");
    page->address = base;
    page->next = *bucket;
    return *bucket = page;
}

static uint32_t range(hd_block *block, uint64_t address, hd_direct_range *range)
{
    kit_page *page = page_of((kit_memory *)block, address);
    *range = (hd_direct_range){.bytes = page->data, .address = page->address, .length = PAGE_BYTES};
    return 1;
}

static const void *turning(hd_block *block, const char *id)
{
    (void)block;
    (void)id;
    return NULL; /* it never asks for a turn */
}

void kit_direct(kit_block *kit)
{
    static const hd_holder holder = {.range = range};
    if (kit->memory)
        return;
    kit->memory = calloc(1, sizeof *kit->memory);
    if (!kit->memory)
        kit_die("out of memory");
    hd_engine_add_holder(kit->engine, (hd_block *)kit->memory, &holder);
    kit->direct = kit_placeholder;
    kit->direct.flags = HD_BLOCK_DIRECT;
    kit->direct.extension = turning;
}

void kit_clear_memory(kit_block *kit)
{
    for (uint32_t i = 0; kit->memory && i < BUCKETS; i++)
        while (kit->memory->buckets[i]) {
            kit_page *page = kit->memory->buckets[i];
            kit->memory->buckets[i] = page->next;
            free(page);
        }
}

uint64_t kit_hash_memory(const kit_block *kit)
{
    static const uint8_t nothing[PAGE_BYTES];
    uint64_t sum = 0; /* in any order of the pages */
    for (uint32_t i = 0; kit->memory && i < BUCKETS; i++)
        for (const kit_page *page = kit->memory->buckets[i]; page; page = page->next)
            if (memcmp(page->data, nothing, PAGE_BYTES) != 0)
                sum += kit_hash(kit_hash(kit_hash_start, &page->address, sizeof page->address), page->data, PAGE_BYTES);
    return sum;
}

static uint32_t step(uint64_t address, uint32_t bytes)
{
    const uint32_t left = PAGE_BYTES - (uint32_t)(address % PAGE_BYTES);
    return bytes < left ? bytes : left;
}

void kit_memory_read(kit_block *kit, uint64_t address, void *data, uint32_t bytes)
{
    for (uint32_t done = 0, length; done < bytes; done += length) {
        length = step(address + done, bytes - done);
        memcpy((uint8_t *)data + done, page_of(kit->memory, address + done)->data + (address + done) % PAGE_BYTES,
               length);
    }
}

void kit_memory_write(kit_block *kit, uint64_t address, const void *data, uint32_t bytes)
{
    for (uint32_t done = 0, length; done < bytes; done += length) {
        length = step(address + done, bytes - done);
        memcpy(page_of(kit->memory, address + done)->data + (address + done) % PAGE_BYTES, (const uint8_t *)data + done,
               length);
    }
}
