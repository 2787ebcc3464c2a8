/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hart_arithmetic.h"
#include "hart_internal.h"

#define A x[operation->rs1]
#define B x[operation->rs2]
#define IMMEDIATE ((uint64_t)(int64_t)operation->immediate)
#define PC (block->pc + operation->offset)

#define RESULT(expression)                                                                                             \
    x[operation->rd] = (uint64_t)(expression);                                                                         \
    break

#define BRANCH_IF(condition)                                                                                           \
    if (condition) {                                                                                                   \
        end->next = PC + IMMEDIATE;                                                                                    \
        end->branch = 1;                                                                                               \
    }                                                                                                                  \
    break

#define LEAVE(how)                                                                                                     \
    do {                                                                                                               \
        end->at = operation;                                                                                           \
        self->undo_count = (size_t)(undo - self->undo);                                                                \
        return how;                                                                                                    \
    } while (0)

#define LOCATE(bytes)                                                                                                  \
    const uint64_t offset = A + IMMEDIATE - ram_base;                                                                  \
    if (offset > ram_bytes - (bytes))                                                                                  \
    LEAVE(HART_RUN_OUTSIDE)

#define LOAD(type, extended)                                                                                           \
    {                                                                                                                  \
        type value;                                                                                                    \
        LOCATE(sizeof value);                                                                                          \
        memcpy(&value, ram + offset, sizeof value);                                                                    \
        RESULT((extended)value);                                                                                       \
    }

#define NOTE(at_offset)                                                                                                \
    do {                                                                                                               \
        if (undo == undo_end)                                                                                          \
            LEAVE(HART_RUN_LOG_FULL);                                                                                  \
        undo->offset = (at_offset);                                                                                    \
        memcpy(&undo->bytes, ram + undo->offset, sizeof undo->bytes);                                                  \
        undo++;                                                                                                        \
    } while (0)

#define STORE(type)                                                                                                    \
    {                                                                                                                  \
        const type value = (type)B;                                                                                    \
        LOCATE(sizeof value);                                                                                          \
        NOTE(offset);                                                                                                  \
        memcpy(ram + offset, &value, sizeof value);                                                                    \
        break;                                                                                                         \
    }

enum hart_run_end hart_execute(hart *self, const hart_block *block, uint32_t count, hart_run_result *end)
{
    uint64_t *const x = self->state.x;
    uint8_t *const ram = self->ram;
    const uint64_t ram_base = self->ram_base, ram_bytes = self->ram_bytes;
    hart_undo *undo = self->undo + self->undo_count;
    const hart_undo *const undo_end = self->undo + self->undo_capacity;
    const hart_operation *operation = block->operations;
    const hart_operation *const last = operation + count;

    for (; operation != last; operation++)
        switch (operation->operation) {
        case ISA_OP_LUI: RESULT(IMMEDIATE);
        case ISA_OP_AUIPC: RESULT(PC + IMMEDIATE);
        case ISA_OP_ADDI: RESULT(A + IMMEDIATE);
        case ISA_OP_SLTI: RESULT(s(A) < s(IMMEDIATE));
        case ISA_OP_SLTIU: RESULT(A < IMMEDIATE);
        case ISA_OP_XORI: RESULT(A ^ IMMEDIATE);
        case ISA_OP_ORI: RESULT(A | IMMEDIATE);
        case ISA_OP_ANDI: RESULT(A & IMMEDIATE);
        case RV64_OP_SLLI: RESULT(A << operation->immediate);
        case RV64_OP_SRLI: RESULT(A >> operation->immediate);
        case RV64_OP_SRAI: RESULT(shift_arithmetic(A, (uint64_t)operation->immediate));
        case RV64_OP_ADDIW: RESULT(word(A + IMMEDIATE));
        case RV64_OP_SLLIW: RESULT(word(A << operation->immediate));
        case RV64_OP_SRLIW: RESULT(word((uint32_t)A >> operation->immediate));
        case RV64_OP_SRAIW: RESULT(shift_word_arithmetic(A, (uint64_t)operation->immediate));
        case ISA_OP_ADD: RESULT(A + B);
        case ISA_OP_SUB: RESULT(A - B);
        case ISA_OP_SLL: RESULT(A << (B & 63));
        case ISA_OP_SLT: RESULT(s(A) < s(B));
        case ISA_OP_SLTU: RESULT(A < B);
        case ISA_OP_XOR: RESULT(A ^ B);
        case ISA_OP_SRL: RESULT(A >> (B & 63));
        case ISA_OP_SRA: RESULT(shift_arithmetic(A, B));
        case ISA_OP_OR: RESULT(A | B);
        case ISA_OP_AND: RESULT(A & B);
        case RV64_OP_ADDW: RESULT(word(A + B));
        case RV64_OP_SUBW: RESULT(word(A - B));
        case RV64_OP_SLLW: RESULT(word(A << (B & 31)));
        case RV64_OP_SRLW: RESULT(word((uint32_t)A >> (B & 31)));
        case RV64_OP_SRAW: RESULT(shift_word_arithmetic(A, B));
        case ISA_OP_MUL: RESULT(A * B);
        case ISA_OP_MULH: RESULT(high_signed(A, B));
        case ISA_OP_MULHSU: RESULT(high_mixed(A, B));
        case ISA_OP_MULHU: RESULT(high_unsigned(A, B));
        case RV64_OP_MULW: RESULT(word(A * B));
        case ISA_OP_DIV: RESULT(divide(A, B));
        case ISA_OP_DIVU: RESULT(B ? A / B : UINT64_MAX);
        case ISA_OP_REM: RESULT(remainder_of(A, B));
        case ISA_OP_REMU: RESULT(B ? A % B : A);
        case RV64_OP_DIVW: RESULT(word(divide(word(A), word(B))));
        case RV64_OP_DIVUW: RESULT(divide_words_unsigned(A, B));
        case RV64_OP_REMW: RESULT(word(remainder_of(word(A), word(B))));
        case RV64_OP_REMUW: RESULT(remainder_of_words_unsigned(A, B));
        case ISA_OP_LB: LOAD(int8_t, int64_t)
        case ISA_OP_LH: LOAD(int16_t, int64_t)
        case ISA_OP_LW: LOAD(int32_t, int64_t)
        case ISA_OP_LBU: LOAD(uint8_t, uint64_t)
        case ISA_OP_LHU: LOAD(uint16_t, uint64_t)
        case RV64_OP_LWU: LOAD(uint32_t, uint64_t)
        case RV64_OP_LD: LOAD(uint64_t, uint64_t)
        case ISA_OP_SB: STORE(uint8_t)
        case ISA_OP_SH: STORE(uint16_t)
        case ISA_OP_SW: STORE(uint32_t)
        case RV64_OP_SD: STORE(uint64_t)
        case ISA_OP_BEQ: BRANCH_IF(A == B);
        case ISA_OP_BNE: BRANCH_IF(A != B);
        case ISA_OP_BLT: BRANCH_IF(s(A) < s(B));
        case ISA_OP_BGE: BRANCH_IF(s(A) >= s(B));
        case ISA_OP_BLTU: BRANCH_IF(A < B);
        case ISA_OP_BGEU: BRANCH_IF(A >= B);
        case ISA_OP_JAL: end->next = PC + IMMEDIATE; RESULT(PC + operation->bytes);
        case ISA_OP_JALR: end->next = (A + IMMEDIATE) & ~UINT64_C(1); RESULT(PC + operation->bytes);
        case ISA_OP_FENCE: break;
        case ISA_OP_LR_W:
        case RV64_OP_LR_D:
        case ISA_OP_SC_W:
        case RV64_OP_SC_D:
        case ISA_OP_AMOSWAP_W:
        case ISA_OP_AMOADD_W:
        case ISA_OP_AMOXOR_W:
        case ISA_OP_AMOAND_W:
        case ISA_OP_AMOOR_W:
        case ISA_OP_AMOMIN_W:
        case ISA_OP_AMOMAX_W:
        case ISA_OP_AMOMINU_W:
        case ISA_OP_AMOMAXU_W:
        case RV64_OP_AMOSWAP_D:
        case RV64_OP_AMOADD_D:
        case RV64_OP_AMOXOR_D:
        case RV64_OP_AMOAND_D:
        case RV64_OP_AMOOR_D:
        case RV64_OP_AMOMIN_D:
        case RV64_OP_AMOMAX_D:
        case RV64_OP_AMOMINU_D:
        case RV64_OP_AMOMAXU_D: {
            const uint32_t bytes = hart_atomic_bytes(operation);
            const uint64_t address = A, offset = address - ram_base;
            end->address = address;
            if (address % bytes || offset > ram_bytes - bytes)
                LEAVE(HART_RUN_ATOMIC_FAULT);
            NOTE(offset);
            if (!hart_atomic(&self->state, operation, address, ram + offset))
                undo--; /* nothing was stored */
            break;
        }
        default: LEAVE(HART_RUN_SYSTEM);
        }
    LEAVE(HART_RUN_DONE);
}
