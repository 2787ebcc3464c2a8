/* SPDX-License-Identifier: MIT */
#include "resources.h"

const char *const resource_names[RESOURCE_COUNT] = {
    [RESOURCE_BLOCKS] = "block slots",
    [RESOURCE_THREADS] = "threads",
    [RESOURCE_WARPS] = "warps",
    [RESOURCE_REGISTERS] = "registers",
    [RESOURCE_SCRATCHPAD] = "bytes of scratchpad",
};

static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t result;
    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

static uint64_t threads_of(const hd_grid *grid)
{
    return product(product(grid->block_size[0], grid->block_size[1]), grid->block_size[2]);
}

static uint64_t warps_of(const hd_grid *grid, uint32_t lanes)
{
    uint64_t threads = threads_of(grid);
    return threads / lanes + (threads % lanes != 0);
}

resources resources_of_core(const hd_core_capacity *capacity)
{
    return (resources){{
        [RESOURCE_BLOCKS] = capacity->blocks,
        [RESOURCE_THREADS] = capacity->threads,
        [RESOURCE_WARPS] = capacity->warps,
        [RESOURCE_REGISTERS] = capacity->registers,
        [RESOURCE_SCRATCHPAD] = capacity->scratchpad_bytes,
    }};
}

resources resources_of_block(const hd_grid *grid, uint32_t has_transactions, const hd_core_capacity *capacity)
{
    uint64_t warps = warps_of(grid, capacity->lanes);
    return (resources){{
        [RESOURCE_BLOCKS] = 1,
        [RESOURCE_THREADS] = threads_of(grid),
        [RESOURCE_WARPS] = warps,
        [RESOURCE_REGISTERS] = product(product(warps, capacity->lanes), capacity->registers_per_thread),
        [RESOURCE_SCRATCHPAD] =
            hd_scratchpad_taken(&capacity->scratchpad_rows, grid->scratchpad_bytes, has_transactions),
    }};
}

uint64_t resources_private_bytes(const hd_grid *grid, const hd_core_capacity *capacity)
{
    return product(product(warps_of(grid, capacity->lanes), capacity->lanes), grid->private_bytes);
}

uint64_t resources_context_bytes(const hd_grid *grid, const hd_core_capacity *capacity)
{
    const uint64_t registers = product(product(threads_of(grid), capacity->registers_per_thread), 4);
    return registers > UINT64_MAX - grid->scratchpad_bytes ? UINT64_MAX : registers + grid->scratchpad_bytes;
}

uint32_t resources_lacking(const resources *available, const resources *need)
{
    uint32_t i = 0;
    while (i < RESOURCE_COUNT && need->amount[i] <= available->amount[i])
        i++;
    return i;
}

void resources_take(resources *available, const resources *need)
{
    for (uint32_t i = 0; i < RESOURCE_COUNT; i++)
        available->amount[i] -= need->amount[i];
}

void resources_give(resources *available, const resources *need)
{
    for (uint32_t i = 0; i < RESOURCE_COUNT; i++)
        available->amount[i] += need->amount[i];
}
