/* SPDX-License-Identifier: MIT */
/* Control and status registers: where a thread is in its block and grid, and the counters. docs/isa.md has the numbers. */
#include "core.h"

typedef struct csr_reader {
    const simt_core *core;
    const warp_state *warp;
    uint32_t path;
} csr_reader;

static uint32_t component(const uint32_t size[3], uint32_t linear, uint32_t axis)
{
    if (axis == 0)
        return linear % size[0];
    return axis == 1 ? linear / size[0] % size[1] : linear / size[0] / size[1];
}

static int read_counter(const csr_reader *reader, uint32_t csr, uint32_t lane, uint32_t *value)
{
    uint64_t cycles = core_cycle(reader->core);
    switch (csr) {
    case ISA_CSR_CYCLE:
    case ISA_CSR_TIME: *value = (uint32_t)cycles; return 0;
    case ISA_CSR_CYCLE_HIGH:
    case ISA_CSR_TIME_HIGH: *value = (uint32_t)(cycles >> 32); return 0;
    case ISA_CSR_INSTRET: *value = (uint32_t)account_retired(reader->core, reader->path, lane); return 0;
    case ISA_CSR_INSTRET_HIGH: *value = (uint32_t)(account_retired(reader->core, reader->path, lane) >> 32); return 0;
    default: return 1;
    }
}

static int read_csr(void *context, uint32_t csr, uint32_t lane, uint32_t *value)
{
    const csr_reader *reader = context;
    const block_state *block = &reader->core->blocks[reader->warp->block];
    const hd_grid *grid = &block->launch.grid;
    uint32_t linear = reader->warp->index * reader->core->lane_count + lane;
    if (csr >= ISA_CSR_THREAD_X && csr < ISA_CSR_THREAD_X + 3)
        *value = component(grid->block_size, linear, csr - ISA_CSR_THREAD_X);
    else if (csr >= ISA_CSR_BLOCK_X && csr < ISA_CSR_BLOCK_X + 3)
        *value = block->launch.block_index[csr - ISA_CSR_BLOCK_X];
    else if (csr >= ISA_CSR_BLOCK_SIZE_X && csr < ISA_CSR_BLOCK_SIZE_X + 3)
        *value = grid->block_size[csr - ISA_CSR_BLOCK_SIZE_X];
    else if (csr >= ISA_CSR_GRID_SIZE_X && csr < ISA_CSR_GRID_SIZE_X + 3)
        *value = grid->grid_size[csr - ISA_CSR_GRID_SIZE_X];
    else if (csr == ISA_CSR_LANE)
        *value = lane;
    else if (csr == ISA_CSR_WARP)
        *value = reader->warp->index;
    else if (csr == ISA_CSR_CORE)
        *value = reader->core->services->index;
    else if (csr == ISA_CSR_TX_ATTEMPT || csr == ISA_CSR_TX_TIMESTAMP)
        *value = 0;
    else
        return read_counter(reader, csr, lane, value);
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
    csr_reader reader = {.core = core, .warp = &core->warps[p->warp], .path = path};
    if (!isa_csr(instruction, &core->warps[p->warp].lanes, p->mask, read_csr, write_csr, &reader))
        return 1;
    core_fault(core, p->warp, p->pc, p->mask, "illegal access to CSR 0x%03x", (uint32_t)instruction->immediate & 0xFFF);
    return 0;
}
