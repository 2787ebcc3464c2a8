/* SPDX-License-Identifier: MIT */
/*
 * Two phases with other banks. First all PEs multiply chunks of two vectors, whose products their tile's cache keeps. Then half of the
 * PEs sum up chunks, most of which other tiles have multiplied: they copy them to scratchpad banks and add there.
 */
#include "args.h"
#include "heddle_tile.h"

static uint32_t chunk_end(const tile_product_args *args, uint32_t first)
{
    return first + args->chunk < args->n ? first + args->chunk : args->n;
}

/* From round to round a chunk goes to another tile. */
static void multiply(const tile_product_args *args, uint32_t round)
{
    const uint32_t chunks = (args->n + args->chunk - 1) / args->chunk;
    const uint32_t *a = HD_POINTER(const uint32_t, args->a), *b = HD_POINTER(const uint32_t, args->b);
    uint32_t *products = HD_POINTER(uint32_t, args->products);
    for (uint32_t item = heddle_machine_item(); item != HEDDLE_TILE_NONE; item = heddle_machine_item()) {
        const uint32_t first = (item + round * (chunks / 2)) % chunks * args->chunk, end = chunk_end(args, first);
        for (uint32_t i = first; i < end; i++)
            products[i] += a[i] * b[i];
    }
}

/* Two PEs share the scratchpad: each has its half. */
static volatile uint32_t *own_half(uint32_t *words)
{
    *words = heddle_tile_scratchpad_bytes() / 8;
    return heddle_tile_scratchpad() + (heddle_tile_pe() % 4 ? *words : 0);
}

static void add(const tile_product_args *args)
{
    const uint32_t *products = HD_POINTER(const uint32_t, args->products);
    uint32_t *sums = HD_POINTER(uint32_t, args->sums), words;
    volatile uint32_t *local = own_half(&words);
    simt_atomic_add(HD_POINTER(volatile uint32_t, args->products) + args->n + TILE_PRODUCT_ADDING, 1);
    for (uint32_t item = heddle_machine_item(); item != HEDDLE_TILE_NONE; item = heddle_machine_item()) {
        const uint32_t first = item * args->chunk, end = chunk_end(args, first);
        uint32_t sum = 0;
        for (uint32_t i = first; i < end; i++)
            local[(i - first) % words] = products[i];
        for (uint32_t i = first; i < end; i++)
            sum += local[(i - first) % words];
        sums[item] = sum;
    }
}

/* What this tile has stored goes to memory, and what it keeps of others goes. */
static void flush(const tile_product_args *args)
{
    simt_fence();
    heddle_tile_barrier();
    if (heddle_tile_pe() == 0 && args->forgets != TILE_PRODUCT_WRITE_BACK)
        heddle_tile_write_back();
    if (heddle_tile_pe() == 0 && args->forgets != TILE_PRODUCT_INVALIDATE)
        heddle_tile_invalidate();
    heddle_machine_barrier();
}

static void offer(const tile_product_args *args)
{
    if (heddle_tile_pe() == 0 && heddle_tile_tile() == 0)
        heddle_machine_offer(0, (args->n + args->chunk - 1) / args->chunk);
    heddle_machine_barrier();
}

/* All banks become scratchpads, and one has a dirty line. */
static void change_mode(const tile_product_args *args)
{
    volatile uint32_t *sums = HD_POINTER(volatile uint32_t, args->sums);
    sums[0] = 0;
    simt_fence();
    for (uint32_t b = 0; b < heddle_tile_banks(); b++)
        heddle_tile_bank_mode(b, HEDDLE_TILE_SCRATCHPAD);
    heddle_tile_commit_flushed();
}

/* One tile stores and flushes nothing, another one loads, and both count past all caches. */
static void use_spare_words(const tile_product_args *args)
{
    volatile uint32_t *spare = HD_POINTER(volatile uint32_t, args->products) + args->n;
    (void)spare[20]; /* a line that is there when all load it at once */
    if (heddle_tile_pe() == 0 && heddle_tile_tile() == 0)
        for (uint32_t i = 0; i < TILE_PRODUCT_ADDING; i += 16)
            spare[i] = 1;
    heddle_machine_barrier();
    (void)spare[20];
    if (heddle_tile_pe() == 0 && heddle_tile_tile() == 1) {
        heddle_tile_map(0, 0); /* until merge mode */
        heddle_tile_commit();
        (void)spare[0];
    }
    simt_atomic_add(&spare[16], 1);
    heddle_machine_barrier();
}

SIMT_KERNEL(tile_product, const tile_product_args *args)
{
    for (uint32_t round = 0; round < args->rounds; round++) {
        offer(args);
        multiply(args, round);
        flush(args);
    }
    if (args->forgets == TILE_PRODUCT_MODE && simt_block_x() == 0)
        change_mode(args);
    if (args->forgets == TILE_PRODUCT_SPARE)
        use_spare_words(args);
    if (!heddle_tile_merge_mode()) { /* the other half of the PEs sleeps meanwhile */
        offer(args);
        add(args);
        heddle_tile_flush();
        heddle_tile_multiply_mode();
    }
    if (args->forgets == TILE_PRODUCT_SPARE)
        HD_POINTER(volatile uint32_t, args->products)[args->n + 1] = 1;
}

/* On any machine: an element per thread, and then a chunk. */
SIMT_KERNEL(plain_multiply, const tile_product_args *args)
{
    const uint32_t i = simt_global_index();
    if (i < args->n)
        HD_POINTER(uint32_t, args->products)
        [i] += HD_POINTER(const uint32_t, args->a)[i] * HD_POINTER(const uint32_t, args->b)[i];
}

SIMT_KERNEL(plain_add, const tile_product_args *args)
{
    const uint32_t *products = HD_POINTER(const uint32_t, args->products);
    const uint32_t item = simt_global_index(), first = item * args->chunk;
    uint32_t sum = 0;
    if (first >= args->n)
        return;
    for (uint32_t i = first, end = chunk_end(args, first); i < end; i++)
        sum += products[i];
    HD_POINTER(uint32_t, args->sums)[item] = sum;
}
