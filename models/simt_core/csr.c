/* SPDX-License-Identifier: MIT */
/* Control and status registers: where a thread is in its block and grid, and the counters. docs/isa.md has the numbers. */
#include "core.h"
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

static uint32_t is_transactional(uint32_t csr)
{
    return csr == ISA_CSR_TX_ATTEMPT || csr == ISA_CSR_TX_TIMESTAMP;
}

static int read_csr(void *context, uint32_t csr, uint32_t lane, uint32_t *value)
{
    const csr_reader *reader = context;
    if (is_transactional(csr)) {
        *value = tx_csr(reader->core->tx, reader->path, lane, csr);
        return 0;
    }
    return warp_place_csr(&reader->place, csr, lane, value) ? read_counter(reader, csr, lane, value) : 0;
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
    const register_home home = core_home(core, path);
    csr_reader reader = {.core = core, .path = path, .place = core_warp_place(core, p->warp)};
    isa_lanes *lanes = registers_gather(&core->registers, home, instruction->reads, p->mask);
    const uint32_t is_place = !is_transactional((uint32_t)instruction->immediate & 0xFFF) &&
                              warp_place_read(&reader.place, instruction, lanes, p->mask);
    if (!is_place && isa_csr(instruction, lanes, p->mask, read_csr, write_csr, &reader)) {
        core_fault(core, p->warp, p->pc, p->mask, MISTAKE_CSR, (uint32_t)instruction->immediate & 0xFFF);
        return 0;
    }
    registers_scatter(&core->registers, home, instruction->writes, p->mask);
    return 1;
}
