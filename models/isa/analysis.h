/* SPDX-License-Identifier: MIT */
/*
 * Tables: for each instruction of a program one value, computed by an analysis from the code. A program has those tables that
 * somebody has asked for. A core asks, when it is made, for what its units use (hd_programs.require in hd_extension.h).
 */
#ifndef ISA_ANALYSIS_H
#define ISA_ANALYSIS_H

#include "program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct isa_analysis {
    const char *name; /* of the table: "reconvergence" */
    const char *doc;  /* of a value, for people: "where lanes that part here meet again" */
    uint32_t none;    /* value of an instruction of which there is nothing to say */
    /*
     * values[isa_program_index(program, pc)] of the instructions about which there is something to say; all are `none` before.
     * The program is analysed but for its tables; it stays as it is. 0 = done; -1: error holds one line, and the program is
     * refused.
     */
    int (*fill)(const isa_program *program, uint32_t *values, char *error, size_t error_bytes);
    /* Instead of it, NULL otherwise: values are places in *lists, which the analysis allocates; the program frees it, and also if
     * this fails. */
    int (*fill_lists)(const isa_program *program, uint32_t *values, uint32_t **lists, char *error, size_t error_bytes);
    /* Instead of it, NULL otherwise: from the file `input` too, which is part of what the analysis is. */
    int (*fill_from)(const isa_program *program, const char *input, uint32_t *values, char *error, size_t error_bytes);
    const char *input;
    /* The value of the instruction at pc, of which there is something to say, for people; as snprintf. NULL: as a number. */
    int (*describe)(const isa_program *program, uint32_t pc, char *text, size_t bytes);
} isa_analysis;

/* "reconvergence": of a branch and of a jalr that is no call, the pc at which lanes that part there meet again at the same call
 * depth (immediate post-dominator, control_flow.h), or ISA_RECONVERGE_AT_RETURN, which is also the value of all else. */
extern const isa_analysis isa_reconvergence;

/* "delayed_reconvergence": the same, but for branches behind which lanes of one side may wait in a loop for lanes that wait for them
 * at that point (deadlock.h, ISA_DIVERGENCE_SPLITS), and for those around them: these meet behind what the loop waits for. */
extern const isa_analysis isa_delayed_reconvergence;

/* "commit": of a tx.begin the pc of its tx.commit; of all else 0. Fails if transactions do not pair. Every program has it. */
extern const isa_analysis isa_commits;

/* "likely_convergence": likely_points.h. */

/* Those that any program can have; NULL behind the last. */
extern const isa_analysis *const isa_analyses[];

/* One of isa_analyses; NULL: none has this name. */
const isa_analysis *isa_analysis_named(const char *name);

/* Are they one analysis: the same object, or the same function of the same file? */
int isa_analysis_is(const isa_analysis *analysis, const isa_analysis *other);

/* The program, which is analysed, has this table from now on. 0 = done, or it has it already; -1: error holds one line. */
int isa_program_require(isa_program *program, const isa_analysis *analysis, char *error, size_t error_bytes);

/* Its values, as isa_analysis.fill; NULL: nobody has asked for it. They stay where they are until the program is analysed anew. */
const uint32_t *isa_program_table(const isa_program *program, const char *name);

/* What its values are places in, as isa_analysis.fill_lists; NULL: its analysis makes no lists, or nobody has asked for it. */
const uint32_t *isa_program_lists(const isa_program *program, const char *name);

/* Of the instruction at pc, which is one of the program's. */
static inline uint32_t isa_table_value(const isa_program *program, const uint32_t *values, uint32_t pc)
{
    return values[isa_program_index(program, pc)];
}

#ifdef __cplusplus
}
#endif

#endif
