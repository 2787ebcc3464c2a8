/* SPDX-License-Identifier: MIT */
/* An ELF file in memory, not trusted: every read is checked against its size. Errors are one line each. */
#ifndef ISA_ELF_FILE_H
#define ISA_ELF_FILE_H

#include "loading.h"

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

typedef struct elf_file {
    const uint8_t *bytes;
    size_t size;
    Elf32_Ehdr header;
    Elf32_Shdr symbols; /* sh_size 0 = none */
    Elf32_Shdr strings;
    Elf32_Shdr section_names; /* sh_size 0 = none */
    char *error;
    size_t error_bytes;
} elf_file;

/* Checks the header and that all tables lie within the file, and finds the symbol table. 0 = a RISC-V kernel file. */
int elf_open(elf_file *file, const void *bytes, size_t size, char *error, size_t error_bytes);

/* Program header i. Its file range is checked if it is loadable. */
int elf_program_header(const elf_file *file, uint32_t i, Elf32_Phdr *header);

uint32_t elf_symbol_count(const elf_file *file);

/* Symbol i and its name, which lives as long as the bytes. 0 = done. */
int elf_symbol(const elf_file *file, uint32_t i, Elf32_Sym *symbol, const char **name);

/* Header of section i, and its name, which may be damaged; NULL if it has none. The names have been found. */
const char *elf_section_name(const elf_file *file, uint32_t i, Elf32_Shdr *section);

/* The bytes of the first section of this name that has some, and how many they are; NULL if there is none. */
const uint8_t *elf_section(const elf_file *file, const char *name, size_t *bytes);

/* Has the text no control characters? Names go to the user's terminal. */
int elf_is_line(const char *text);

/* Symbols of the program, whose code is already known (symbols.c). */
int isa_load_symbols(isa_program *program, const elf_file *file);

/* What tells the code of one program from that of others; not where it lies (fingerprint.c). */
void isa_take_fingerprint(isa_program *program);

/* The table of source lines of the program, whose code is already known (lines.c). */
int isa_load_lines(isa_program *program, const elf_file *file);

/* Keeps the sections .heddle.*; refuses those that make no sense (sections.c). */
int isa_load_sections(isa_program *program, const elf_file *file);

/* Writes the error line; always -1. */
int elf_fail(const elf_file *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
