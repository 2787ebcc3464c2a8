/* SPDX-License-Identifier: MIT */
#include "reservations.h"

int isa_may_be_reserved(const isa_instruction *instruction)
{
    switch (instruction->instruction_class) {
    case ISA_CLASS_INT:
    case ISA_CLASS_MUL:
    case ISA_CLASS_DIV:
    case ISA_CLASS_BRANCH:
    case ISA_CLASS_FENCE: return 1;
    case ISA_CLASS_JUMP: return !(instruction->flags & ISA_FLAG_CALL);
    default: return 0;
    }
}

/* How many instructions behind the lr.w its sc.w is; 0: it has none. */
static uint32_t to_store_conditional(const isa_instruction *code, uint32_t count)
{
    for (uint32_t i = 1; i < count && i < ISA_RESERVATION_MAX; i++) {
        if (code[i].operation == ISA_OP_SC_W)
            return i;
        if (!isa_may_be_reserved(&code[i]))
            return 0;
    }
    return 0;
}

void isa_mark_reservations(isa_program *program)
{
    const uint32_t count = program->text_bytes / 4;
    for (uint32_t i = 0; i < count; i++)
        program->instructions[i].flags &= (uint16_t)~ISA_FLAG_RESERVED;
    for (uint32_t i = 0; i < count; i++) {
        isa_instruction *code = program->instructions + i;
        if (code->operation != ISA_OP_LR_W)
            continue;
        for (uint32_t left = to_store_conditional(code, count - i); left; left--)
            code[left].flags |= ISA_FLAG_RESERVED;
    }
}
