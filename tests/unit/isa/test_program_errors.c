/* SPDX-License-Identifier: MIT */
#include "assemble.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A good file, to be damaged in one place. */
typedef struct sample {
    uint8_t *bytes;
    size_t size;
    Elf32_Ehdr *header;
    Elf32_Phdr *segment;
} sample;

static sample make_sample(void)
{
    const uint32_t words[] = {NOP_WORD, RETURN_WORD};
    const test_function function = {"kernel", 0};
    sample s;
    s.bytes = make_elf(words, COUNT_OF(words), &function, 1, &s.size);
    s.header = (Elf32_Ehdr *)(void *)s.bytes;
    s.segment = (Elf32_Phdr *)(void *)(s.bytes + sizeof *s.header);
    return s;
}

static void expect_error(sample *s, const char *expected)
{
    char error[256] = "";
    isa_program *program = isa_program_load(s->bytes, s->size, error, sizeof error);
    cr_expect_null(program);
    cr_expect_str_eq(error, expected);
    isa_program_free(program);
    free(s->bytes);
}

Test(program_errors, not_an_elf_file)
{
    sample s = make_sample();
    s.bytes[1] = 'e';
    expect_error(&s, "not an ELF file");
}

Test(program_errors, an_empty_file)
{
    sample s = make_sample();
    s.size = 0;
    expect_error(&s, "not an ELF file");
}

Test(program_errors, truncated_in_the_header)
{
    sample s = make_sample();
    s.size = 18;
    expect_error(&s, "truncated: 18 bytes are less than an ELF header");
}

Test(program_errors, truncated_after_the_machine)
{
    sample s = make_sample();
    s.size = 40;
    expect_error(&s, "truncated: 40 bytes are less than an ELF header");
}

Test(program_errors, another_machine_by_name)
{
    sample s = make_sample();
    s.header->e_machine = EM_X86_64;
    s.header->e_ident[EI_CLASS] = ELFCLASS64;
    expect_error(&s, "code for another machine: 64-bit AMD x86-64, not 32-bit RISC-V");
}

Test(program_errors, another_machine_by_number)
{
    sample s = make_sample();
    s.header->e_machine = 999;
    expect_error(&s, "code for another machine: 32-bit machine number 999, not 32-bit RISC-V");
}

Test(program_errors, sixty_four_bits)
{
    sample s = make_sample();
    s.header->e_ident[EI_CLASS] = ELFCLASS64;
    expect_error(&s, "code for 64-bit RISC-V, not 32-bit: compile with -march=rv32imaf_zicsr -mabi=ilp32f");
}

Test(program_errors, big_endian)
{
    sample s = make_sample();
    s.header->e_ident[EI_DATA] = ELFDATA2MSB;
    s.header->e_machine = EM_RISCV << 8;
    expect_error(&s, "code for big-endian RISC-V, not little-endian");
}

Test(program_errors, an_object_file)
{
    sample s = make_sample();
    s.header->e_type = ET_REL;
    expect_error(&s, "not an executable but an object file: link it");
}

Test(program_errors, a_shared_object)
{
    sample s = make_sample();
    s.header->e_type = ET_DYN;
    expect_error(&s, "not an executable but a shared object or position-independent: link it with -static");
}

Test(program_errors, a_core_dump)
{
    sample s = make_sample();
    s.header->e_type = ET_CORE;
    expect_error(&s, "not an executable but an ELF file of another type");
}

Test(program_errors, compressed_instructions)
{
    sample s = make_sample();
    s.header->e_flags |= EF_RISCV_RVC;
    expect_error(&s, "uses compressed instructions: compile with -march=rv32imaf_zicsr");
}

Test(program_errors, floats_in_double_registers)
{
    sample s = make_sample();
    s.header->e_flags = 4;
    expect_error(&s, "passes double-precision floats in registers: compile with -mabi=ilp32f");
}

Test(program_errors, no_program_headers)
{
    sample s = make_sample();
    s.header->e_phnum = 0;
    expect_error(&s, "no code: the file has no program headers");
}

Test(program_errors, program_headers_of_another_size)
{
    sample s = make_sample();
    s.header->e_phentsize = 56;
    expect_error(&s, "damaged: program headers of 56 bytes");
}

Test(program_errors, program_headers_beyond_the_file)
{
    char expected[100];
    sample s = make_sample();
    s.header->e_phoff = 0xFFFFFFF0;
    snprintf(expected, sizeof expected, "truncated: the program headers end beyond the file's %zu bytes", s.size);
    expect_error(&s, expected);
}

Test(program_errors, section_headers_of_another_size)
{
    sample s = make_sample();
    s.header->e_shentsize = 64;
    expect_error(&s, "damaged: section headers of 64 bytes");
}

Test(program_errors, section_headers_beyond_the_file)
{
    char expected[100];
    sample s = make_sample();
    s.size--;
    snprintf(expected, sizeof expected, "truncated: the section headers end beyond the file's %zu bytes", s.size);
    expect_error(&s, expected);
}

static Elf32_Shdr *section_of(sample *s, uint32_t i)
{
    return (Elf32_Shdr *)(void *)(s->bytes + s->header->e_shoff) + i;
}

Test(program_errors, a_section_beyond_the_file)
{
    char expected[100];
    sample s = make_sample();
    section_of(&s, 2)->sh_size = 0xFFFFFF00;
    snprintf(expected, sizeof expected, "truncated: section 2 ends beyond the file's %zu bytes", s.size);
    expect_error(&s, expected);
}

Test(program_errors, a_symbol_table_without_names)
{
    sample s = make_sample();
    section_of(&s, 1)->sh_link = 3;
    expect_error(&s, "damaged: the symbol table has no names");
}

Test(program_errors, names_without_an_end)
{
    sample s = make_sample();
    section_of(&s, 2)->sh_size--;
    expect_error(&s, "damaged: the names of the symbol table have no end");
}

Test(program_errors, a_symbol_without_a_name)
{
    sample s = make_sample();
    Elf32_Sym *symbol = (Elf32_Sym *)(void *)(s.bytes + section_of(&s, 1)->sh_offset) + 1;
    symbol->st_name = 8;
    expect_error(&s, "damaged: symbol 1 has no name");
}

Test(program_errors, a_symbol_that_a_terminal_would_obey)
{
    sample s = make_sample();
    s.bytes[section_of(&s, 2)->sh_offset + 1] = 0x1B;
    expect_error(&s, "damaged: the name of symbol 1 has control characters");
}

Test(program_errors, a_segment_beyond_the_file)
{
    char expected[100];
    sample s = make_sample();
    s.segment->p_filesz = s.segment->p_memsz = 0x1000;
    snprintf(expected, sizeof expected, "truncated: the segment at 0x10000000 ends beyond the file's %zu bytes",
             s.size);
    expect_error(&s, expected);
}

Test(program_errors, a_segment_with_more_in_the_file_than_in_memory)
{
    sample s = make_sample();
    s.segment->p_memsz = 4;
    expect_error(&s, "damaged: the segment at 0x10000000 has more bytes in the file than in memory");
}

Test(program_errors, a_segment_below_the_global_window)
{
    sample s = make_sample();
    s.segment->p_vaddr = 0x00010000;
    expect_error(&s, "the segment at 0x00010000, 0x8 bytes, is outside the global window 0x10000000..0xffffffff");
}

Test(program_errors, a_segment_beyond_the_global_window)
{
    sample s = make_sample();
    s.segment->p_vaddr = 0xFFFFFFFC;
    expect_error(&s, "the segment at 0xfffffffc, 0x8 bytes, is outside the global window 0x10000000..0xffffffff");
}

Test(program_errors, code_at_an_odd_address)
{
    sample s = make_sample();
    s.segment->p_vaddr = 0x10000002;
    expect_error(&s, "the code at 0x10000002 is not at a multiple of 4");
}

Test(program_errors, no_executable_segment)
{
    sample s = make_sample();
    s.segment->p_flags = PF_R;
    expect_error(&s, "no code: the file has no executable segment");
}

/* The code again as a second segment: the section headers give way. */
static void add_segment(sample *s, uint32_t address)
{
    s->header->e_shnum = 0;
    s->header->e_phnum = 2;
    s->header->e_phoff = s->header->e_shoff;
    Elf32_Phdr *segments = (Elf32_Phdr *)(void *)(s->bytes + s->header->e_shoff);
    segments[0] = segments[1] = *s->segment;
    segments[1].p_vaddr = address;
}

Test(program_errors, overlapping_segments)
{
    sample s = make_sample();
    add_segment(&s, 0x10000004);
    expect_error(&s, "the segments at 0x10000000 (0x8 bytes) and 0x10000004 overlap");
}

Test(program_errors, code_too_far_apart)
{
    sample s = make_sample();
    add_segment(&s, 0xF0000000);
    expect_error(&s, "code from 0x10000000 to 0xf0000007: it may span 0x400000 bytes at most");
}

Test(program, may_have_a_gap_in_its_code)
{
    char error[256] = "";
    sample s = make_sample();
    add_segment(&s, 0x10000010);
    isa_program *program = isa_program_load(s.bytes, s.size, error, sizeof error);
    cr_assert(program, "%s", error);
    cr_expect_eq(program->text_bytes, 24);
    cr_expect_null(isa_program_at(program, TEXT + 8));
    cr_expect_null(isa_program_at(program, TEXT + 12));
    cr_expect_eq(isa_program_at(program, TEXT + 20)->operation, ISA_OP_JALR);
    isa_program_free(program);
    free(s.bytes);
}
