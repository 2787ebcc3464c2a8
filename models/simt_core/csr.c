/* SPDX-License-Identifier: MIT */
/* Control and status registers: where a thread is in its block and grid, and the counters. docs/isa.md has the numbers. */
#include "core_lanes.h"
#include "tx/tx.h"

typedef struct csr_reader {
    const simt_core *core;
    uint32_t path;
    warp_place place;
} csr_reader;

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

static uint32_t is_counter(uint32_t csr)
{
    switch (csr) {
    case ISA_CSR_CYCLE:
    case ISA_CSR_CYCLE_HIGH:
    case ISA_CSR_TIME:
    case ISA_CSR_TIME_HIGH:
    case ISA_CSR_INSTRET:
    case ISA_CSR_INSTRET_HIGH: return 1;
    default: return 0;
    }
}

static uint32_t is_transactional(uint32_t csr)
{
    return csr == ISA_CSR_TX_ATTEMPT || csr == ISA_CSR_TX_TIMESTAMP;
}

static int read_csr(void *context, uint32_t csr, uint32_t lane, uint32_t *value)
{
    const csr_reader *reader = context;
    if (is_transactional(csr)) {
        *value = tx_csr(reader->core->tx.transactions, reader->path, lane, csr);
        return 0;
    }
    return warp_place_csr(&reader->place, csr, lane, value) ? read_counter(reader, csr, lane, value) : 0;
}

static int write_csr(void *context, uint32_t csr, uint32_t lane, uint32_t value)
{
    (void)context, (void)csr, (void)lane, (void)value;
    return 1;
}

/* What these lanes, all of one warp, ask for. 0: there is no such register. */
static uint32_t read_part(simt_core *core, uint32_t path, home_part part, isa_lanes *lanes)
{
    const isa_instruction *instruction = core->path_states[path].instruction;
    csr_reader reader = {.core = core, .path = path, .place = core_warp_place(core, part.row)};
    if (!is_transactional((uint32_t)instruction->immediate & 0xFFF) &&
        warp_place_read(&reader.place, instruction, lanes, part.lanes))
        return 1;
    return !isa_csr(instruction, lanes, part.lanes, read_csr, write_csr, &reader);
}

uint32_t csr_execute(simt_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    const isa_instruction *instruction = core->path_states[path].instruction;
    const lane_homes homes = core_homes(core, path);
    isa_lanes *lanes = registers_gather(&core->registers, homes, instruction->reads | REGISTERS_FCSR, p->mask);
    if (__builtin_expect(core->repetition.warps != NULL, 0) && is_counter((uint32_t)instruction->immediate & 0xFFF))
        repetition_forget(core, p->warp);
    for (uint64_t left = p->mask; left;) {
        if (read_part(core, path, homes_take(homes, &left), lanes))
            continue;
        core_mistake(core, path, p->mask, HD_DEBUG_FAULT_INSTRUCTION, MISTAKE_CSR,
                     (uint32_t)instruction->immediate & 0xFFF);
        return 0;
    }
    registers_scatter(&core->registers, homes, instruction->writes | REGISTERS_FCSR, p->mask);
    return 1;
}
