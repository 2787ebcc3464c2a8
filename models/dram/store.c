/* SPDX-License-Identifier: MIT */
#include "store.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES UINT64_C(4096) /* what a program touches in places far apart costs the host little */
#define SLAB_PAGES 64u /* more than the C library keeps: it gets them from the host, zeroed, when they are touched */
#define HOST_LINE_BYTES 64u

/* At an address that is a multiple of its size: what is aligned in the machine is so on the host. */
struct dram_page {
    uint8_t data[PAGE_BYTES];
};

/* Memory for the pages that are made next. */
struct dram_slab {
    struct dram_slab *before;
    struct dram_page pages[SLAB_PAGES + 1]; /* less than one is lost in front */
};

uint64_t dram_store_offset(const struct dram_store *store, uint64_t address)
{
    return store->map ? hd_partition_offset(store->map, address) : address;
}

static uint64_t page_number(const struct dram_store *store, uint64_t address, uint64_t offset)
{
    if (!store->map)
        return offset / PAGE_BYTES;
    /* Several slices may share one channel: equal offsets in two partitions are different bytes. */
    return offset / PAGE_BYTES * store->map->partitions + hd_partition_of(store->map, address);
}

static uint32_t first_slot(const struct dram_store *store, uint64_t number)
{
    return (uint32_t)((number * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (store->slot_count - 1);
}

static uint32_t next_slot(const struct dram_store *store, uint32_t slot)
{
    return (slot + 1) & (store->slot_count - 1);
}

static struct dram_page *look_up(const struct dram_store *store, uint64_t number)
{
    if (!store->slot_count)
        return NULL;
    uint32_t i = first_slot(store, number);
    while (store->slots[i].page && store->slots[i].number != number)
        i = next_slot(store, i);
    return store->slots[i].page;
}

static struct dram_page *find(struct dram_store *store, uint64_t number)
{
    if (store->last.page && store->last.number == number)
        return store->last.page;
    struct dram_page *page = look_up(store, number);
    if (page)
        store->last = (struct dram_slot){number, page};
    return page;
}

static void insert(struct dram_store *store, struct dram_slot page)
{
    uint32_t i = first_slot(store, page.number);
    while (store->slots[i].page)
        i = next_slot(store, i);
    store->slots[i] = page;
}

static void grow(struct dram_store *store)
{
    struct dram_slot *old = store->slots;
    const uint32_t old_count = store->slot_count;
    store->slot_count = old_count ? old_count * 2 : 64;
    store->slots = calloc(store->slot_count, sizeof *store->slots);
    if (!store->slots)
        abort();
    for (uint32_t i = 0; i < old_count; i++) {
        if (old[i].page)
            insert(store, old[i]);
    }
    free(old);
}

static void add_slab(struct dram_store *store)
{
    struct dram_slab *slab = calloc(1, sizeof *slab);
    if (!slab)
        abort();
    slab->before = store->slab;
    store->slab = slab;
    store->fresh = (struct dram_page *)((uintptr_t)&slab->pages[1] / PAGE_BYTES * PAGE_BYTES);
}

static struct dram_page *find_or_make(struct dram_store *store, uint64_t number)
{
    struct dram_page *page = find(store, number);
    if (page)
        return page;
    if (2 * (store->page_count + 1) > store->slot_count)
        grow(store);
    if (store->page_count % SLAB_PAGES == 0)
        add_slab(store);
    store->last = (struct dram_slot){number, store->fresh++};
    insert(store, store->last);
    store->page_count++;
    return store->last.page;
}

/* Aligned ranges of so many bytes lie side by side in one page. */
static uint64_t range_bytes(const struct dram_store *store)
{
    const uint64_t chunk = store->map ? hd_partition_run(store->map) : PAGE_BYTES;
    return chunk < PAGE_BYTES ? chunk : PAGE_BYTES;
}

/* Bytes from address on that lie side by side in one page. */
static uint32_t run(const struct dram_store *store, uint64_t address, uint32_t bytes)
{
    const uint64_t limit = range_bytes(store);
    const uint64_t left = limit - address % limit;
    return bytes < left ? bytes : (uint32_t)left;
}

void dram_store_read(struct dram_store *store, uint64_t address, void *data, uint32_t bytes)
{
    uint8_t *to = data;
    while (bytes) {
        const uint32_t length = run(store, address, bytes);
        const uint64_t offset = dram_store_offset(store, address);
        const struct dram_page *page = find(store, page_number(store, address, offset));
        if (page)
            memcpy(to, &page->data[offset % PAGE_BYTES], length);
        else
            memset(to, 0, length);
        to += length;
        address += length;
        bytes -= length;
    }
}

static void merge(uint8_t *to, const uint8_t *from, const uint8_t *enables, uint32_t bytes)
{
    if (!enables) {
        memcpy(to, from, bytes);
        return;
    }
    for (uint32_t i = 0; i < bytes; i++) {
        if (enables[i])
            to[i] = from[i];
    }
}

void dram_store_write(struct dram_store *store, uint64_t address, const void *data, const uint8_t *enables,
                      uint32_t bytes)
{
    for (uint32_t done = 0; done < bytes;) {
        const uint32_t length = run(store, address + done, bytes - done);
        const uint64_t offset = dram_store_offset(store, address + done);
        struct dram_page *page = find_or_make(store, page_number(store, address + done, offset));
        merge(&page->data[offset % PAGE_BYTES], (const uint8_t *)data + done, enables ? enables + done : NULL, length);
        done += length;
    }
}

uint8_t *dram_store_range(struct dram_store *store, uint64_t address, uint64_t *base, uint32_t *length)
{
    *length = (uint32_t)range_bytes(store);
    *base = address - address % *length;
    const uint64_t offset = dram_store_offset(store, *base);
    return &find_or_make(store, page_number(store, *base, offset))->data[offset % PAGE_BYTES];
}

static void save_pages(struct dram_store *store, const hd_state_stream *stream)
{
    for (uint32_t i = 0; i < store->slot_count; i++)
        if (store->slots[i].page) {
            HD_STATE_VALUE(stream, store->slots[i].number);
            HD_STATE_VALUE(stream, store->slots[i].page->data);
        }
}

void dram_store_transfer(struct dram_store *store, const hd_state_stream *stream)
{
    const uint64_t count = hd_state_number(stream, store->page_count);
    if (!stream->is_restored) {
        save_pages(store, stream);
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t number = hd_state_number(stream, 0);
        HD_STATE_VALUE(stream, find_or_make(store, number)->data);
    }
}

void dram_store_prefetch(const struct dram_store *store, uint64_t address, uint32_t bytes)
{
    const uint64_t offset = dram_store_offset(store, address);
    const struct dram_page *page = look_up(store, page_number(store, address, offset));
    const uint32_t length = run(store, address, bytes);
    for (uint32_t i = 0; page && i < length; i += HOST_LINE_BYTES)
        __builtin_prefetch(&page->data[offset % PAGE_BYTES + i], 1);
}

void dram_store_clear(struct dram_store *store)
{
    for (struct dram_slab *slab = store->slab, *before; slab; slab = before) {
        before = slab->before;
        free(slab);
    }
    free(store->slots);
    *store = (struct dram_store){.map = store->map};
}
