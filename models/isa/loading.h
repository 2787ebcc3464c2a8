/* SPDX-License-Identifier: MIT */
/*
 * Loading in steps. isa_program_load takes the first two and the last; a machine whose units change programs takes them one by
 * one. Between two steps a program can be read like a loaded one, as far as its members are filled.
 *
 *   parse      the file: segments, instructions, symbols, lines, sections
 *   annotate   what sections .heddle.* say of instructions: convergent ones and named locks are checked, relaxed loads are marked
 *   transform  instructions are replaced and put in (rewrite.h), any number of times; usually never
 *   analyse    code that can be reached and where it goes, checks, tables (analysis.h)
 *
 * A step that fails leaves one line, without newline, in error; the program is then of no use, and is to be freed.
 */
#ifndef ISA_LOADING_H
#define ISA_LOADING_H

#include "program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of text_bytes: far above any kernel; bounds what a damaged file can make us allocate. */
#define ISA_TEXT_MAX_BYTES UINT32_C(0x00400000)

enum isa_step { ISA_STEP_PARSE, ISA_STEP_ANNOTATE, ISA_STEP_TRANSFORM, ISA_STEP_ANALYSE, ISA_STEP_COUNT };

/* "parse" ... "analyse" */
const char *isa_step_name(uint32_t step);

/* NULL: refused; all that isa_program_load says of files but for annotations and transactions. */
isa_program *isa_program_parse(const void *elf, size_t bytes, char *error, size_t error_bytes);

/* Refused: convergent instructions that the compiler has copied; sections that it knows and that are damaged. 0 = done. */
int isa_program_annotate(isa_program *program, char *error, size_t error_bytes);

/*
 * Fills reachable, returns, ISA_FLAG_RECOVERED and ISA_FLAG_RESERVED, checks that transactions pair, and computes all tables that the program has,
 * again if they have been. 0 = done.
 */
int isa_program_analyse(isa_program *program, char *error, size_t error_bytes);

/* Undoes it, but keeps in mind which tables there are. */
void isa_program_forget_analysis(isa_program *program);

/* Writes the error line; always -1. */
int isa_fail(char *error, size_t error_bytes, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- Parts of isa_program_annotate ---------------------------------------------------------------------------------- */

/* Refuses copies of convergent instructions that lanes do not take in turns, and a damaged record of them (convergent.c). 0 = none. */
int isa_check_convergent(isa_program *program, char *error, size_t error_bytes);

/* Marks accesses of which the source says something; refuses a damaged record of them (marked_accesses.c). 0 = done. */
int isa_mark_accesses(isa_program *program, char *error, size_t error_bytes);

/* Refuses a damaged record of what the source says about synchronization (deadlock/synchronization.c). 0 = none. */
int isa_check_synchronization(const isa_program *program, char *error, size_t error_bytes);

#ifdef __cplusplus
}
#endif

#endif
