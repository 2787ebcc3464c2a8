/* SPDX-License-Identifier: MIT */
#include "subject.h"

#include "assemble.h"
#include "float_scalar.h"
#include "hd_message.h"

#include <string.h>

#define UNTOUCHED UINT32_C(0xC5C5C5C5)

typedef struct step {
    subject *run;
    const isa_instruction *instruction;
    uint32_t pc;
    uint64_t mask;
} step;

static int is_nan(uint32_t bits)
{
    return (bits & ~FLOAT_SIGN) > FLOAT_INFINITY;
}

static int is_infinity_by_zero(uint32_t a, uint32_t b)
{
    return ((a & ~FLOAT_SIGN) == FLOAT_INFINITY && !(b & ~FLOAT_SIGN)) ||
           ((b & ~FLOAT_SIGN) == FLOAT_INFINITY && !(a & ~FLOAT_SIGN));
}

int instruction_is_exempt(const isa_instruction *instruction, const isa_lanes *lanes, uint32_t lane)
{
    if (instruction->operation == ISA_OP_FMIN_S || instruction->operation == ISA_OP_FMAX_S) {
        uint32_t a = lanes->registers[instruction->rs1 * lanes->lanes + lane];
        uint32_t b = lanes->registers[instruction->rs2 * lanes->lanes + lane];
        return (is_nan(a) && !(a & FLOAT_QUIET)) || (is_nan(b) && !(b & FLOAT_QUIET));
    }
    if (instruction->instruction_class == ISA_CLASS_FP_FMA && instruction->rs3 != ISA_NO_REGISTER) {
        uint32_t a = lanes->registers[instruction->rs1 * lanes->lanes + lane];
        uint32_t b = lanes->registers[instruction->rs2 * lanes->lanes + lane];
        uint32_t c = lanes->registers[instruction->rs3 * lanes->lanes + lane];
        return is_infinity_by_zero(a, b) && is_nan(c) && c & FLOAT_QUIET;
    }
    return 0;
}

static void stop(subject *run, uint64_t mask, enum stop why)
{
    for (uint64_t left = mask; left; left &= left - 1)
        run->stop[__builtin_ctzll(left)] = why;
}

static void advance(const step *s, uint64_t mask, uint32_t pc)
{
    for (uint64_t left = mask & s->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(left);
        s->run->pc[lane] = pc;
        s->run->steps[lane]++;
    }
}

/* Effective addresses, checked to leave those of inactive lanes alone. */
static void addresses(const step *s, uint32_t address[ISA_MAX_LANES])
{
    for (uint32_t lane = 0; lane < ISA_MAX_LANES; lane++)
        address[lane] = UNTOUCHED;
    isa_addresses(s->instruction, &s->run->lanes, s->mask, address);
    for (uint32_t lane = 0; lane < ISA_MAX_LANES; lane++)
        if (!(s->mask >> lane & 1) && address[lane] != UNTOUCHED)
            s->run->complaint = "isa_addresses wrote the address of an inactive lane";
}

static uint32_t *lane_register(const step *s, uint32_t number, uint32_t lane)
{
    return &s->run->registers[number * s->run->lanes.lanes + lane];
}

static void access_lane(const step *s, uint32_t lane, uint8_t *bytes)
{
    const isa_instruction *instruction = s->instruction;
    uint32_t raw = 0;
    if (instruction->instruction_class == ISA_CLASS_STORE) {
        memcpy(bytes, lane_register(s, instruction->rs2, lane), instruction->access_bytes);
        return;
    }
    memcpy(&raw, bytes, instruction->access_bytes);
    uint32_t value = raw;
    if (instruction->instruction_class == ISA_CLASS_ATOMIC) {
        uint32_t operand = *lane_register(s, instruction->rs2, lane);
        uint32_t result = hd_atomic_apply(isa_atomic_operation(instruction), raw, operand, 0);
        memcpy(bytes, &result, sizeof result);
    } else {
        value = isa_load_value(instruction, raw);
    }
    if (instruction->rd != 0)
        *lane_register(s, instruction->rd, lane) = value;
}

static enum stop fault_of(const step *s, uint32_t address)
{
    uint32_t bytes = s->instruction->access_bytes;
    if (address + bytes > CODE_PAGE && address < CODE_PAGE + PAGE_BYTES)
        return STOP_COUNT;
    if (s->instruction->instruction_class == ISA_CLASS_ATOMIC && address % 4 != 0)
        return STOP_DATA;
    return address - DATA_PAGE <= PAGE_BYTES - bytes ? STOP_NONE : STOP_DATA;
}

static void access_memory(const step *s)
{
    uint32_t address[ISA_MAX_LANES];
    addresses(s, address);
    for (uint64_t left = s->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(left);
        s->run->stop[lane] = fault_of(s, address[lane]);
        if (s->run->stop[lane] != STOP_NONE)
            continue;
        access_lane(s, lane, &s->run->memory[lane][address[lane] - DATA_PAGE]);
        advance(s, UINT64_C(1) << lane, s->pc + 4);
    }
}

static void branch(const step *s)
{
    uint64_t taken = isa_branch_taken(s->instruction, &s->run->lanes, s->mask);
    if (taken & ~s->mask)
        s->run->complaint = "isa_branch_taken names an inactive lane";
    advance(s, taken, s->pc + (uint32_t)s->instruction->immediate);
    advance(s, ~taken, s->pc + 4);
}

static void jump_register(const step *s)
{
    uint32_t address[ISA_MAX_LANES];
    addresses(s, address);
    isa_execute(s->instruction, s->pc, &s->run->lanes, s->mask);
    for (uint64_t left = s->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(left);
        advance(s, UINT64_C(1) << lane, address[lane]);
    }
}

static void compute(const step *s)
{
    uint64_t illegal = isa_execute(s->instruction, s->pc, &s->run->lanes, s->mask);
    if (illegal & ~s->mask)
        s->run->complaint = "isa_execute names an inactive lane";
    stop(s->run, illegal & s->mask, STOP_ILLEGAL);
    advance(s, ~illegal, s->pc + 4);
}

static int no_csr_to_read(void *context, uint32_t csr, uint32_t lane, uint32_t *value)
{
    (void)csr, (void)lane, (void)value;
    ((subject *)context)->complaint = "isa_csr asks the machine for a float CSR";
    return -1;
}

static int no_csr_to_write(void *context, uint32_t csr, uint32_t lane, uint32_t value)
{
    return no_csr_to_read(context, csr, lane, &value);
}

static void access_csr(const step *s)
{
    if (isa_csr(s->instruction, &s->run->lanes, s->mask, no_csr_to_read, no_csr_to_write, s->run))
        stop(s->run, s->mask, STOP_ILLEGAL);
    else
        advance(s, s->mask, s->pc + 4);
}

static void execute(const step *s)
{
    switch (s->instruction->instruction_class) {
    case ISA_CLASS_LOAD:
    case ISA_CLASS_STORE:
    case ISA_CLASS_ATOMIC: access_memory(s); return;
    case ISA_CLASS_BRANCH: branch(s); return;
    case ISA_CLASS_JUMP:
        isa_execute(s->instruction, s->pc, &s->run->lanes, s->mask);
        advance(s, s->mask, s->pc + (uint32_t)s->instruction->immediate);
        return;
    case ISA_CLASS_JUMP_REGISTER: jump_register(s); return;
    case ISA_CLASS_CSR: access_csr(s); return;
    case ISA_CLASS_FENCE: advance(s, s->mask, s->pc + 4); return;
    case ISA_CLASS_ILLEGAL: stop(s->run, s->mask, STOP_ILLEGAL); return;
    default: compute(s); return;
    }
}

static uint32_t word_at(const sequence *s, uint32_t pc)
{
    uint32_t index = (pc - sequence_start(s)) / 4;
    return pc % 4 == 0 && pc >= sequence_start(s) && pc < CODE_END ? s->words[index] : 0;
}

static uint64_t exempt_lanes(const step *s)
{
    uint64_t exempt = 0;
    for (uint64_t left = s->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(left);
        exempt |= (uint64_t)instruction_is_exempt(s->instruction, &s->run->lanes, lane) << lane;
    }
    return exempt;
}

/* Stops lanes that need no instruction any more. Returns the lanes at the lowest pc of those that do. */
static uint64_t next_lanes(subject *run, uint64_t mask, uint32_t steps, uint32_t *pc)
{
    uint64_t next = 0;
    *pc = UINT32_MAX;
    for (uint64_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(left);
        if (run->stop[lane] == STOP_NONE && run->pc[lane] == CODE_END)
            run->stop[lane] = STOP_END;
        if (run->stop[lane] == STOP_NONE && run->pc[lane] - CODE_PAGE >= PAGE_BYTES)
            run->stop[lane] = STOP_FETCH;
        if (run->stop[lane] == STOP_NONE && run->steps[lane] == steps)
            run->stop[lane] = STOP_COUNT;
        if (run->stop[lane] != STOP_NONE || run->pc[lane] > *pc)
            continue;
        if (run->pc[lane] < *pc)
            next = 0;
        *pc = run->pc[lane];
        next |= UINT64_C(1) << lane;
    }
    return next;
}

static void start(subject *run, const sequence *s)
{
    memset(run->registers, 0xC5, sizeof run->registers);
    memset(run->fcsr, 0xC5, sizeof run->fcsr);
    run->lanes = (isa_lanes){.registers = run->registers, .fcsr = run->fcsr, .lanes = s->lanes};
    run->complaint = NULL;
    memcpy(run->registers, s->registers, sizeof *s->registers * ISA_REGISTER_COUNT * s->lanes);
    memcpy(run->fcsr, s->fcsr, s->lanes);
    for (uint32_t lane = 0; lane < ISA_MAX_LANES; lane++) {
        run->pc[lane] = sequence_start(s);
        run->stop[lane] = STOP_NONE;
        run->steps[lane] = 0;
        memcpy(run->memory[lane], s->memory, PAGE_BYTES);
    }
}

/* Nothing may happen beyond the lanes there are. */
static void check_bounds(subject *run)
{
    for (uint32_t i = ISA_REGISTER_COUNT * run->lanes.lanes; i < ISA_REGISTER_COUNT * ISA_MAX_LANES; i++)
        if (run->registers[i] != UNTOUCHED)
            run->complaint = "a register of a lane that does not exist was written";
    for (uint32_t lane = run->lanes.lanes; lane < ISA_MAX_LANES; lane++)
        if (run->fcsr[lane] != (uint8_t)UNTOUCHED)
            run->complaint = "the fcsr of a lane that does not exist was written";
}

/* All instructions once, for no lanes: what the run changes is seen in the comparison of inactive lanes. */
static void run_for_nobody(subject *run, const sequence *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        isa_instruction instruction = isa_decode(s->words[i]);
        execute(&(step){run, &instruction, sequence_start(s) + 4 * i, 0});
    }
}

static void count(coverage *c, const step *s, const uint8_t before[ISA_MAX_LANES])
{
    const isa_instruction *instruction = s->instruction;
    uint32_t operation = instruction->operation;
    int dynamic = instruction->rounding_mode == ISA_ROUND_DYNAMIC;
    for (uint64_t left = s->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(left);
        uint32_t mode = dynamic ? before[lane] >> 5 : instruction->rounding_mode;
        c->executed[operation]++;
        if (mode <= ISA_ROUND_NEAREST_MAX)
            c->rounded[operation][dynamic][mode]++;
        for (uint32_t flag = 0; flag < 5; flag++)
            c->raised[operation][flag] += (s->run->fcsr[lane] & ~before[lane]) >> flag & 1;
    }
}

static void execute_counted(coverage *c, step *s)
{
    uint8_t before[ISA_MAX_LANES];
    uint64_t exempt = exempt_lanes(s);
    stop(s->run, exempt, STOP_COUNT);
    s->mask &= ~exempt;
    memcpy(before, s->run->fcsr, sizeof before);
    execute(s);
    if (!c)
        return;
    c->exempt += (uint64_t)__builtin_popcountll(exempt);
    count(c, s, before);
}

void subject_run(subject *run, const sequence *s, uint32_t steps, coverage *c)
{
    uint64_t random = s->seed | 1;
    uint32_t pc;
    start(run, s);
    run_for_nobody(run, s);
    for (uint64_t next = next_lanes(run, s->mask, steps, &pc); next; next = next_lanes(run, s->mask, steps, &pc)) {
        isa_instruction instruction = isa_decode(word_at(s, pc));
        uint64_t some = random_below(&random, 4) ? next : next & next_random(&random);
        execute_counted(c, &(step){run, &instruction, pc, some ? some : next});
    }
    check_bounds(run);
}
