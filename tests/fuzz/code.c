/* SPDX-License-Identifier: MIT */
/*
 * Control flow of any code. An input is the index of the word where it is entered (one byte), where further functions
 * start (4 bytes, a bit for each word of the first 32), and the words; the ELF file around them is a good one.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "hd_address.h"
#include "program_checks.h"

#define WORDS_MAX 4096u
#define FUNCTIONS_MAX 32u

typedef struct image {
    Elf32_Ehdr header;
    Elf32_Phdr segment;
    Elf32_Shdr sections[3]; /* none, symbols, names */
    Elf32_Sym symbols[1 + FUNCTIONS_MAX];
    char names[4];
    uint32_t words[];
} image;

static void describe(image *file, uint32_t entry, uint32_t functions, uint32_t count)
{
    uint32_t symbols = 1;
    file->names[1] = 'f';
    for (uint32_t i = 0; i < FUNCTIONS_MAX; i++)
        if (functions >> i & 1)
            file->symbols[symbols++] = (Elf32_Sym){.st_name = 1,
                                                   .st_value = HD_GLOBAL_BASE + 4 * i,
                                                   .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC),
                                                   .st_shndx = SHN_ABS};
    file->header = (Elf32_Ehdr){.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
                                .e_type = ET_EXEC,
                                .e_machine = EM_RISCV,
                                .e_version = EV_CURRENT,
                                .e_entry = HD_GLOBAL_BASE + 4 * entry,
                                .e_phoff = offsetof(image, segment),
                                .e_shoff = offsetof(image, sections),
                                .e_ehsize = sizeof file->header,
                                .e_phentsize = sizeof file->segment,
                                .e_phnum = 1,
                                .e_shentsize = sizeof *file->sections,
                                .e_shnum = 3,
                                .e_shstrndx = 2};
    file->segment = (Elf32_Phdr){.p_type = PT_LOAD,
                                 .p_offset = sizeof *file,
                                 .p_vaddr = HD_GLOBAL_BASE,
                                 .p_filesz = 4 * count,
                                 .p_memsz = 4 * count,
                                 .p_flags = PF_R | PF_X};
    file->sections[1] = (Elf32_Shdr){.sh_type = SHT_SYMTAB,
                                     .sh_offset = offsetof(image, symbols),
                                     .sh_size = symbols * sizeof *file->symbols,
                                     .sh_link = 2,
                                     .sh_entsize = sizeof *file->symbols};
    file->sections[2] =
        (Elf32_Shdr){.sh_type = SHT_STRTAB, .sh_offset = offsetof(image, names), .sh_size = sizeof file->names};
}

void fuzz_one(fuzz_input input)
{
    uint32_t entry = fuzz_number(&input, 1), functions = fuzz_number(&input, 4);
    size_t count = input.left / 4 < WORDS_MAX ? input.left / 4 : WORDS_MAX;
    image *file = calloc(1, sizeof *file + 4 * count);
    if (!file)
        abort();
    describe(file, entry, functions, (uint32_t)count);
    memcpy(file->words, input.bytes, 4 * count);
    require_sound_program(file, sizeof *file + 4 * count);
    free(file);
}
