/* SPDX-License-Identifier: MIT */
/* Loads of words that others may be writing, which the source says on purpose: firmware/include/simt.h records their pcs. */
#include "elf_file.h"

#include <string.h>

#define SECTION ".heddle.relaxed"

int isa_mark_relaxed(isa_program *program, const elf_file *file)
{
    size_t bytes = 0;
    const uint8_t *records = elf_section(file, SECTION, &bytes);
    uint32_t pc;
    if (bytes % sizeof pc)
        return elf_fail(file, "damaged: %s has %zu bytes, which are no records of %zu", SECTION, bytes, sizeof pc);
    for (size_t at = 0; records && at < bytes; at += sizeof pc) {
        memcpy(&pc, records + at, sizeof pc);
        isa_instruction *instruction = (isa_instruction *)isa_program_at(program, pc); /* the program is ours */
        if (!instruction || instruction->instruction_class != ISA_CLASS_LOAD)
            return elf_fail(file, "damaged: %s names 0x%08x, where there is no load", SECTION, pc);
        instruction->flags |= ISA_FLAG_LOAD_RELAXED;
    }
    return 0;
}
