/* SPDX-License-Identifier: MIT */
#include "access_blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define uthash_fatal(message) abort()
#include <uthash.h>

#include "grow.h"

typedef struct hd_access_block_place {
    uint64_t key;
    uint32_t index;
    UT_hash_handle hh;
} place;

uint32_t hd_access_blocks_begins(const hd_access_blocks *blocks, const hd_access_record *record)
{
    return record->kind == HD_ACCESS_BEGIN && !blocks->running;
}

void hd_access_blocks_forget(hd_access_blocks *blocks)
{
    place *at, *next;
    HASH_ITER(hh, blocks->places, at, next)
    {
        HASH_DEL(blocks->places, at);
        free(at);
    }
    free(blocks->items);
    free(blocks->kernels);
    *blocks = (hd_access_blocks){0};
}

static uint32_t kernel_of(hd_access_blocks *blocks, const hd_grid *grid, uint64_t number)
{
    for (uint32_t i = blocks->kernel_count; i-- > 0;)
        if (blocks->kernels[i].launch == grid->launch)
            return i;
    blocks->kernels =
        observe_grow(blocks->kernels, blocks->kernel_count, &blocks->kernel_capacity, sizeof *blocks->kernels);
    blocks->kernels[blocks->kernel_count] =
        (hd_access_kernel){.launch = grid->launch,
                           .began = number,
                           .ended = UINT64_MAX,
                           .blocks = (uint64_t)grid->grid_size[0] * grid->grid_size[1] * grid->grid_size[2]};
    blocks->running++;
    return blocks->kernel_count++;
}

static void begin(hd_access_blocks *blocks, const hd_access_record *record, uint64_t number)
{
    blocks->items = observe_grow(blocks->items, blocks->count, &blocks->capacity, sizeof *blocks->items);
    hd_access_block *block = &blocks->items[blocks->count];
    *block = (hd_access_block){.key = record->block,
                               .endpoint = record->endpoint,
                               .warp_lanes = record->warp_lanes,
                               .first_thread = blocks->threads};
    memcpy(&block->launch, hd_access_data(record), sizeof block->launch);
    const hd_grid *grid = &block->launch.grid;
    block->threads = grid->block_size[0] * grid->block_size[1] * grid->block_size[2];
    block->kernel = kernel_of(blocks, grid, number);
    blocks->threads += block->threads;
    place *added = calloc(1, sizeof *added);
    if (!added)
        abort();
    added->key = record->block;
    added->index = blocks->latest = blocks->count++;
    HASH_ADD(hh, blocks->places, key, sizeof added->key, added);
}

static void end(hd_access_blocks *blocks, const hd_access_record *record, uint64_t number)
{
    const uint32_t index = hd_access_blocks_find(blocks, record->block);
    if (index == HD_NO_ACCESS_BLOCK || blocks->items[index].is_over)
        return;
    hd_access_kernel *kernel = &blocks->kernels[blocks->items[index].kernel];
    blocks->items[index].is_over = 1;
    if (--kernel->blocks)
        return;
    kernel->ended = number;
    blocks->running--;
}

void hd_access_blocks_take(hd_access_blocks *blocks, const hd_access_record *record, uint64_t number)
{
    if (record->kind == HD_ACCESS_BEGIN)
        begin(blocks, record, number);
    else if (record->kind == HD_ACCESS_END)
        end(blocks, record, number);
}

uint32_t hd_access_blocks_find(hd_access_blocks *blocks, uint64_t key)
{
    place *found;
    if (blocks->latest < blocks->count && blocks->items[blocks->latest].key == key)
        return blocks->latest;
    HASH_FIND(hh, blocks->places, &key, sizeof key, found);
    if (!found)
        return HD_NO_ACCESS_BLOCK;
    return blocks->latest = found->index;
}

const hd_access_block *hd_access_blocks_of(const hd_access_blocks *blocks, uint64_t thread)
{
    uint32_t low = 0, high = blocks->count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (blocks->items[middle].first_thread <= thread)
            low = middle;
        else
            high = middle;
    }
    return &blocks->items[low];
}

void hd_access_who(const hd_access_places *places, const hd_access_block *block, uint32_t thread, uint32_t pc,
                   char text[HD_ACCESS_WHO_BYTES])
{
    const uint32_t *at = block->launch.block_index, *size = block->launch.grid.block_size;
    char where[160];
    places->place(places->context, block->launch.grid.module, pc, where, sizeof where);
    snprintf(text, HD_ACCESS_WHO_BYTES, "pc %s, %s, block (%u,%u,%u), warp %u, lane %u, thread (%u,%u,%u)", where,
             places->block(places->context, block->endpoint), at[0], at[1], at[2], thread / block->warp_lanes,
             thread % block->warp_lanes, thread % size[0], thread / size[0] % size[1], thread / size[0] / size[1]);
}
