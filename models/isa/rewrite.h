/* SPDX-License-Identifier: MIT */
/*
 * Transforms: programs are changed while they are loaded, before anybody runs them. What is asked of a rewrite is done when apply
 * returns: until then the program is as it was.
 *
 * No instruction moves but the ones that something is put before: data may hold addresses of code. Such an instruction becomes a
 * jump to a new segment behind the others: what is put in, the instruction itself as it has to read there, and a jump back.
 * Segments, instructions, analysis and tables then are of the new code; symbols keep their addresses, and names, source lines and
 * marks of code in the new segment are those of the instruction that it has been put in for.
 */
#ifndef ISA_REWRITE_H
#define ISA_REWRITE_H

#include "program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct isa_rewrite isa_rewrite;

typedef struct isa_transform {
    const char *name; /* "nops" */
    const char *doc;  /* one line: what it changes, and what for */
    /* The program is analysed; its tables are those that have been asked for so far. 0 = done; -1: error holds one line, and the
     * program is refused. */
    int (*apply)(isa_rewrite *rewrite, const isa_program *program, char *error, size_t error_bytes);
} isa_transform;

/*
 * All of these: 0 = asked for; -1: the error line of the rewrite says why not, and apply has to return -1. pc is of the program as
 * it was, with code there.
 */
/* The instruction at pc becomes this word. */
int isa_rewrite_replace(isa_rewrite *rewrite, uint32_t pc, uint32_t word);
/* Before the instruction at pc, however it is reached, these words are executed; the last ones that are asked for come last.
 * Branches, jumps and auipc among them are not understood: none leads out of the words. Not before the jalr of an auipc and
 * jalr that belong together (ISA_FLAG_RECOVERED). */
int isa_rewrite_insert(isa_rewrite *rewrite, uint32_t pc, const uint32_t *words, uint32_t count);
/* The instruction at pc becomes a jump to these words, which do what it did and whatever else there is to be done: they end in jumps
 * to where it goes on. words[own] stands for it, and keeps its marks. They will stand at isa_rewrite_next, whose value is then that of
 * the next. Nothing else is asked for at this pc. */
int isa_rewrite_detour(isa_rewrite *rewrite, uint32_t pc, const uint32_t *words, uint32_t count, uint32_t own);
/* 0: there is no room. */
uint32_t isa_rewrite_next(isa_rewrite *rewrite);
/* An instruction at pc + 1, + 2 or + 3, where no program has one: no code leads there, but a unit of the core may send lanes. pc:
 * with that number added. Its tables' values are those of isa_analysis.none, unless an analysis knows of it. */
int isa_rewrite_add(isa_rewrite *rewrite, uint32_t pc, uint32_t word);

/* The program, which is annotated, is changed and analysed anew. 0 = done; -1: error holds one line, and the program is of no use
 * but to be freed. */
int isa_program_transform(isa_program *program, const isa_transform *transform, char *error, size_t error_bytes);

#ifdef __cplusplus
}
#endif

#endif
