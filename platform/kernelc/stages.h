/* SPDX-License-Identifier: MIT */
/* The steps from OpenCL C to a kernel file, each of them a program that is started. */
#ifndef KERNELC_STAGES_H
#define KERNELC_STAGES_H

#include "kernelc.h"
#include "options.h"
#include "program_text.h"
#include "text.h"

typedef struct compilation {
    arena *memory;
    const kernelc_input *input;
    build_options options;
    const char *files;      /* opencl_files */
    const char *cuda_files; /* beside them */
    char *folder;           /* for what is in between */
    program_content content;
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

#endif
