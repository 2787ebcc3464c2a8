/* SPDX-License-Identifier: MIT */
/* Loads of words that others may be writing, which the source says on purpose: firmware/include/simt.h records their pcs. */
#include "loading.h"

#include <string.h>

#define SECTION ".heddle.relaxed"

int isa_mark_relaxed(isa_program *program, char *error, size_t error_bytes)
{
    const isa_section *section = isa_program_section(program, SECTION);
    uint32_t pc;
    if (!section)
        return 0;
    if (section->size % sizeof pc)
        return isa_fail(error, error_bytes, "damaged: %s has %u bytes, which are no records of %zu", SECTION,
                        section->size, sizeof pc);
    for (size_t at = 0; at < section->size; at += sizeof pc) {
        memcpy(&pc, section->bytes + at, sizeof pc);
        isa_instruction *instruction = (isa_instruction *)isa_program_at(program, pc); /* the program is ours */
        if (!instruction || instruction->instruction_class != ISA_CLASS_LOAD)
            return isa_fail(error, error_bytes, "damaged: %s names 0x%08x, where there is no load", SECTION, pc);
        instruction->flags |= ISA_FLAG_LOAD_RELAXED;
    }
    return 0;
}
