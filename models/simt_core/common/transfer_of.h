/* SPDX-License-Identifier: MIT */
/* What a control transfer can do with lanes, for path_event.transfer. */
#ifndef SIMT_CORE_TRANSFER_OF_H
#define SIMT_CORE_TRANSFER_OF_H

#include "instruction.h"
#include "path_event.h"

static inline enum path_transfer transfer_of(const isa_instruction *instruction)
{
    switch (instruction->instruction_class) {
    case ISA_CLASS_JUMP: return PATH_TRANSFER_JUMP;
    case ISA_CLASS_BRANCH: return PATH_TRANSFER_BRANCH;
    default: return PATH_TRANSFER_REGISTER;
    }
}

#endif
