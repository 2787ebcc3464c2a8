/* SPDX-License-Identifier: MIT */
/*
 * The parts of the reader of .debug_line: DWARF 2 to 5, 32-bit format (DWARF Debugging Information Format 5, 6.2). The
 * bytes are not trusted. Reading past an end gives zeros and marks the reader as failed.
 */
#ifndef ISA_LINE_TABLE_H
#define ISA_LINE_TABLE_H

#include "elf_file.h"

typedef struct line_reader {
    const uint8_t *at;
    const uint8_t *end;
    int failed;
} line_reader;

typedef struct line_sections {
    line_reader lines;
    line_reader strings;      /* .debug_str */
    line_reader line_strings; /* .debug_line_str */
} line_sections;

/* One unit of the section: its header, and the files that its rows name by number. */
typedef struct line_unit {
    uint32_t version;
    uint32_t instruction_bytes; /* minimum_instruction_length */
    int32_t line_base;
    uint32_t line_range;
    uint32_t opcode_base;
    const uint8_t *operand_counts; /* [opcode_base - 1] */
    uint32_t first_file;           /* number of files[0]: 0 in DWARF 5, else 1 */
    uint32_t file_count;
    uint32_t *files;     /* indices into the program's source_files */
    line_reader program; /* the opcodes */
} line_unit;

uint64_t read_number(line_reader *reader, uint32_t bytes); /* little-endian, 1..8 bytes */
uint64_t read_unsigned(line_reader *reader);               /* LEB128 */
int64_t read_signed(line_reader *reader);
const char *read_text(line_reader *reader); /* "" if it has no end */
line_reader read_part(line_reader *reader, uint64_t bytes);

/* The header of the unit that `reader` spans, from its version on; adds its files to the program. 0 = done. unit->files
 * is to be freed in any case. */
int read_line_header(line_unit *unit, line_reader reader, const line_sections *sections, isa_program *program);

#endif
