/* SPDX-License-Identifier: MIT */
#include "program_checks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "deadlock.h"
#include "elf_file.h"
#include "hd_address.h"
#include "program.h"
#include "rewrite.h"
#include "ssde.h"

static void require_one_line(const char *text)
{
    fuzz_require(*text && elf_is_line(text), "%s", text);
}

/* Where lanes meet again is code, wherever they part. */
static void require_meeting_point(const isa_program *program, uint32_t at)
{
    uint32_t pc = isa_program_table(program, isa_reconvergence.name)[isa_program_index(program, at)];
    fuzz_require(pc == ISA_RECONVERGE_AT_RETURN || isa_program_at(program, pc), "0x%08x", pc);
}

static void require_instructions(const isa_program *program)
{
    for (uint32_t offset = 0; offset < program->text_bytes; offset += 4) {
        char text[128];
        uint32_t into, line = 1, pc = program->text_address + offset;
        const isa_instruction *instruction = isa_program_at(program, pc);
        isa_program_symbol_at(program, pc, &into);
        fuzz_require(!isa_program_line(program, pc, &line) || line, "0x%08x", pc);
        isa_program_place(program, pc, text, sizeof text);
        require_one_line(text);
        if (!instruction)
            continue;
        int length = isa_disassemble(instruction, pc, text, sizeof text);
        fuzz_require(length > 0 && (size_t)length < sizeof text, "0x%08x: %d characters", instruction->word, length);
        require_meeting_point(program, pc);
    }
}

static void require_segments(const isa_program *program)
{
    uint64_t end = HD_GLOBAL_BASE;
    uint8_t sum = 0;
    for (uint32_t i = 0; i < program->segment_count; i++) {
        const isa_segment *segment = &program->segments[i];
        fuzz_require(segment->address >= end, "segment %u", i);
        fuzz_require(segment->file_bytes <= segment->memory_bytes, "segment %u", i);
        for (uint32_t byte = 0; byte < segment->file_bytes; byte++)
            sum ^= segment->data[byte];
        end = (uint64_t)segment->address + segment->memory_bytes;
    }
    volatile uint8_t seen = sum; /* the bytes are read */
    (void)seen;
    fuzz_require(end <= UINT64_C(1) << 32, "the last segment");
}

static void require_sections(const isa_program *program)
{
    uint8_t sum = 0;
    for (uint32_t i = 0; i < program->section_count; i++) {
        const isa_section *section = &program->sections[i];
        fuzz_require(section->size && isa_program_section(program, section->name) == section, "section %u", i);
        require_one_line(section->name);
        for (uint32_t byte = 0; byte < section->size; byte++)
            sum ^= section->bytes[byte];
    }
    volatile uint8_t seen = sum; /* the bytes are read */
    (void)seen;
}

static void require_symbols(const isa_program *program)
{
    for (uint32_t i = 0; i < program->symbol_count; i++) {
        uint32_t address;
        fuzz_require(isa_program_symbol(program, program->symbols[i].name, &address), "%s", program->symbols[i].name);
        fuzz_require(!i || program->symbols[i - 1].address <= program->symbols[i].address, "symbol %u", i);
    }
}

/* Whatever is found is code: a branch, and reads and writes. */
static void require_deadlocks(const isa_program *program)
{
    for (uint32_t i = 0; i < 2; i++) {
        const isa_deadlock_options options = {.divergence = i ? ISA_DIVERGENCE_SPLITS : ISA_DIVERGENCE_STACK};
        isa_deadlocks deadlocks;
        fuzz_require(!isa_deadlocks_find(program, &options, &deadlocks), "no memory");
        for (uint32_t k = 0; k < deadlocks.count; k++) {
            const isa_deadlock *found = &deadlocks.found[k];
            fuzz_require(isa_program_at(program, found->branch)->instruction_class == ISA_CLASS_BRANCH, "0x%08x",
                         found->branch);
            fuzz_require(found->read_count && found->write_count && isa_program_at(program, found->side), "0x%08x",
                         found->branch);
            fuzz_require(isa_program_at(program, found->read)->access_bytes &&
                             isa_program_at(program, found->write)->access_bytes,
                         "0x%08x", found->branch);
        }
        isa_deadlocks_free(&deadlocks);
    }
}

/* Something is put in before whatever allows it. */
static int put_in_everywhere(isa_rewrite *rewrite, const isa_program *program, char *error, size_t error_bytes)
{
    static const uint32_t nop = 0x13;
    (void)error, (void)error_bytes;
    for (uint32_t offset = 0; offset < program->text_bytes; offset += 4) {
        const uint32_t pc = program->text_address + offset;
        const isa_instruction *instruction = isa_program_at(program, pc);
        if (!instruction || instruction->flags & ISA_FLAG_RECOVERED)
            continue;
        if (isa_rewrite_insert(rewrite, pc, &nop, 1) || (offset % 64 == 0 && isa_rewrite_add(rewrite, pc + 1, nop)))
            return -1;
    }
    return 0;
}

static const isa_transform everywhere = {.name = "everywhere", .doc = "nothing", .apply = put_in_everywhere};

static void require_sound_change(isa_program *program)
{
    char error[256] = "";
    if (isa_program_transform(program, &everywhere, error, sizeof error)) {
        require_one_line(error);
        return;
    }
    require_segments(program);
    require_symbols(program);
    require_instructions(program);
}

/* Refused, or a program in which switches lead to code. */
static void require_sound_switches(isa_program *program)
{
    const uint32_t *values = isa_program_table(program, isa_ssde_switches.name);
    const uint32_t *lists = isa_program_lists(program, isa_ssde_switches.name);
    for (uint32_t i = 0; i < program->odd_count; i++) {
        const uint32_t pc = program->odd_pcs[i];
        if (pc != isa_ssde_switch(pc & ~UINT32_C(3)))
            continue;
        const uint32_t *record = lists + isa_table_value(program, values, pc);
        fuzz_require(record != lists && record[1], "0x%08x", pc);
        for (uint32_t k = 0; k <= record[1]; k++)
            fuzz_require(isa_program_at(program, k ? record[1 + k] : record[0]) != NULL, "0x%08x", pc);
    }
}

static void require_sound_removal(const void *elf, size_t bytes)
{
    const isa_transform *const removals[] = {&isa_ssde_rewrite, &isa_ssde_virtual};
    for (uint32_t i = 0; i < 2; i++) {
        char error[256] = "";
        isa_program *program = isa_program_load(elf, bytes, error, sizeof error);
        if (isa_program_transform(program, removals[i], error, sizeof error)) {
            require_one_line(error);
        } else {
            require_segments(program);
            require_instructions(program);
            if (i && !isa_program_require(program, &isa_ssde_switches, error, sizeof error))
                require_sound_switches(program);
        }
        isa_program_free(program);
    }
}

void require_sound_program(const void *elf, size_t bytes)
{
    char error[256] = "";
    isa_program *program = isa_program_load(elf, bytes, error, sizeof error);
    if (program) {
        fuzz_require(!*error, "%s", error);
        require_segments(program);
        require_symbols(program);
        require_sections(program);
        require_instructions(program);
        require_deadlocks(program);
        require_sound_removal(elf, bytes);
        require_sound_change(program);
    } else {
        require_one_line(error);
    }
    isa_program_free(program);
}
