/* SPDX-License-Identifier: MIT */
#include "kernel_image.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

extern const uint8_t __kernels_begin[], __kernels_end[];

static const Elf32_Shdr *symbol_section(const Elf32_Ehdr *file)
{
    const Elf32_Shdr *sections = (const Elf32_Shdr *)(__kernels_begin + file->e_shoff);
    for (uint32_t i = 0; i < file->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB)
            return &sections[i];
    return NULL;
}

static void open_segments(isa_program *program, const Elf32_Ehdr *file)
{
    const Elf32_Phdr *headers = (const Elf32_Phdr *)(__kernels_begin + file->e_phoff);
    program->segments = calloc(file->e_phnum + 1u, sizeof *program->segments);
    for (uint32_t i = 0; program->segments && i < file->e_phnum; i++) {
        if (headers[i].p_type != PT_LOAD)
            continue;
        program->segments[program->segment_count++] = (isa_segment){
            .address = headers[i].p_vaddr,
            .memory_bytes = headers[i].p_memsz,
            .file_bytes = headers[i].p_filesz,
            .data = __kernels_begin + headers[i].p_offset,
        };
    }
}

static void open_symbols(isa_program *program, const Elf32_Ehdr *file)
{
    const Elf32_Shdr *table = symbol_section(file);
    if (!table)
        return;
    const Elf32_Shdr *sections = (const Elf32_Shdr *)(__kernels_begin + file->e_shoff);
    const char *names = (const char *)(__kernels_begin + sections[table->sh_link].sh_offset);
    const Elf32_Sym *symbols = (const Elf32_Sym *)(__kernels_begin + table->sh_offset);
    const uint32_t count = table->sh_size / sizeof *symbols;
    program->symbols = calloc(count + 1u, sizeof *program->symbols);
    for (uint32_t i = 0; program->symbols && i < count; i++) {
        const uint32_t type = ELF32_ST_TYPE(symbols[i].st_info);
        if ((type != STT_FUNC && type != STT_OBJECT) || symbols[i].st_shndx == SHN_UNDEF)
            continue;
        program->symbols[program->symbol_count++] = (isa_symbol){
            .name = names + symbols[i].st_name,
            .address = symbols[i].st_value,
            .bytes = symbols[i].st_size,
            .is_function = type == STT_FUNC,
        };
    }
}

static void open_argument_records(isa_program *program, const Elf32_Ehdr *file)
{
    const Elf32_Shdr *sections = (const Elf32_Shdr *)(__kernels_begin + file->e_shoff);
    const char *names = (const char *)(__kernels_begin + sections[file->e_shstrndx].sh_offset);
    for (uint32_t i = 1; i < file->e_shnum; i++) {
        if (strcmp(names + sections[i].sh_name, ".heddle.arguments"))
            continue;
        program->argument_records = __kernels_begin + sections[i].sh_offset;
        program->argument_record_bytes = sections[i].sh_size;
    }
}

const isa_program *kernel_image_open(void)
{
    static isa_program program;
    const Elf32_Ehdr *file = (const Elf32_Ehdr *)__kernels_begin;
    if (__kernels_end - __kernels_begin < (ptrdiff_t)sizeof *file)
        return NULL;
    open_segments(&program, file);
    open_symbols(&program, file);
    open_argument_records(&program, file);
    return &program;
}
