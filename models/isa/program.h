/* SPDX-License-Identifier: MIT */
/*
 * A kernel file (ELF32, RISC-V), checked, decoded once, and analysed (loading.h). Immutable while blocks run it; any number
 * of them may read it at once.
 */
#ifndef ISA_PROGRAM_H
#define ISA_PROGRAM_H

#include "instruction.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ISA_SEGMENT_EXECUTE 1u
#define ISA_SEGMENT_WRITE 2u
#define ISA_SEGMENT_READ 4u

typedef struct isa_segment {
    uint32_t address; /* in the global window */
    uint32_t file_bytes;
    uint32_t memory_bytes; /* >= file_bytes; the rest is zero */
    const uint8_t *data;   /* file_bytes of them; owned by the program */
    uint32_t flags;        /* ISA_SEGMENT_* */
} isa_segment;

typedef struct isa_symbol {
    const char *name; /* owned by the program */
    uint32_t address;
    uint32_t bytes;
    uint32_t is_function;
} isa_symbol;

/* The source line of the code from this address to the next row's. */
typedef struct isa_line {
    uint32_t address;
    uint32_t file; /* index into source_files */
    uint32_t line; /* 0: not known from here on */
} isa_line;

/* A section .heddle.* of the file, for whoever knows the name: a unit of a core reads what a compiler has said to it. */
typedef struct isa_section {
    const char *name;     /* ".heddle.arguments"; owned by the program */
    const uint8_t *bytes; /* as they are in the file; owned by the program */
    uint32_t size;        /* not 0 */
    uint32_t address;     /* in the global window, if it is loaded; else 0 */
} isa_section;

/* Code that a transform has added, from this address to the next row's, and the pc of the file that it stands for. */
typedef struct isa_origin {
    uint32_t address;
    uint32_t pc;
} isa_origin;

struct isa_analysis;

typedef struct isa_table {
    const struct isa_analysis *analysis; /* that has made it (analysis.h) */
    uint32_t *values;                    /* [isa_program_instructions] */
    uint32_t *lists;                     /* NULL: its analysis makes none */
} isa_table;

typedef struct isa_program {
    uint32_t text_address; /* from the first to past the last word of all executable segments */
    uint32_t text_bytes;
    /* By word of text; words in gaps between executable segments: operation ISA_OP_COUNT. Then those at odd_pcs. */
    isa_instruction *instructions;
    uint32_t entry; /* the file's entry address */
    /* By word of text (control_flow.h); NULL before the program is analysed */
    uint8_t *reachable; /* code that some path from the entry, a function or the target of a call leads to */
    uint8_t *returns;   /* code from which some path leads to the return of this call depth */
    uint32_t segment_count;
    isa_segment *segments; /* by ascending address */
    uint32_t symbol_count;
    isa_symbol *symbols; /* functions and objects with a name, by ascending address, then name */
    uint32_t section_count;
    isa_section *sections; /* in the order of the file; each name once */
    uint32_t table_count;
    isa_table *tables; /* each name once (analysis.h) */
    /* By transforms (rewrite.h) */
    uint32_t odd_count;
    uint32_t *odd_pcs; /* ascending, not multiples of 4: instructions where no program has one */
    uint32_t origin_count;
    isa_origin *origins; /* by ascending address */
    uint32_t added_count;
    void **added; /* bytes of segments that are not in the file */
    uint32_t line_count;
    isa_line *lines; /* by ascending address, each once; none if the file has no line table that can be read */
    uint32_t source_file_count;
    char **source_files;             /* paths as the compiler wrote them; each once */
    const uint8_t *argument_records; /* .heddle.arguments of the file, as they are (heddle_args.h); NULL: none */
    size_t argument_record_bytes;
    uint8_t *file;        /* the program's own copy */
    uint64_t fingerprint; /* of the code in the file, wherever it lies (fingerprint.c) */
} isa_program;

/*
 * Loads a program from the bytes of an ELF file, which may be freed afterwards; it has the tables "reconvergence" and "commit".
 * NULL: error holds one line, without
 * newline, that says what is wrong with the file (not where the file is). Refused: not an ELF file; truncated; 64-bit,
 * big-endian or for another machine (which is named); not an executable; compiled with compressed instructions; a
 * segment outside the global window; overlapping segments; no code; a symbol or a section .heddle.* with
 * control characters in its name; two sections .heddle.* of one name, or one without bytes; a convergent instruction that the
 * compiler copied (docs/isa.md); transactions that do not pair (control_flow.h).
 * Words that encode nothing are no error here: they trap if a thread gets there.
 */
isa_program *isa_program_load(const void *elf, size_t bytes, char *error, size_t error_bytes);

/* NULL is allowed. */
void isa_program_free(isa_program *program);

/* An instruction that a transform has added at a pc that is no multiple of 4; NULL: none. */
const isa_instruction *isa_program_odd(const isa_program *program, uint32_t pc);

/* The instruction at pc, or NULL if there is no code there. Lives as long as the program. */
static inline const isa_instruction *isa_program_at(const isa_program *program, uint32_t pc)
{
    uint32_t offset = pc - program->text_address;
    if (offset >= program->text_bytes)
        return NULL;
    if (offset % 4)
        return isa_program_odd(program, pc);
    const isa_instruction *instruction = &program->instructions[offset / 4];
    return instruction->operation == ISA_OP_COUNT ? NULL : instruction;
}

/* How many instructions there are, those of gaps included. */
static inline uint32_t isa_program_instructions(const isa_program *program)
{
    return program->text_bytes / 4 + program->odd_count;
}

/* Index of the instruction at pc, where there is one, among them. */
static inline uint32_t isa_program_index(const isa_program *program, uint32_t pc)
{
    const uint32_t offset = pc - program->text_address;
    return offset % 4 ? (uint32_t)(isa_program_odd(program, pc) - program->instructions) : offset / 4;
}

/* The pc in the file of what is at pc: another one for code that a transform has added. */
uint32_t isa_program_origin(const isa_program *program, uint32_t pc);

/* NULL: the file has no section of this name, or an empty one. */
const isa_section *isa_program_section(const isa_program *program, const char *name);

/* Address of the symbol with this name; 0 and *address unchanged if there is none, else 1. */
int isa_program_symbol(const isa_program *program, const char *name, uint32_t *address);

/* Name of the function that pc is in (the nearest function symbol at or below it in the code), and how far in; NULL if
 * there is none. */
const char *isa_program_symbol_at(const isa_program *program, uint32_t pc, uint32_t *offset);

/* Path of the source file that pc was compiled from, and *line in it, from 1; NULL if that is not known, which is no
 * error: kernels may be compiled without -g. Of code that was inlined it is the line of the inlined function. */
const char *isa_program_line(const isa_program *program, uint32_t pc, uint32_t *line);

/* "kernel.c:12": file, without its folder, and line that pc was compiled from. 0 and an empty text if not known. */
int isa_program_source(const isa_program *program, uint32_t pc, char *text, size_t bytes);

/* Whether it has a tx.begin with this immediate. */
uint32_t isa_program_has_transactions(const isa_program *program, uint32_t domain);

/* "0x1000004c (bfs+0x4c, kernel.c:12)": pc with as much of function and line as is known, for texts. */
void isa_program_place(const isa_program *program, uint32_t pc, char *text, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
