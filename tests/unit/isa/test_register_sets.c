/* SPDX-License-Identifier: MIT */
/* What an instruction is decoded to read and write, which scoreboards rely on, is what its execution reads and writes. */
#include "assemble.h"

#include <criterion/criterion.h>
#include <string.h>

#define LANES 32u
#define ROUNDS 200u

/* All that models/isa computes from registers, for any instruction. */
typedef struct outcome {
    warp after;
    uint64_t taken;
    uint32_t address[ISA_MAX_LANES];
} outcome;

static int has_address(const isa_instruction *instruction)
{
    switch (instruction->instruction_class) {
    case ISA_CLASS_LOAD:
    case ISA_CLASS_STORE:
    case ISA_CLASS_ATOMIC:
    case ISA_CLASS_JUMP_REGISTER: return 1;
    default: return 0;
    }
}

static int no_csr(void *context, uint32_t csr, uint32_t lane, uint32_t *value)
{
    (void)context, (void)csr, (void)lane, (void)value;
    return -1;
}

static int no_csr_write(void *context, uint32_t csr, uint32_t lane, uint32_t value)
{
    return no_csr(context, csr, lane, &value);
}

static void execute(const isa_instruction *instruction, const warp *before, outcome *o)
{
    memset(o, 0, sizeof *o);
    o->after = *before;
    o->after.lanes.registers = o->after.registers;
    o->after.lanes.fcsr = o->after.fcsr;
    if (has_address(instruction))
        isa_addresses(instruction, &o->after.lanes, UINT32_MAX, o->address);
    if (instruction->instruction_class == ISA_CLASS_BRANCH)
        o->taken = isa_branch_taken(instruction, &o->after.lanes, UINT32_MAX);
    else if (instruction->instruction_class == ISA_CLASS_CSR)
        isa_csr(instruction, &o->after.lanes, UINT32_MAX, no_csr, no_csr_write, NULL);
    else if (instruction->instruction_class == ISA_CLASS_CROSS_LANE)
        isa_cross_lane(instruction, &o->after.lanes, UINT32_MAX);
    else
        isa_execute(instruction, TEXT, &o->after.lanes, UINT32_MAX);
}

/* Registers whose row differs, as a set. */
static uint64_t different_registers(const warp *a, const warp *b)
{
    uint64_t set = 0;
    for (uint32_t number = 0; number < ISA_REGISTER_COUNT; number++)
        set |= (uint64_t)(memcmp(a->registers + number * LANES, b->registers + number * LANES,
                                 LANES * sizeof *a->registers) != 0)
               << number;
    return set;
}

static void randomize(warp *w, uint64_t registers, uint64_t *random)
{
    for (uint32_t number = 1; number < ISA_REGISTER_COUNT; number++)
        for (uint32_t lane = 0; lane < LANES && registers >> number & 1; lane++)
            *warp_register(w, number, lane) = (uint32_t)(next_random(random) >> 32);
}

static isa_instruction random_instruction(uint32_t operation, uint64_t *random)
{
    word_fields fields = {.rd = (uint32_t)(next_random(random) >> 59)};
    fields.rs1 = (uint32_t)(next_random(random) >> 59);
    fields.rs2 = (uint32_t)(next_random(random) >> 59);
    fields.rs3 = (uint32_t)(next_random(random) >> 59);
    fields.rounding = (uint32_t)(next_random(random) >> 32) % 5;
    fields.immediate = isa_encodings[operation].instruction_class == ISA_CLASS_CSR ? ISA_CSR_FCSR : 4;
    return isa_decode(encode((enum isa_operation)operation, fields));
}

static void check(uint32_t operation, uint64_t seed)
{
    static warp before, other;
    static outcome first, second;
    uint64_t random = seed;
    isa_instruction instruction = random_instruction(operation, &random);
    if (instruction.operation != operation)
        return;
    warp_init(&before, LANES);
    randomize(&before, UINT64_MAX, &random);
    other = before;
    other.lanes.registers = other.registers;
    randomize(&other, ~instruction.reads, &random);
    execute(&instruction, &before, &first);
    execute(&instruction, &other, &second);

    uint64_t changed = different_registers(&before, &first.after);
    cr_assert_eq(changed & ~instruction.writes, 0, "%s, seed %lu: changes %lx, writes %lx", isa_mnemonic(operation),
                 (unsigned long)seed, (unsigned long)changed, (unsigned long)instruction.writes);
    uint64_t differing = different_registers(&first.after, &second.after) & changed;
    cr_assert_eq(differing, 0, "%s, seed %lu: %lx depends on more than %lx", isa_mnemonic(operation),
                 (unsigned long)seed, (unsigned long)differing, (unsigned long)instruction.reads);
    cr_assert_eq(first.taken, second.taken, "%s, seed %lu: taken", isa_mnemonic(operation), (unsigned long)seed);
    cr_assert_arr_eq(first.address, second.address, sizeof first.address, "%s, seed %lu: addresses",
                     isa_mnemonic(operation), (unsigned long)seed);
    cr_assert_arr_eq(first.after.fcsr, second.after.fcsr, LANES, "%s, seed %lu: fcsr", isa_mnemonic(operation),
                     (unsigned long)seed);
}

Test(register_sets, name_all_that_an_instruction_reads_and_writes)
{
    for (uint32_t operation = 0; operation < ISA_OP_ILLEGAL; operation++)
        for (uint64_t round = 1; round <= ROUNDS; round++)
            check(operation, operation * ROUNDS + round);
}
