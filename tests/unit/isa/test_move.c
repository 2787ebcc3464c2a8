/* SPDX-License-Identifier: MIT */
/* Kernel files that are put elsewhere. Whether linkers and this agree is asked in firmware/tests/kernel_checks.sh. */
#include "loading.h"
#include "move.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define BASE 0x10000000u
#define DISTANCE 0x00203000u
#define LUI_A0 0x10000537u /* lui a0, 0x10000 */
#define ADDI_A0 0x01450513u

enum {
    SECTION_NONE,
    SECTION_TEXT,
    SECTION_RELA,
    SECTION_NOTE,
    SECTION_NOTE_RELA,
    SECTION_SYMBOLS,
    SECTION_NAMES,
    SECTIONS
};
enum { SYMBOL_NONE, SYMBOL_DATA, SYMBOL_FIXED, SYMBOLS };
#define RELOCATIONS 6

/* Two instructions that make the address of the last word of the code, that word, and a word of another section; all of
 * them addresses. */
typedef struct test_file {
    Elf32_Ehdr header;
    Elf32_Phdr segment;
    uint32_t text[6];
    uint32_t note;
    Elf32_Rela relocations[RELOCATIONS];
    Elf32_Rela of_note;
    Elf32_Sym symbols[SYMBOLS];
    char names[16];
    Elf32_Shdr sections[SECTIONS];
} test_file;

static Elf32_Rela relocation(uint32_t offset, uint32_t symbol, uint32_t type)
{
    return (Elf32_Rela){.r_offset = offset, .r_info = ELF32_R_INFO(symbol, type)};
}

static Elf32_Shdr section(uint32_t type, uint32_t flags, uint32_t address, size_t offset, size_t bytes)
{
    return (Elf32_Shdr){.sh_type = type,
                        .sh_flags = flags,
                        .sh_addr = address,
                        .sh_offset = (uint32_t)offset,
                        .sh_size = (uint32_t)bytes};
}

static test_file make_file(void)
{
    test_file file = {.header = {.e_ident = {0x7F, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
                                 .e_type = ET_EXEC,
                                 .e_machine = EM_RISCV,
                                 .e_version = EV_CURRENT,
                                 .e_entry = BASE,
                                 .e_phoff = offsetof(test_file, segment),
                                 .e_shoff = offsetof(test_file, sections),
                                 .e_flags = 2, /* single-float */
                                 .e_ehsize = sizeof(Elf32_Ehdr),
                                 .e_phentsize = sizeof(Elf32_Phdr),
                                 .e_phnum = 1,
                                 .e_shentsize = sizeof(Elf32_Shdr),
                                 .e_shnum = SECTIONS},
                      .segment = {.p_type = PT_LOAD,
                                  .p_offset = offsetof(test_file, text),
                                  .p_vaddr = BASE,
                                  .p_filesz = sizeof file.text,
                                  .p_memsz = sizeof file.text,
                                  .p_flags = PF_R | PF_X},
                      .text = {LUI_A0, ADDI_A0, 0x00008067, BASE + 20, 0x01000000, 7},
                      .note = BASE + 20};
    file.relocations[0] = relocation(BASE, SYMBOL_DATA, R_RISCV_HI20);
    file.relocations[1] = relocation(BASE + 4, SYMBOL_DATA, R_RISCV_LO12_I);
    file.relocations[2] = relocation(BASE + 12, SYMBOL_DATA, R_RISCV_32);
    file.relocations[3] = relocation(BASE + 16, SYMBOL_FIXED, R_RISCV_32);
    file.relocations[4] = relocation(BASE + 8, SYMBOL_DATA, R_RISCV_JAL);
    file.relocations[5] = relocation(BASE, SYMBOL_NONE, R_RISCV_RELAX);
    file.of_note = relocation(0, SYMBOL_DATA, R_RISCV_32);
    memcpy(file.names, "\0data\0fixed", 12);
    file.symbols[SYMBOL_DATA] = (Elf32_Sym){.st_name = 1,
                                            .st_value = BASE + 20,
                                            .st_size = 4,
                                            .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_OBJECT),
                                            .st_shndx = SECTION_TEXT};
    file.symbols[SYMBOL_FIXED] = (Elf32_Sym){.st_name = 6, .st_value = 0x01000000, .st_shndx = SHN_ABS};
    file.sections[SECTION_TEXT] =
        section(SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, BASE, offsetof(test_file, text), sizeof file.text);
    file.sections[SECTION_NOTE] = section(SHT_PROGBITS, 0, 0, offsetof(test_file, note), sizeof file.note);
    file.sections[SECTION_RELA] = section(SHT_RELA, 0, 0, offsetof(test_file, relocations), sizeof file.relocations);
    file.sections[SECTION_RELA].sh_info = SECTION_TEXT;
    file.sections[SECTION_NOTE_RELA] = section(SHT_RELA, 0, 0, offsetof(test_file, of_note), sizeof file.of_note);
    file.sections[SECTION_NOTE_RELA].sh_info = SECTION_NOTE;
    file.sections[SECTION_RELA].sh_entsize = file.sections[SECTION_NOTE_RELA].sh_entsize = sizeof(Elf32_Rela);
    file.sections[SECTION_SYMBOLS] = section(SHT_SYMTAB, 0, 0, offsetof(test_file, symbols), sizeof file.symbols);
    file.sections[SECTION_SYMBOLS].sh_link = SECTION_NAMES;
    file.sections[SECTION_NAMES] = section(SHT_STRTAB, 0, 0, offsetof(test_file, names), sizeof file.names);
    return file;
}

Test(move, addresses_and_nothing_else_move)
{
    char error[256] = "";
    test_file file = make_file();
    cr_assert_eq(isa_move((uint8_t *)&file, sizeof file, DISTANCE, error, sizeof error), 0, "%s", error);
    cr_expect_eq(file.text[0], LUI_A0 + DISTANCE);
    cr_expect_eq(file.text[1], ADDI_A0, "low bits stay");
    cr_expect_eq(file.text[3], BASE + DISTANCE + 20);
    cr_expect_eq(file.text[4], 0x01000000, "a fixed address");
    cr_expect_eq(file.text[5], 7, "no address");
    cr_expect_eq(file.note, BASE + DISTANCE + 20, "what is told of the code");
    cr_expect_eq(file.segment.p_vaddr, BASE + DISTANCE);
    cr_expect_eq(file.header.e_entry, BASE + DISTANCE);
    cr_expect_eq(file.symbols[SYMBOL_DATA].st_value, BASE + DISTANCE + 20);
    cr_expect_eq(file.symbols[SYMBOL_FIXED].st_value, 0x01000000);
    cr_expect_eq(file.sections[SECTION_TEXT].sh_addr, BASE + DISTANCE);
    cr_expect_eq(file.sections[SECTION_NOTE].sh_addr, 0);
}

Test(move, what_has_moved_is_a_program)
{
    char error[256] = "";
    uint32_t address = 0;
    test_file file = make_file();
    cr_assert_eq(isa_move((uint8_t *)&file, sizeof file, DISTANCE, error, sizeof error), 0);
    isa_program *program = isa_program_parse(&file, sizeof file, error, sizeof error);
    cr_assert(program, "%s", error);
    cr_expect_eq(program->text_address, BASE + DISTANCE);
    cr_expect(isa_program_symbol(program, "data", &address));
    cr_expect_eq(address, BASE + DISTANCE + 20);
    isa_program_free(program);
}

static void expect_refusal(test_file file, uint32_t distance, const char *text)
{
    char error[256] = "";
    cr_expect_neq(isa_move((uint8_t *)&file, sizeof file, distance, error, sizeof error), 0);
    cr_expect_str_eq(error, text);
}

Test(move, says_what_cannot_move)
{
    test_file file = make_file();
    expect_refusal(file, 2048, "it cannot be moved by 0x800 bytes: that is not a whole number of pages");
    file.sections[SECTION_RELA].sh_type = file.sections[SECTION_NOTE_RELA].sh_type = SHT_NOTE;
    expect_refusal(file, DISTANCE, "it cannot be moved: it has no relocations: link it with --emit-relocs");
    file = make_file();
    file.relocations[4] = relocation(BASE + 8, SYMBOL_FIXED, R_RISCV_PCREL_HI20);
    expect_refusal(file, DISTANCE,
                   "it cannot be moved: 0x10000008 refers to a fixed address by its distance: compile with "
                   "-mcmodel=medlow");
    file = make_file();
    file.relocations[4] = relocation(BASE + 8, SYMBOL_DATA, R_RISCV_TPREL_HI20);
    expect_refusal(file, DISTANCE, "it cannot be moved: a relocation of type 29 at 0x10000008");
    file.sections[SECTION_TEXT].sh_flags = 0;
    char error[256];
    cr_expect_eq(isa_move((uint8_t *)&file, sizeof file, DISTANCE, error, sizeof error), 0, "it is not loaded");
}

Test(move, says_what_is_damaged)
{
    test_file file = make_file();
    file.relocations[2].r_offset = BASE + 21;
    expect_refusal(file, DISTANCE, "damaged: a relocation at 0x10000015 of nothing");
    file = make_file();
    file.relocations[2] = relocation(BASE + 12, SYMBOLS, R_RISCV_32);
    expect_refusal(file, DISTANCE, "damaged: a relocation at 0x1000000c of nothing");
    file = make_file();
    file.relocations[2].r_offset = BASE - 4;
    expect_refusal(file, DISTANCE, "damaged: a relocation at 0x0ffffffc of nothing");
    file = make_file();
    file.sections[SECTION_RELA].sh_info = SECTIONS;
    expect_refusal(file, DISTANCE, "damaged: relocations of no section");
    file = make_file();
    file.header.e_machine = EM_ARM;
    expect_refusal(file, DISTANCE, "code for another machine: 32-bit ARM, not 32-bit RISC-V");
}
