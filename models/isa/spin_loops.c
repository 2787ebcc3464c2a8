/* SPDX-License-Identifier: MIT */
#include "spin_loops.h"

#include "loading.h"
#include "synchronization.h"

#include <string.h>

int isa_is_backward_branch(const isa_instruction *instruction)
{
    const uint32_t class = instruction->instruction_class;
    const int goes = class == ISA_CLASS_BRANCH || (class == ISA_CLASS_JUMP && !(instruction->flags & ISA_FLAG_CALL));
    return goes && (int32_t)instruction->immediate <= 0;
}

/* The backward branch of the smallest loop around this word of text; the number of words: there is none. */
static uint32_t innermost(const isa_program *program, uint32_t word)
{
    const uint32_t words = program->text_bytes / 4;
    uint32_t found = words, smallest = UINT32_MAX;
    for (uint32_t at = word; at < words; at++) {
        const isa_instruction *instruction = &program->instructions[at];
        if (instruction->operation == ISA_OP_COUNT || !isa_is_backward_branch(instruction))
            continue;
        const uint32_t size = (uint32_t) - (int32_t)instruction->immediate / 4;
        if (at - size <= word && size <= at && size < smallest) {
            found = at;
            smallest = size;
        }
    }
    return found;
}

static int fill_marked(const isa_program *program, uint32_t *values, char *error, size_t error_bytes)
{
    const isa_section *section = isa_program_section(program, ISA_SPIN_SECTION);
    const uint32_t words = program->text_bytes / 4;
    if (section && section->size % 4)
        return isa_fail(error, error_bytes, "damaged: %s has %u bytes, which are no words", ISA_SPIN_SECTION,
                        section->size);
    for (uint32_t at = 0; section && at < section->size; at += 4) {
        char place[128];
        uint32_t pc;
        memcpy(&pc, section->bytes + at, 4);
        if (pc % 4 || !isa_program_at(program, pc))
            return isa_fail(error, error_bytes, "damaged: %s names pc 0x%08x, where there is no code", ISA_SPIN_SECTION,
                            pc);
        const uint32_t branch = innermost(program, (pc - program->text_address) / 4);
        isa_program_place(program, pc, place, sizeof place);
        if (branch == words)
            return isa_fail(error, error_bytes, "damaged: %s says that a loop waits at %s, which is in no loop",
                            ISA_SPIN_SECTION, place);
        values[branch] = 1;
    }
    return 0;
}

static int may_wait(const isa_instruction *instruction)
{
    switch (instruction->operation) {
    case ISA_OP_AMOSWAP_W:
    case ISA_OP_AMOCAS_W:
    case ISA_OP_LR_W: return instruction->writes != 0;
    default: return 0;
    }
}

static void mark_around(const isa_program *program, uint32_t word, uint32_t *values)
{
    const uint32_t branch = innermost(program, word);
    if (branch < program->text_bytes / 4)
        values[branch] = 1;
}

static int fill_static(const isa_program *program, uint32_t *values, char *error, size_t error_bytes)
{
    isa_synchronization record;
    (void)error, (void)error_bytes;
    for (uint32_t word = 0; word < program->text_bytes / 4; word++)
        if (program->instructions[word].operation != ISA_OP_COUNT && may_wait(&program->instructions[word]))
            mark_around(program, word, values);
    for (uint32_t at = 0; isa_synchronization_next(program, &at, &record);) {
        const isa_instruction *access = record.lock ? isa_program_at(program, record.pc) : NULL;
        if (access && access->writes && record.pc % 4 == 0)
            mark_around(program, (record.pc - program->text_address) / 4, values);
    }
    return 0;
}

const isa_analysis isa_spin_marked = {.name = "spin_marked",
                                      .doc = "1: a loop that waits for others goes round here, says its source",
                                      .fill = fill_marked};

const isa_analysis isa_spin_static = {
    .name = "spin_static", .doc = "1: a loop that may wait for others goes round here", .fill = fill_static};
