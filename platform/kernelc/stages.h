/* SPDX-License-Identifier: MIT */
/* The steps from OpenCL C to a kernel file, each of them a program that is started. */
#ifndef KERNELC_STAGES_H
#define KERNELC_STAGES_H

#include "kernelc.h"
#include "kernels.h"
#include "options.h"
#include "text.h"

typedef struct compilation {
    arena *memory;
    const kernelc_input *input;
    build_options options;
    const char *files;  /* opencl_files */
    const char *folder; /* for what is in between */
    ir_kernels kernels;
    hd_text log;
} compilation;

/* Files in the folder. */
#define FILE_SOURCE "program.cl"
#define FILE_INPUTS "inputs"        /* what the source includes, as a rule of make */
#define FILE_PROGRAM "program.ll"   /* what the front end says of it */
#define FILE_PREPARED "prepared.ll" /* the same for the machine, without the library */
#define FILE_IMAGE "kernel.elf"     /* the result */

/* From the source to the image; what goes wrong is in the log. */
kernelc_outcome stages_run(compilation *c);

/* Starts a program of LLVM, whose words end with NULL. What it says is in the arena. Its exit code; -1: it cannot be started, which is
 * in the log. */
int stages_run_program(compilation *c, const char *const *words, const char **said);

#endif
