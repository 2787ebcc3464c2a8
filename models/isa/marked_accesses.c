/* SPDX-License-Identifier: MIT */
/* What the source says of single accesses: firmware/include/simt.h records their pcs, in a section for each thing that is said. */
#include "loading.h"

#include <string.h>

typedef struct mark {
    const char *section, *what;
    uint32_t classes; /* set of enum isa_class */
    uint16_t flag;
} mark;

static const mark marks[] = {
    {".heddle.relaxed", "load", 1u << ISA_CLASS_LOAD, ISA_FLAG_LOAD_RELAXED},
    {".heddle.lock_accesses", "store or atomic", 1u << ISA_CLASS_STORE | 1u << ISA_CLASS_ATOMIC, ISA_FLAG_LOCK},
};

static int mark_accesses(isa_program *program, const mark *mark, char *error, size_t error_bytes)
{
    const isa_section *section = isa_program_section(program, mark->section);
    uint32_t pc;
    if (!section)
        return 0;
    if (section->size % sizeof pc)
        return isa_fail(error, error_bytes, "damaged: %s has %u bytes, which are no records of %zu", mark->section,
                        section->size, sizeof pc);
    for (size_t at = 0; at < section->size; at += sizeof pc) {
        memcpy(&pc, section->bytes + at, sizeof pc);
        isa_instruction *instruction = (isa_instruction *)isa_program_at(program, pc); /* the program is ours */
        if (!instruction || !(mark->classes >> instruction->instruction_class & 1))
            return isa_fail(error, error_bytes, "damaged: %s names 0x%08x, where there is no %s", mark->section, pc,
                            mark->what);
        instruction->flags |= mark->flag;
    }
    return 0;
}

int isa_mark_accesses(isa_program *program, char *error, size_t error_bytes)
{
    int failed = 0;
    for (size_t i = 0; !failed && i < sizeof marks / sizeof *marks; i++)
        failed = mark_accesses(program, &marks[i], error, error_bytes);
    return failed;
}
