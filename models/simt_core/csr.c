/* SPDX-License-Identifier: MIT */
/* Control and status registers: where a thread is in its block and grid, and the counters. docs/isa.md has the numbers. */
#include "core.h"

typedef struct csr_reader {
    const simt_core *core;
    const warp_state *warp;
} csr_reader;

static uint32_t component(const uint32_t size[3], uint32_t linear, uint32_t axis)
{
    if (axis == 0)
        return linear % size[0];
    return axis == 1 ? linear / size[0] % size[1] : linear / size[0] / size[1];
}

static int read_counter(const csr_reader *reader, uint32_t csr, uint32_t *value)
{
    uint64_t cycles = reader->core->now.n - reader->core->cycle_base;
    switch (csr) {
    case 0xC00: *value = (uint32_t)cycles; return 0;
    case 0xC80: *value = (uint32_t)(cycles >> 32); return 0;
    case 0xC02: *value = (uint32_t)reader->warp->instructions; return 0;
    case 0xC82: *value = (uint32_t)(reader->warp->instructions >> 32); return 0;
    default: return 1;
    }
}

static int read_csr(void *context, uint32_t csr, uint32_t lane, uint32_t *value)
{
    const csr_reader *reader = context;
    const block_state *block = &reader->core->blocks[reader->warp->block];
    const hd_grid *grid = &block->launch.grid;
    uint32_t linear = reader->warp->index * reader->core->lane_count + lane;
    if (csr >= 0xCC0 && csr <= 0xCC2)
        *value = component(grid->block_size, linear, csr - 0xCC0);
    else if (csr >= 0xCC3 && csr <= 0xCC5)
        *value = block->launch.block_index[csr - 0xCC3];
    else if (csr >= 0xCC6 && csr <= 0xCC8)
        *value = grid->block_size[csr - 0xCC6];
    else if (csr >= 0xCC9 && csr <= 0xCCB)
        *value = grid->grid_size[csr - 0xCC9];
    else if (csr == 0xCCC)
        *value = lane;
    else if (csr == 0xCCD)
        *value = reader->warp->index;
    else if (csr == 0xCCE)
        *value = reader->core->services->index;
    else if (csr == 0xCD0 || csr == 0xCD1)
        *value = 0;
    else
        return read_counter(reader, csr, value);
    return 0;
}

static int write_csr(void *context, uint32_t csr, uint32_t lane, uint32_t value)
{
    (void)context, (void)csr, (void)lane, (void)value;
    return 1;
}

uint32_t csr_execute(simt_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    const isa_instruction *instruction = core->path_states[path].instruction;
    csr_reader reader = {.core = core, .warp = &core->warps[p->warp]};
    if (!isa_csr(instruction, &core->warps[p->warp].lanes, p->mask, read_csr, write_csr, &reader))
        return 1;
    core_fault(core, p->warp, p->pc, p->mask, "illegal access to CSR 0x%03x", (uint32_t)instruction->immediate & 0xFFF);
    return 0;
}
