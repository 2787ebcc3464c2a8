/* SPDX-License-Identifier: MIT */
/*
 * What a block is taken to use. The table is indexed by stream and number of the block, without tags: so the next grid of a
 * pipeline finds what the block with the same part of the data has used (Beaumont 2019 §3.4).
 */
#include <stdlib.h>
#include <string.h>

#include "tables.h"
#include "usage.h"

#define STREAM_STEP 2731u /* entries between the first blocks of two streams */

uint32_t usage_entry_of(const usage *u, const thread_block *block)
{
    if (!u->settings.entries)
        return 0;
    return (
        uint32_t)(((uint64_t)block->grid->stream * STREAM_STEP + hd_block_number_in(block->grid, block->block_index)) %
                  u->settings.entries);
}

static const usage_kernel *find_kernel(const usage *u, const hd_grid *grid)
{
    for (uint32_t i = 0; i < u->kernel_count; i++)
        if (u->kernels[i].module == grid->module && u->kernels[i].entry_pc == grid->entry_pc)
            return &u->kernels[i];
    return NULL;
}

uint32_t usage_kernel_of(usage *u, const hd_grid *grid)
{
    const usage_kernel *known = find_kernel(u, grid);
    if (known)
        return (uint32_t)(known - u->kernels);
    if (u->kernel_count == u->kernel_capacity) {
        u->kernel_capacity = u->kernel_capacity ? 2 * u->kernel_capacity : 16;
        u->kernels = realloc(u->kernels, u->kernel_capacity * sizeof *u->kernels);
        if (!u->kernels)
            abort();
    }
    u->kernels[u->kernel_count] = (usage_kernel){.module = grid->module, .entry_pc = grid->entry_pc};
    return u->kernel_count++;
}

/* To the nearest. */
static usage_levels mean_of(const usage_kernel *kernel)
{
    usage_levels levels = {{0}};
    for (uint32_t m = 0; m < USAGE_METRICS && kernel && kernel->windows; m++)
        levels.of[m] = (uint32_t)((kernel->levels[m] + kernel->windows / 2) / kernel->windows);
    return levels;
}

usage_levels usage_predict(const usage *u, const thread_block *block)
{
    if (u->kind.predicts == USAGE_OF_PROFILE)
        return usage_profile_levels(u, block->grid);
    return u->kind.predicts == USAGE_OF_KERNELS ? mean_of(find_kernel(u, block->grid))
                                                : u->table[usage_entry_of(u, block)];
}

static uint32_t is_same(const usage_levels *a, const usage_levels *b)
{
    return memcmp(a->of, b->of, sizeof a->of) == 0;
}

static void write_table(usage *u, const usage_block *block, const usage_levels *levels)
{
    if (!u->settings.entries)
        return;
    u->table_statistics[USAGE_ALIASES] += u->owners[block->entry] != 0 && u->owners[block->entry] != block->owner;
    u->table_statistics[USAGE_CHANGES] += !is_same(&u->table[block->entry], levels);
    u->owners[block->entry] = block->owner;
    u->table[block->entry] = *levels;
}

static void set_levels(usage *u, uint32_t slot, const usage_levels *levels)
{
    const usage_levels before = u->blocks[slot].levels;
    if (is_same(&before, levels))
        return;
    usage_change(u, slot, levels);
    u->statistics[USAGE_UPDATES]++;
    if (u->kind.preempts)
        usage_mark(u, slot, &before);
}

static void learn_kernel(usage *u, uint32_t kernel, const usage_levels *levels)
{
    u->kernels[kernel].windows++;
    for (uint32_t m = 0; m < USAGE_METRICS; m++)
        u->kernels[kernel].levels[m] += levels->of[m];
}

static void follow_mean(usage *u, uint32_t kernel)
{
    const usage_levels mean = mean_of(&u->kernels[kernel]);
    for (uint32_t slot = 0; slot < u->slots; slot++) {
        usage_block *block = &u->blocks[slot];
        if (block->stage == USAGE_GONE || block->kernel != kernel)
            continue;
        if (block->stage == USAGE_SAVED)
            block->levels = mean;
        else
            set_levels(u, slot, &mean);
    }
}

void usage_learn(usage *u, uint32_t slot, const hd_block_level *level)
{
    const usage_levels levels = {{[USAGE_MEMORY] = level->memory_level,
                                  [USAGE_FLOAT] = level->float_level,
                                  [USAGE_DEMAND] = level->demand_level,
                                  [USAGE_ABORTS] = level->abort_level}};
    const usage_block *block = &u->blocks[slot];
    learn_kernel(u, block->kernel, &levels);
    write_table(u, block, &levels);
    if (level->last && u->settings.entries)
        usage_pair(u, block, &levels);
    if (u->kind.tracks == USAGE_OF_KERNELS)
        follow_mean(u, block->kernel);
    else if (!level->last)
        set_levels(u, slot, &levels);
}
