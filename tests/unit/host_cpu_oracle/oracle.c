/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <unicorn/unicorn.h>

#include "sequence.h"

#define CAUSE_ILLEGAL 2u
#define CAUSE_LOAD_MISALIGNED 4u
#define CAUSE_STORE_MISALIGNED 6u
#define NO_TRAP UINT32_MAX

struct oracle {
    uc_engine *engine;
    uint8_t *ram;
    uint32_t cause;
};

static void note_trap(uc_engine *engine, uint32_t cause, void *context)
{
    ((oracle *)context)->cause = cause;
    uc_emu_stop(engine);
}

oracle *oracle_create(void)
{
    oracle *o = calloc(1, sizeof *o);
    uc_hook hook;
    if (!o)
        return NULL;
    o->ram = aligned_alloc(PAGE_BYTES, RAM_BYTES);
    if (o->ram && !uc_open(UC_ARCH_RISCV, UC_MODE_RISCV64, &o->engine) &&
        !uc_mem_map_ptr(o->engine, CODE_PAGE, RAM_BYTES, UC_PROT_ALL, o->ram) &&
        !uc_hook_add(o->engine, &hook, UC_HOOK_INTR, (void *)note_trap, o, 1, 0))
        return o;
    oracle_destroy(o);
    return NULL;
}

void oracle_destroy(oracle *o)
{
    if (!o)
        return;
    if (o->engine)
        uc_close(o->engine);
    free(o->ram);
    free(o);
}

static uint32_t stop_of(uc_err error, uint32_t cause)
{
    switch (cause) {
    case NO_TRAP: break;
    case CAUSE_ILLEGAL: return OUTCOME_ILLEGAL;
    case CAUSE_LOAD_MISALIGNED:
    case CAUSE_STORE_MISALIGNED: return OUTCOME_DATA;
    default: return OUTCOME_OTHER;
    }
    switch (error) {
    case UC_ERR_OK: return OUTCOME_COUNT;
    case UC_ERR_READ_UNMAPPED:
    case UC_ERR_WRITE_UNMAPPED: return OUTCOME_DATA;
    case UC_ERR_FETCH_UNMAPPED: return OUTCOME_FETCH;
    default: return OUTCOME_OTHER;
    }
}

void oracle_run(oracle *o, const sequence *s, uint32_t steps, outcome *result)
{
    uint64_t zero = 0;
    memcpy(o->ram, s->ram, RAM_BYTES);
    uc_ctl_remove_cache(o->engine, CODE_PAGE, CODE_PAGE + RAM_BYTES);
    for (int i = 1; i < 32; i++)
        uc_reg_write(o->engine, UC_RISCV_REG_X0 + i, &s->registers[i]);
    uc_reg_write(o->engine, UC_RISCV_REG_MSTATUS, &zero); /* no floats */
    uc_reg_write(o->engine, UC_RISCV_REG_MSCRATCH, &zero);
    uc_reg_write(o->engine, UC_RISCV_REG_MCAUSE, &zero);
    uc_reg_write(o->engine, UC_RISCV_REG_MTVAL, &zero);
    o->cause = NO_TRAP;
    const uc_err error = uc_emu_start(o->engine, CODE_PAGE, UINT64_MAX, 0, steps);
    for (int i = 0; i < 32; i++)
        uc_reg_read(o->engine, UC_RISCV_REG_X0 + i, &result->registers[i]);
    uc_reg_read(o->engine, UC_RISCV_REG_PC, &result->pc);
    memcpy(result->ram, o->ram, RAM_BYTES);
    result->stop = stop_of(error, o->cause);
}
