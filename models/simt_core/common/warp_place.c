/* SPDX-License-Identifier: MIT */
#include "warp_place.h"

#include <stdio.h>
#include <string.h>

#include "hd_address.h"
#include "lane_list.h"

#define PLACE_BYTES 768u

uint64_t grid_threads(const hd_grid *grid)
{
    uint64_t plane = (uint64_t)grid->block_size[0] * grid->block_size[1];
    return plane > UINT32_MAX ? plane : plane * grid->block_size[2];
}

void warp_start_registers(isa_lanes *lanes, const hd_grid *grid)
{
    memset(lanes->registers, 0, sizeof(uint32_t) * ISA_REGISTER_COUNT * lanes->lanes);
    memset(lanes->fcsr, 0, lanes->lanes);
    for (uint32_t lane = 0; lane < lanes->lanes; lane++) {
        lanes->registers[2 * lanes->lanes + lane] = HD_PRIVATE_BASE + grid->private_bytes;
        lanes->registers[10 * lanes->lanes + lane] = HD_CONSTANT_BASE;
    }
}

uint32_t warp_thread_index(const warp_place *place, uint32_t lane, uint32_t axis)
{
    const uint32_t *size = place->launch->grid.block_size;
    uint32_t linear = place->warp * place->lanes + lane;
    if (axis == 0)
        return linear % size[0];
    return axis == 1 ? linear / size[0] % size[1] : linear / size[0] / size[1];
}

int warp_place_csr(const warp_place *place, uint32_t csr, uint32_t lane, uint32_t *value)
{
    const hd_grid *grid = &place->launch->grid;
    if (csr >= ISA_CSR_THREAD_X && csr < ISA_CSR_THREAD_X + 3)
        *value = warp_thread_index(place, lane, csr - ISA_CSR_THREAD_X);
    else if (csr >= ISA_CSR_BLOCK_X && csr < ISA_CSR_BLOCK_X + 3)
        *value = place->launch->block_index[csr - ISA_CSR_BLOCK_X];
    else if (csr >= ISA_CSR_BLOCK_SIZE_X && csr < ISA_CSR_BLOCK_SIZE_X + 3)
        *value = grid->block_size[csr - ISA_CSR_BLOCK_SIZE_X];
    else if (csr >= ISA_CSR_GRID_SIZE_X && csr < ISA_CSR_GRID_SIZE_X + 3)
        *value = grid->grid_size[csr - ISA_CSR_GRID_SIZE_X];
    else if (csr == ISA_CSR_LANE)
        *value = lane;
    else if (csr == ISA_CSR_WARP)
        *value = place->warp;
    else if (csr == ISA_CSR_CORE)
        *value = place->services->index;
    else if (csr == ISA_CSR_TX_ATTEMPT || csr == ISA_CSR_TX_TIMESTAMP)
        *value = 0;
    else
        return 1;
    return 0;
}

uint32_t warp_place_read(const warp_place *place, const isa_instruction *instruction, isa_lanes *lanes, uint64_t mask)
{
    const uint32_t csr = (uint32_t)instruction->immediate, columns = place->launch->grid.block_size[0];
    uint32_t value[ISA_MAX_LANES];
    if (instruction->operation != ISA_OP_CSRRS || instruction->rs1 != 0 || instruction->rd == 0 ||
        warp_place_csr(place, csr, 0, &value[0]))
        return 0;
    for (uint32_t lane = 1; lane < place->lanes; lane++) {
        if (csr == ISA_CSR_THREAD_X)
            value[lane] = value[lane - 1] + 1 == columns ? 0 : value[lane - 1] + 1;
        else if (csr == ISA_CSR_LANE || csr == ISA_CSR_THREAD_X + 1 || csr == ISA_CSR_THREAD_X + 2)
            warp_place_csr(place, csr, lane, &value[lane]);
        else
            value[lane] = value[0];
    }
    isa_load_values(instruction, value, lanes, mask);
    return 1;
}

void refused_instruction(const isa_instruction *instruction, uint32_t pc, char *text, size_t bytes)
{
    char disassembly[96];
    isa_disassemble(instruction, pc, disassembly, sizeof disassembly);
    switch (instruction->instruction_class) {
    case ISA_CLASS_ILLEGAL: snprintf(text, bytes, "illegal instruction 0x%08x", instruction->word); break;
    case ISA_CLASS_TRANSACTION:
        snprintf(text, bytes, "'%s', but this machine has no transactional memory: parameter tx of the core is none",
                 disassembly);
        break;
    default: snprintf(text, bytes, "'%s' has no meaning on this machine", disassembly); break;
    }
}

/* "lane 3, thread (3,0,0)" or "lanes 3-5, first thread (3,0,0)" */
static void name_threads(const warp_place *place, uint64_t lanes, char *text, size_t bytes)
{
    char list[LANE_LIST_BYTES];
    uint32_t first = (uint32_t)__builtin_ctzll(lanes), several = (lanes & (lanes - 1)) != 0;
    snprintf(text, bytes, "lane%s %s, %sthread (%u,%u,%u)", several ? "s" : "", lane_list(lanes, list),
             several ? "first " : "", warp_thread_index(place, first, 0), warp_thread_index(place, first, 1),
             warp_thread_index(place, first, 2));
}

/* Two lines: kernel and pc; core, block, warp, lanes and thread. */
static void name_place(const warp_place *place, uint32_t pc, uint64_t lanes, char *text, size_t bytes)
{
    const uint32_t *block = place->launch->block_index;
    uint32_t offset;
    const char *kernel = isa_program_symbol_at(place->program, place->launch->grid.entry_pc, &offset);
    char where[192], threads[LANE_LIST_BYTES + 96];
    isa_program_place(place->program, pc, where, sizeof where);
    name_threads(place, lanes, threads, sizeof threads);
    snprintf(text, bytes, "  kernel %s, pc %s\n  %s, block (%u,%u,%u), warp %u, %s", kernel ? kernel : "?", where,
             place->services->name, block[0], block[1], block[2], place->warp, threads);
}

void warp_place_fault(const warp_place *place, hd_time t, uint32_t pc, uint64_t lanes, const char *what)
{
    char where[PLACE_BYTES];
    name_place(place, pc, lanes, where, sizeof where);
    place->services->fault(place->services->context, t, "%s\n%s", what, where);
}

void warp_place_warn(const warp_place *place, hd_time t, uint32_t pc, uint64_t lanes, const char *what)
{
    char where[PLACE_BYTES];
    name_place(place, pc, lanes, where, sizeof where);
    place->services->log(place->services->context, HD_LOG_WARNING, t, "%s\n%s", what, where);
}
