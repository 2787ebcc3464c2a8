/* SPDX-License-Identifier: MIT */
#include "execute.h"
#include "vector.h"

static const uint32_t no_operand[ISA_MAX_LANES];

static uint32_t divide(uint32_t a, uint32_t b)
{
    if (b == 0)
        return UINT32_MAX;
    if (a == UINT32_C(0x80000000) && b == UINT32_MAX)
        return a;
    return (uint32_t)((int32_t)a / (int32_t)b);
}

static uint32_t remainder_of(uint32_t a, uint32_t b)
{
    if (b == 0)
        return a;
    if (a == UINT32_C(0x80000000) && b == UINT32_MAX)
        return 0;
    return (uint32_t)((int32_t)a % (int32_t)b);
}

/* A negative number shifted right keeps its sign; gcc and clang both define it so. */
#define SHIFT_ARITHMETIC(a, b) ((uint32_t)((int32_t)(a) >> ((b)&31)))

/* An operand and the result may be the same row; no lane looks at another. */
#if defined(__clang__)
#define LANES_ARE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define LANES_ARE_INDEPENDENT _Pragma("GCC ivdep")
#endif

#define EACH_LANE(expression)                                                                                          \
    LANES_ARE_INDEPENDENT                                                                                              \
    for (uint32_t lane = 0; lane < lanes; lane++) {                                                                    \
        const uint32_t a = rs1[lane], b = rs2[lane];                                                                   \
        (void)a, (void)b;                                                                                              \
        result[lane] = (uint32_t)(expression);                                                                         \
    }                                                                                                                  \
    return

/* One operation, both operands in lanes. */
ISA_INLINE void compute(uint32_t operation, uint32_t constant, const uint32_t *rs1, const uint32_t *rs2,
                        uint32_t *result, uint32_t lanes)
{
    switch (operation) {
    case ISA_OP_LUI:
    case ISA_OP_AUIPC:
    case ISA_OP_JAL:
    case ISA_OP_JALR: EACH_LANE(constant);
    case ISA_OP_ADDI: EACH_LANE(a + constant);
    case ISA_OP_SLTI: EACH_LANE((int32_t)a < (int32_t)constant);
    case ISA_OP_SLTIU: EACH_LANE(a < constant);
    case ISA_OP_XORI: EACH_LANE(a ^ constant);
    case ISA_OP_ORI: EACH_LANE(a | constant);
    case ISA_OP_ANDI: EACH_LANE(a & constant);
    case ISA_OP_SLLI: EACH_LANE(a << (constant & 31));
    case ISA_OP_SRLI: EACH_LANE(a >> (constant & 31));
    case ISA_OP_SRAI: EACH_LANE(SHIFT_ARITHMETIC(a, constant));
    case ISA_OP_ADD: EACH_LANE(a + b);
    case ISA_OP_SUB: EACH_LANE(a - b);
    case ISA_OP_SLL: EACH_LANE(a << (b & 31));
    case ISA_OP_SLT: EACH_LANE((int32_t)a < (int32_t)b);
    case ISA_OP_SLTU: EACH_LANE(a < b);
    case ISA_OP_XOR: EACH_LANE(a ^ b);
    case ISA_OP_SRL: EACH_LANE(a >> (b & 31));
    case ISA_OP_SRA: EACH_LANE(SHIFT_ARITHMETIC(a, b));
    case ISA_OP_OR: EACH_LANE(a | b);
    case ISA_OP_AND: EACH_LANE(a & b);
    case ISA_OP_MUL: EACH_LANE(a * b);
    case ISA_OP_MULH: EACH_LANE((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32);
    case ISA_OP_MULHSU: EACH_LANE((uint64_t)((int64_t)(int32_t)a * (int64_t)b) >> 32);
    case ISA_OP_MULHU: EACH_LANE((uint64_t)a * b >> 32);
    case ISA_OP_DIV: EACH_LANE(divide(a, b));
    case ISA_OP_DIVU: EACH_LANE(b ? a / b : UINT32_MAX);
    case ISA_OP_REM: EACH_LANE(remainder_of(a, b));
    default: EACH_LANE(b ? a % b : a); /* remu */
    }
}

static uint32_t constant_operand(const isa_instruction *instruction, uint32_t pc)
{
    switch (instruction->operation) {
    case ISA_OP_AUIPC: return pc + (uint32_t)instruction->immediate;
    case ISA_OP_JAL:
    case ISA_OP_JALR: return pc + 4;
    default: return (uint32_t)instruction->immediate;
    }
}

/* full: all lanes are active, and results need no merging. */
ISA_INLINE void compute_rows(const isa_instruction *instruction, uint32_t pc, uint32_t *registers, uint64_t mask,
                             uint32_t lanes, uint32_t full)
{
    uint32_t result[ISA_MAX_LANES];
    const uint32_t constant = constant_operand(instruction, pc);
    const uint32_t *rs1 = instruction->rs1 == ISA_NO_REGISTER ? no_operand : registers + instruction->rs1 * lanes;
    const uint32_t *rs2 = instruction->rs2 == ISA_NO_REGISTER ? no_operand : registers + instruction->rs2 * lanes;
    uint32_t *rd = registers + instruction->rd * lanes;
    if (full) {
        compute(instruction->operation, constant, rs1, rs2, rd, lanes);
        return;
    }
    compute(instruction->operation, constant, rs1, rs2, result, lanes);
    merge_lanes(rd, result, lanes, mask);
}

ISA_VECTORIZED static void execute_integer(const isa_instruction *instruction, uint32_t pc, isa_lanes *lanes,
                                           uint64_t mask)
{
    if (lanes->lanes == ISA_USUAL_LANES)
        compute_rows(instruction, pc, lanes->registers, mask, ISA_USUAL_LANES, 0);
    else
        compute_rows(instruction, pc, lanes->registers, mask, lanes->lanes, 0);
}

ISA_INLINE uint32_t run_rows(const isa_instruction *first, uint32_t count, uint32_t pc, uint32_t *registers,
                             uint64_t mask, uint32_t lanes, uint32_t full)
{
    uint32_t done = 0;
    for (; done < count && first[done].instruction_class <= ISA_CLASS_DIV; done++) {
        if (first[done].rd != 0)
            compute_rows(&first[done], pc + 4 * done, registers, mask, lanes, full);
    }
    return done;
}

ISA_VECTORIZED static uint32_t execute_run(const isa_instruction *first, uint32_t count, uint32_t pc, isa_lanes *lanes,
                                           uint64_t mask)
{
    if (mask != all_lanes(lanes->lanes))
        return run_rows(first, count, pc, lanes->registers, mask, lanes->lanes, 0);
    if (lanes->lanes == ISA_USUAL_LANES)
        return run_rows(first, count, pc, lanes->registers, mask, ISA_USUAL_LANES, 1);
    if (lanes->lanes == ISA_MAX_LANES)
        return run_rows(first, count, pc, lanes->registers, mask, ISA_MAX_LANES, 1);
    return run_rows(first, count, pc, lanes->registers, mask, lanes->lanes, 1);
}

uint32_t isa_execute_run(const isa_instruction *first, uint32_t count, uint32_t pc, isa_lanes *lanes, uint64_t mask)
{
    return execute_run(first, count, pc, lanes, mask);
}

#define TAKEN_IF(condition)                                                                                            \
    for (uint32_t lane = 0; lane < lanes; lane++) {                                                                    \
        const uint32_t a = rs1[lane], b = rs2[lane];                                                                   \
        taken[lane] = (condition);                                                                                     \
    }                                                                                                                  \
    return

ISA_INLINE void compare(uint32_t operation, const uint32_t *rs1, const uint32_t *rs2, uint8_t *taken, uint32_t lanes)
{
    switch (operation) {
    case ISA_OP_BEQ: TAKEN_IF(a == b);
    case ISA_OP_BNE: TAKEN_IF(a != b);
    case ISA_OP_BLT: TAKEN_IF((int32_t)a < (int32_t)b);
    case ISA_OP_BGE: TAKEN_IF((int32_t)a >= (int32_t)b);
    case ISA_OP_BLTU: TAKEN_IF(a < b);
    default: TAKEN_IF(a >= b); /* bgeu */
    }
}

/* Bit l of the answer = byte l, which is 0 or 1: eight bytes are gathered by one multiplication. */
ISA_INLINE uint64_t gather_bits(const uint8_t *bytes, uint32_t lanes)
{
    uint64_t bits = 0;
    for (uint32_t lane = 0; lane < lanes; lane += 8) {
        uint64_t eight = 0;
        for (uint32_t i = 0; i < 8; i++)
            eight |= (uint64_t)bytes[lane + i] << 8 * i;
        bits |= (eight * UINT64_C(0x0102040810204080) >> 56) << lane;
    }
    return bits;
}

ISA_VECTORIZED static uint64_t branch_taken(const isa_instruction *instruction, const isa_lanes *lanes, uint64_t mask)
{
    uint8_t taken[ISA_MAX_LANES] = {0};
    const uint32_t n = lanes->lanes;
    const uint32_t *rs1 = lanes->registers + instruction->rs1 * n;
    const uint32_t *rs2 = lanes->registers + instruction->rs2 * n;
    if (n == ISA_USUAL_LANES) {
        compare(instruction->operation, rs1, rs2, taken, ISA_USUAL_LANES);
        return gather_bits(taken, ISA_USUAL_LANES) & mask;
    }
    compare(instruction->operation, rs1, rs2, taken, n);
    return gather_bits(taken, n) & mask;
}

uint64_t isa_branch_taken(const isa_instruction *instruction, const isa_lanes *lanes, uint64_t mask)
{
    return branch_taken(instruction, lanes, mask);
}

uint64_t isa_execute(const isa_instruction *instruction, uint32_t pc, isa_lanes *lanes, uint64_t mask)
{
    switch (instruction->instruction_class) {
    case ISA_CLASS_INT:
    case ISA_CLASS_MUL:
    case ISA_CLASS_DIV:
    case ISA_CLASS_JUMP:
    case ISA_CLASS_JUMP_REGISTER:
        if (instruction->rd != 0)
            execute_integer(instruction, pc, lanes, mask);
        return 0;
    case ISA_CLASS_FP:
    case ISA_CLASS_FP_FMA:
    case ISA_CLASS_FP_DIV: return isa_execute_float(instruction, lanes, mask);
    case ISA_CLASS_SPECIAL: isa_execute_special(instruction, lanes, mask); return 0;
    default: return 0;
    }
}
