/* SPDX-License-Identifier: MIT */
/* Private to platform/opencl: programs and kernels. */
#ifndef OPENCL_PROGRAM_H
#define OPENCL_PROGRAM_H

#include "kernelc.h"
#include "runtime.h"

struct _cl_program {
    object base;
    cl_context context; /* held */
    cl_device_id device;
    cl_uint device_count;
    char *source;  /* NULL: none */
    info_list il;  /* owned */
    char *options; /* of the latest build */
    char *log;
    cl_build_status status;
    cl_program_binary_type type;
    uint8_t *image;
    size_t image_bytes;
    size_t kernel_count;
    char *kernel_names; /* separated by ; */
    kernelc_kernels kernels;
    device_program *loaded; /* NULL: it cannot be executed */
    uint32_t kernel_objects;
};

struct _cl_kernel {
    object base;
    cl_program program; /* held */
    cl_context context;
    const kernelc_kernel *signature;
    device_kernel *kernel;
    uint8_t *block;        /* of arguments */
    cl_mem *buffers;       /* that they name; not held: the standard forbids it */
    uint32_t *local_bytes; /* that they ask for */
    uint8_t *is_set;
};

/* An empty one. NULL: out of memory. */
cl_program program_new(cl_context context);
/* CL_OUT_OF_HOST_MEMORY. */
cl_int program_copy_image(cl_program program, const void *image, size_t bytes);
/* What is left of an earlier build goes. */
void program_reset(cl_program program);

/* ---- program_build.c: steps of building and linking --------------------------------------------------------------------------- */

typedef void(CL_CALLBACK program_notice)(cl_program, void *);

/* NULL is "". CL_OUT_OF_HOST_MEMORY. */
cl_int program_set_text(char **place, const char *text);
/* Image and log of a compilation, which is freed. */
cl_int program_take_output(cl_program program, kernelc_output *output);
/* As clBuildProgram says it. */
cl_int program_error_of(kernelc_outcome outcome);
/* Of an image that is a kernel file. */
cl_int program_make_executable(cl_program program);
/* Its status, and the call of who waits for it; notify NULL: nobody. */
void program_finish(cl_program program, cl_int error, program_notice *notify, void *data);

#endif
