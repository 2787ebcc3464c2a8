/* SPDX-License-Identifier: MIT */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>
#include <unicorn/unicorn.h>

#define MSTATUS_FLOAT_ON UINT32_C(0x6000)

/* mcause of a trap (The RISC-V Instruction Set Manual, volume II) */
#define CAUSE_ILLEGAL 2u
#define CAUSE_LOAD_MISALIGNED 4u
#define CAUSE_STORE_MISALIGNED 6u
#define NO_TRAP UINT32_MAX

struct oracle {
    uc_engine *engine;
    uint8_t *memory; /* the data page */
    uint32_t cause;  /* of the trap of this run; NO_TRAP */
    int numbers[ISA_REGISTER_COUNT];
};

static void note_trap(uc_engine *engine, uint32_t cause, void *context)
{
    ((oracle *)context)->cause = cause;
    uc_emu_stop(engine);
}

static int set_up(oracle *o)
{
    uc_hook hook;
    uint32_t mstatus = MSTATUS_FLOAT_ON;
    for (int i = 0; i < 32; i++) {
        o->numbers[i] = UC_RISCV_REG_X0 + i;
        o->numbers[32 + i] = UC_RISCV_REG_F0 + i;
    }
    if (uc_open(UC_ARCH_RISCV, UC_MODE_RISCV32, &o->engine))
        return -1;
    return uc_mem_map(o->engine, CODE_PAGE, PAGE_BYTES, UC_PROT_ALL) ||
           uc_mem_map_ptr(o->engine, DATA_PAGE, PAGE_BYTES, UC_PROT_READ | UC_PROT_WRITE, o->memory) ||
           uc_reg_write(o->engine, UC_RISCV_REG_MSTATUS, &mstatus) ||
           uc_hook_add(o->engine, &hook, UC_HOOK_INTR, (void *)note_trap, o, 1, 0);
}

oracle *oracle_create(void)
{
    oracle *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->memory = aligned_alloc(PAGE_BYTES, PAGE_BYTES);
    if (o->memory && !set_up(o))
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
    free(o->memory);
    free(o);
}

void oracle_load(oracle *o, const sequence *s)
{
    uint8_t code[PAGE_BYTES] = {0};
    memcpy(code + (sequence_start(s) - CODE_PAGE), s->words, 4 * (size_t)s->count);
    uc_mem_write(o->engine, CODE_PAGE, code, sizeof code);
    uc_ctl_remove_cache(o->engine, CODE_PAGE, CODE_PAGE + PAGE_BYTES);
}

static enum stop stop_of(uc_err error, uint32_t cause, uint32_t pc)
{
    switch (cause) {
    case NO_TRAP: break;
    case CAUSE_ILLEGAL: return STOP_ILLEGAL;
    case CAUSE_LOAD_MISALIGNED:
    case CAUSE_STORE_MISALIGNED: return STOP_DATA;
    default: return STOP_NONE;
    }
    switch (error) {
    case UC_ERR_OK: return pc == CODE_END ? STOP_END : STOP_COUNT;
    case UC_ERR_READ_UNMAPPED:
    case UC_ERR_WRITE_UNMAPPED: return STOP_DATA;
    case UC_ERR_FETCH_UNMAPPED: return STOP_FETCH;
    default: return STOP_NONE;
    }
}

static void set_lane(oracle *o, const sequence *s, uint32_t lane)
{
    uint64_t values[ISA_REGISTER_COUNT];
    void *addresses[ISA_REGISTER_COUNT];
    uint32_t fcsr = s->fcsr[lane];
    for (uint32_t number = 0; number < ISA_REGISTER_COUNT; number++) {
        uint64_t box = number < 32 ? 0 : UINT64_C(0xFFFFFFFF00000000);
        values[number] = box | s->registers[number * s->lanes + lane];
        addresses[number] = &values[number];
    }
    uc_reg_write_batch(o->engine, o->numbers + 1, addresses + 1, ISA_REGISTER_COUNT - 1);
    uc_reg_write(o->engine, UC_RISCV_REG_FCSR, &fcsr);
    memcpy(o->memory, s->memory, PAGE_BYTES);
}

void oracle_run(oracle *o, const sequence *s, uint32_t lane, uint32_t steps, oracle_lane *result)
{
    uint64_t values[ISA_REGISTER_COUNT] = {0};
    void *addresses[ISA_REGISTER_COUNT];
    uint32_t fcsr = 0;
    set_lane(o, s, lane);
    o->cause = NO_TRAP;
    uc_err error = uc_emu_start(o->engine, sequence_start(s), CODE_END, 0, steps);
    for (uint32_t number = 0; number < ISA_REGISTER_COUNT; number++)
        addresses[number] = &values[number];
    uc_reg_read_batch(o->engine, o->numbers, addresses, ISA_REGISTER_COUNT);
    uc_reg_read(o->engine, UC_RISCV_REG_FCSR, &fcsr);
    uc_reg_read(o->engine, UC_RISCV_REG_PC, &result->pc);
    for (uint32_t number = 0; number < ISA_REGISTER_COUNT; number++)
        result->registers[number] = (uint32_t)values[number];
    result->fcsr = (uint8_t)fcsr;
    result->memory = o->memory;
    result->stop = stop_of(error, o->cause, result->pc);
    if (o->cause != NO_TRAP)
        result->pc -= 4; /* Unicorn goes on behind the instruction */
    result->complaint = result->stop == STOP_NONE ? uc_strerror(error)
                        : fcsr > 0xFF             ? "fcsr has more than 8 bits"
                                                  : NULL;
}

int oracle_accepts(oracle *o, uint32_t word)
{
    sequence s = {.lanes = 1, .count = 1, .words = {word}};
    oracle_lane result;
    oracle_load(o, &s);
    oracle_run(o, &s, 0, 1, &result);
    return result.stop != STOP_ILLEGAL;
}
