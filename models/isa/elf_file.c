/* SPDX-License-Identifier: MIT */
#include "elf_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FLOAT_ABI_MASK 0x6u
#define FLOAT_ABI_SINGLE 0x2u

int elf_fail(const elf_file *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(file->error, file->error_bytes, format, arguments);
    va_end(arguments);
    return -1;
}

int elf_is_line(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7F)
            return 0;
    return 1;
}

static int within(const elf_file *file, uint64_t offset, uint64_t bytes)
{
    return offset + bytes <= file->size;
}

static const char *machine_name(uint32_t machine, char *number, size_t number_bytes)
{
    switch (machine) {
    case EM_386: return "Intel 80386";
    case EM_X86_64: return "AMD x86-64";
    case EM_ARM: return "ARM";
    case EM_AARCH64: return "AArch64";
    case EM_MIPS: return "MIPS";
    case EM_PPC: return "PowerPC";
    case EM_PPC64: return "PowerPC64";
    case EM_SPARC: return "SPARC";
    case EM_S390: return "IBM S/390";
    case EM_CUDA: return "NVIDIA CUDA";
    case EM_AMDGPU: return "AMD GPU";
    case EM_BPF: return "Linux BPF";
    default: snprintf(number, number_bytes, "machine number %u", machine); return number;
    }
}

static int check_identity(elf_file *file)
{
    char number[32];
    const uint8_t *bytes = file->bytes;
    if (file->size < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return elf_fail(file, "not an ELF file");
    if (file->size < EI_NIDENT + 4)
        return elf_fail(file, "truncated: %zu bytes are less than an ELF header", file->size);
    int big = bytes[EI_DATA] == ELFDATA2MSB;
    uint32_t machine = big ? (uint32_t)bytes[18] << 8 | bytes[19] : (uint32_t)bytes[19] << 8 | bytes[18];
    const char *width = bytes[EI_CLASS] == ELFCLASS64 ? "64-bit" : "32-bit";
    if (machine != EM_RISCV)
        return elf_fail(file, "code for another machine: %s %s, not 32-bit RISC-V", width,
                        machine_name(machine, number, sizeof number));
    if (bytes[EI_CLASS] != ELFCLASS32)
        return elf_fail(file, "code for 64-bit RISC-V, not 32-bit: compile with -march=rv32imaf_zicsr -mabi=ilp32f");
    if (bytes[EI_DATA] != ELFDATA2LSB)
        return elf_fail(file, "code for big-endian RISC-V, not little-endian");
    return 0;
}

static int check_header(elf_file *file)
{
    const Elf32_Ehdr *header = &file->header;
    if (file->size < sizeof *header)
        return elf_fail(file, "truncated: %zu bytes are less than an ELF header", file->size);
    memcpy(&file->header, file->bytes, sizeof *header);
    if (header->e_type != ET_EXEC)
        return elf_fail(file, "not an executable but %s",
                        header->e_type == ET_REL   ? "an object file: link it"
                        : header->e_type == ET_DYN ? "a shared object or position-independent: link it with -static"
                                                   : "an ELF file of another type");
    if (header->e_flags & EF_RISCV_RVC)
        return elf_fail(file, "uses compressed instructions: compile with -march=rv32imaf_zicsr");
    if ((header->e_flags & FLOAT_ABI_MASK) > FLOAT_ABI_SINGLE)
        return elf_fail(file, "passes double-precision floats in registers: compile with -mabi=ilp32f");
    if (header->e_phnum == 0)
        return elf_fail(file, "no code: the file has no program headers");
    if (header->e_phentsize != sizeof(Elf32_Phdr))
        return elf_fail(file, "damaged: program headers of %u bytes", header->e_phentsize);
    if (!within(file, header->e_phoff, (uint64_t)header->e_phnum * sizeof(Elf32_Phdr)))
        return elf_fail(file, "truncated: the program headers end beyond the file's %zu bytes", file->size);
    return 0;
}

static void section_header(const elf_file *file, uint32_t i, Elf32_Shdr *section)
{
    memcpy(section, file->bytes + file->header.e_shoff + (size_t)i * sizeof *section, sizeof *section);
}

static int has_texts(const elf_file *file, const Elf32_Shdr *section)
{
    return section->sh_type == SHT_STRTAB && section->sh_size &&
           file->bytes[section->sh_offset + section->sh_size - 1] == 0;
}

static int check_sections(elf_file *file)
{
    const Elf32_Ehdr *header = &file->header;
    Elf32_Shdr section;
    if (header->e_shnum == 0)
        return 0;
    if (header->e_shentsize != sizeof(Elf32_Shdr))
        return elf_fail(file, "damaged: section headers of %u bytes", header->e_shentsize);
    if (!within(file, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf32_Shdr)))
        return elf_fail(file, "truncated: the section headers end beyond the file's %zu bytes", file->size);
    for (uint32_t i = 0; i < header->e_shnum; i++) {
        section_header(file, i, &section);
        if (section.sh_type != SHT_NULL && section.sh_type != SHT_NOBITS &&
            !within(file, section.sh_offset, section.sh_size))
            return elf_fail(file, "truncated: section %u ends beyond the file's %zu bytes", i, file->size);
        if (section.sh_type == SHT_SYMTAB)
            file->symbols = section;
    }
    if (header->e_shstrndx < header->e_shnum)
        section_header(file, header->e_shstrndx, &file->section_names);
    if (!has_texts(file, &file->section_names))
        file->section_names = (Elf32_Shdr){0};
    if (!file->symbols.sh_size)
        return 0;
    if (file->symbols.sh_link >= header->e_shnum)
        return elf_fail(file, "damaged: the symbol table has no names");
    section_header(file, file->symbols.sh_link, &file->strings);
    if (!has_texts(file, &file->strings))
        return elf_fail(file, "damaged: the names of the symbol table have no end");
    return 0;
}

int elf_open(elf_file *file, const void *bytes, size_t size, char *error, size_t error_bytes)
{
    *file = (elf_file){.bytes = bytes, .size = size, .error = error, .error_bytes = error_bytes};
    if (check_identity(file) || check_header(file))
        return -1;
    return check_sections(file);
}

int elf_program_header(const elf_file *file, uint32_t i, Elf32_Phdr *header)
{
    memcpy(header, file->bytes + file->header.e_phoff + (size_t)i * sizeof *header, sizeof *header);
    if (header->p_type != PT_LOAD)
        return 0;
    if (header->p_filesz > header->p_memsz)
        return elf_fail(file, "damaged: the segment at 0x%08x has more bytes in the file than in memory",
                        header->p_vaddr);
    if (!within(file, header->p_offset, header->p_filesz))
        return elf_fail(file, "truncated: the segment at 0x%08x ends beyond the file's %zu bytes", header->p_vaddr,
                        file->size);
    return 0;
}

uint32_t elf_symbol_count(const elf_file *file)
{
    return (uint32_t)(file->symbols.sh_size / sizeof(Elf32_Sym));
}

int elf_symbol(const elf_file *file, uint32_t i, Elf32_Sym *symbol, const char **name)
{
    memcpy(symbol, file->bytes + file->symbols.sh_offset + (size_t)i * sizeof *symbol, sizeof *symbol);
    if (symbol->st_name >= file->strings.sh_size)
        return elf_fail(file, "damaged: symbol %u has no name", i);
    *name = (const char *)file->bytes + file->strings.sh_offset + symbol->st_name;
    return 0;
}

const char *elf_section_name(const elf_file *file, uint32_t i, Elf32_Shdr *section)
{
    section_header(file, i, section);
    return section->sh_name < file->section_names.sh_size
               ? (const char *)file->bytes + file->section_names.sh_offset + section->sh_name
               : NULL;
}

const uint8_t *elf_section(const elf_file *file, const char *name, size_t *bytes)
{
    for (uint32_t i = 0; file->section_names.sh_size && i < file->header.e_shnum; i++) {
        Elf32_Shdr section;
        const char *found = elf_section_name(file, i, &section);
        if (!found || section.sh_type == SHT_NULL || section.sh_type == SHT_NOBITS || !section.sh_size ||
            strcmp(found, name))
            continue;
        *bytes = section.sh_size;
        return file->bytes + section.sh_offset;
    }
    return NULL;
}
