/* SPDX-License-Identifier: MIT */
#include "harts_program.h"

#include <string.h>

#include "rig.h"

/* ---- A program ------------------------------------------------------------------------------------------------------ */

void harts_program_random(harts_program *program, uint32_t harts, uint64_t *random)
{
    memset(program, 0, sizeof *program);
    program->harts = harts;
    for (uint32_t hart = 0; hart < harts; hart++) {
        program->steps[hart] = PROGRAM_STEPS_MAX;
        for (uint32_t i = 0; i < PROGRAM_STEPS_MAX; i++) {
            const uint64_t bits = kit_random(random);
            program->step[hart][i] =
                (step){.kind = (enum step_kind)(bits % STEP_KINDS),
                       .slot = (uint32_t)(bits >> 8) % PROGRAM_SLOTS,
                       .value = 1 + (uint32_t)(bits >> 16) % (bits % STEP_KINDS == STEP_PAUSE ? 3 : 2000)};
        }
    }
}

/* ---- What it should do ---------------------------------------------------------------------------------------------- */

typedef struct oracle_hart {
    uint64_t cycle;
    uint32_t done; /* instructions of the step under way */
    uint32_t step;
    uint32_t reserved; /* slot + 1 */
    uint64_t result;
} oracle_hart;

typedef struct oracle {
    const harts_program *program;
    const program_costs *costs;
    program_memory *memory;
    oracle_hart harts[PROGRAM_HARTS_MAX];
} oracle;

static void written(oracle *o, uint32_t by, uint32_t slot, uint64_t value)
{
    o->memory->slots[slot] = value;
    for (uint32_t hart = 0; hart < o->program->harts; hart++)
        if (hart != by && o->harts[hart].reserved == slot + 1)
            o->harts[hart].reserved = 0;
}

/* The access of the step; returns its cycles beyond each. */
static uint32_t execute(oracle *o, uint32_t hart, const step *s)
{
    oracle_hart *self = &o->harts[hart];
    const uint64_t old = o->memory->slots[s->slot];
    self->result = old;
    switch (s->kind) {
    case STEP_LOAD: return o->costs->load;
    case STEP_STORE: written(o, hart, s->slot, s->value); return o->costs->store;
    case STEP_ADD: written(o, hart, s->slot, old + s->value); return o->costs->atomic;
    case STEP_SWAP: written(o, hart, s->slot, s->value); return o->costs->atomic;
    case STEP_MAX: written(o, hart, s->slot, old > s->value ? old : s->value); return o->costs->atomic;
    case STEP_RESERVE: self->reserved = s->slot + 1; return o->costs->atomic;
    default:
        self->result = self->reserved != s->slot + 1;
        self->reserved = 0;
        if (!self->result)
            written(o, hart, s->slot, s->value);
        return o->costs->atomic;
    }
}

/* A step is: the value into a register, the access, the result into the log; a pause is instructions that do nothing. */
static void one_instruction(oracle *o, uint32_t hart)
{
    oracle_hart *self = &o->harts[hart];
    const step *s = &o->program->step[hart][self->step];
    const uint32_t is_pause = s->kind == STEP_PAUSE, length = is_pause ? s->value : 3;
    self->cycle += o->costs->each;
    if (!is_pause && self->done == 1)
        self->cycle += execute(o, hart, s);
    if (!is_pause && self->done == 2) {
        self->cycle += o->costs->store;
        o->memory->log[hart][self->step] = s->kind == STEP_STORE ? s->value : self->result;
    }
    if (++self->done < length)
        return;
    self->done = 0;
    self->step++;
}

void harts_program_expect(const harts_program *program, const program_costs *costs, program_memory *memory)
{
    oracle o = {.program = program, .costs = costs, .memory = memory};
    memset(memory, 0, sizeof *memory);
    for (;;) {
        uint32_t next = program->harts;
        for (uint32_t hart = 0; hart < program->harts; hart++)
            if (o.harts[hart].step < program->steps[hart] &&
                (next == program->harts || o.harts[hart].cycle < o.harts[next].cycle))
                next = hart;
        if (next == program->harts)
            return;
        one_instruction(&o, next);
    }
}

/* ---- On a CPU ------------------------------------------------------------------------------------------------------- */

enum { CODE = 0x1000, CODE_EACH = 0x800, SLOTS = 0x4000, LOGS = 0x5000, LOG_EACH = 0x400 };
enum { A0 = 10, TABLE = 12, LOG = 13, OPERAND = 14, RESULT = 15, T0 = 5, T1 = 6 };

static uint32_t of_immediate(uint32_t opcode, uint32_t funct3, uint32_t rd, uint32_t rs1, uint32_t immediate)
{
    return immediate << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}

static uint32_t store_double(uint32_t rs2, uint32_t rs1, uint32_t offset)
{
    return (offset >> 5) << 25 | rs2 << 20 | rs1 << 15 | 3u << 12 | (offset & 31) << 7 | 0x23u;
}

static uint32_t atomic(uint32_t funct5, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return funct5 << 27 | rs2 << 20 | rs1 << 15 | 3u << 12 | rd << 7 | 0x2Fu;
}

/* The address of an atomic access is in a register of its slot's own. */
static uint32_t access_of(const step *s)
{
    const uint32_t address = 20 + s->slot;
    switch (s->kind) {
    case STEP_LOAD: return of_immediate(0x03, 3, RESULT, TABLE, 8 * s->slot);
    case STEP_STORE: return store_double(OPERAND, TABLE, 8 * s->slot);
    case STEP_ADD: return atomic(0, RESULT, address, OPERAND);
    case STEP_SWAP: return atomic(1, RESULT, address, OPERAND);
    case STEP_MAX: return atomic(20, RESULT, address, OPERAND);
    case STEP_RESERVE: return atomic(2, RESULT, address, 0);
    default: return atomic(3, RESULT, address, OPERAND);
    }
}

static void put(kit_block *kit, uint64_t *at, uint32_t word)
{
    kit_debug_write(kit, HD_HOST_RAM_BASE + *at, &word, sizeof word);
    *at += sizeof word;
}

static void put_program(kit_block *kit, const harts_program *program, uint32_t hart)
{
    uint64_t at = CODE + (uint64_t)hart * CODE_EACH;
    for (uint32_t i = 0; i < program->steps[hart]; i++) {
        const step *s = &program->step[hart][i];
        for (uint32_t n = 0; s->kind == STEP_PAUSE && n < s->value; n++)
            put(kit, &at, of_immediate(0x13, 0, 0, 0, 0));
        if (s->kind == STEP_PAUSE)
            continue;
        put(kit, &at, of_immediate(0x13, 0, OPERAND, 0, s->value));
        put(kit, &at, access_of(s));
        put(kit, &at, store_double(s->kind == STEP_STORE ? OPERAND : RESULT, LOG, 8 * i));
    }
    put(kit, &at, 0x6F); /* jumps to itself */
}

/* Where all of them begin: addresses into registers, then each to its own program, all in the same cycle. */
static void put_start(kit_block *kit)
{
    uint64_t at = 0;
    put(kit, &at, 0x17 | T0 << 7);                             /* auipc: here */
    put(kit, &at, 0x37 | TABLE << 7 | SLOTS);                  /* lui */
    put(kit, &at, 0x33 | TABLE << 7 | TABLE << 15 | T0 << 20); /* add */
    put(kit, &at, 0x37 | LOG << 7 | LOGS);
    put(kit, &at, 0x33 | LOG << 7 | LOG << 15 | T0 << 20);
    put(kit, &at, of_immediate(0x13, 1, T1, A0, 10)); /* slli: LOG_EACH */
    put(kit, &at, 0x33 | LOG << 7 | LOG << 15 | T1 << 20);
    for (uint32_t slot = 0; slot < PROGRAM_SLOTS; slot++)
        put(kit, &at, of_immediate(0x13, 0, 20 + slot, TABLE, 8 * slot));
    put(kit, &at, 0x37 | T1 << 7 | CODE);
    put(kit, &at, 0x33 | T0 << 7 | T0 << 15 | T1 << 20);
    put(kit, &at, of_immediate(0x13, 1, T1, A0, 11)); /* slli: CODE_EACH */
    put(kit, &at, 0x33 | T0 << 7 | T0 << 15 | T1 << 20);
    put(kit, &at, of_immediate(0x67, 0, 0, T0, 0)); /* jalr */
}

void harts_program_run(const harts_program *program, const char *const *parameters, program_memory *memory)
{
    static rig rig;
    rig_open(&rig, "count", parameters); /* any: it is written over */
    put_start(rig.kit);
    for (uint32_t hart = 0; hart < program->harts; hart++)
        put_program(rig.kit, program, hart);
    kit_run_until(rig.kit, 5000 * CYCLE);
    kit_debug_read(rig.kit, HD_HOST_RAM_BASE + SLOTS, memory->slots, sizeof memory->slots);
    memset(memory->log, 0, sizeof memory->log);
    for (uint32_t hart = 0; hart < program->harts; hart++)
        kit_debug_read(rig.kit, HD_HOST_RAM_BASE + LOGS + (uint64_t)hart * LOG_EACH, memory->log[hart],
                       sizeof memory->log[hart]);
    rig_close(&rig);
}
