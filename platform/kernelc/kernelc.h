/* SPDX-License-Identifier: MIT */
/*
 * OpenCL C 1.2, or the device's side of a file in CUDA, to a kernel file (docs/opencl-kernels.md, docs/cuda.md). Compiler, optimiser and linker are programs of Debian, which are started; nothing
 * of them is linked. No function prints, exits or changes anything of the process, and all may be called by any thread.
 */
#ifndef KERNELC_KERNELC_H
#define KERNELC_KERNELC_H

#include <stddef.h>
#include <stdint.h>

#include "kernel_format.h"

typedef enum kernelc_outcome {
    KERNELC_DONE,
    KERNELC_REFUSED,   /* the program is wrong: the log says where and why */
    KERNELC_OPTIONS,   /* the options are */
    KERNELC_MISSING,   /* a program that it needs is not installed, or Heddle was built without */
    KERNELC_FAILED,    /* something else, such as a full disk: the log is one line */
    KERNELC_NO_MEMORY, /* there is no log */
    KERNELC_EMPTY,     /* a file in CUDA has nothing for the device */
} kernelc_outcome;

typedef struct kernelc_header {
    const char *name; /* as #include says it: no absolute path, no ".." */
    const char *text;
} kernelc_header;

/* What an image is. */
typedef enum kernelc_product {
    KERNELC_EXECUTABLE, /* a kernel file, or nothing that kernelc has made */
    KERNELC_OBJECT,     /* a program that was compiled and not linked */
    KERNELC_LIBRARY,    /* several of these */
} kernelc_product;

typedef struct kernelc_object {
    const void *data; /* an object, or a library */
    size_t bytes;
} kernelc_object;

typedef struct kernelc_input {
    const char *name; /* of the source, for diagnostics and source lines; NULL: "program.cl" */
    const void *data; /* OpenCL C, SPIR-V or CUDA */
    size_t bytes;
    int is_spirv;
    int is_cuda;
    int is_compiled_only;          /* the image is an object */
    const kernelc_object *objects; /* these are linked, and there is no source */
    size_t object_count;
    const char *const *words; /* CUDA: options for clang, NULL at the end; NULL: none. Others have `options` */
    const char *
        options; /* as for clBuildProgram, or clLinkProgram if there are objects: words, "..." or '...' with spaces; NULL: none */
    const kernelc_header *headers;
    size_t header_count;
    const char *cache; /* folder of results; NULL: XDG_CACHE_HOME/heddle/opencl; "": nothing is kept */
} kernelc_input;

/* To be freed by heddle_kernelc_free. */
typedef struct kernelc_output {
    uint8_t *
        image; /* a kernel file, which can be moved (models/isa/move.h); or what was asked for. NULL unless KERNELC_DONE */
    size_t bytes;
    char *log; /* diagnostics, warnings too; NULL: nothing to say */
    int is_from_cache;
} kernelc_output;

kernelc_outcome heddle_kernelc_compile(const kernelc_input *input, kernelc_output *output);
void heddle_kernelc_free(kernelc_output *output);

kernelc_product heddle_kernelc_product(const void *image, size_t bytes);

/*
 * How clang is told to read CUDA, for the device and for the host alike (firmware/cuda). The version is that of the runtime whose functions
 * clang calls for a launch.
 */
#define CUDA_LANGUAGE                                                                                                  \
    "-x", "cuda", "-nocudainc", "-nocudalib", "-include", "cuda_runtime.h", "-Wno-unknown-cuda-version", "-Xclang",    \
        "-target-sdk-version=11.8"
/* For clang, beside that: its own CUDA is in this folder (--cuda-path, and headers in include); it is to look for no other on this computer. To
 * be freed; NULL: it is not installed. */
char *heddle_kernelc_cuda_files(void);
/* The compiler; NULL: Heddle was built without. */
const char *heddle_kernelc_clang(void);

/* "clang 16.0.6, libclc 16.0.6"; NULL: Heddle was built without. */
const char *heddle_kernelc_version(void);

/* ---- What a kernel file says of its kernels (kernel_format.h) -------------------------------------------------------------- */

typedef struct kernelc_argument {
    uint32_t space; /* KERNELC_PRIVATE ... */
    uint32_t offset;
    uint32_t bytes;
    uint32_t alignment;
    uint32_t access;
    uint32_t qualifiers;
    const char *type;
    const char *name;
} kernelc_argument;

typedef struct kernelc_kernel {
    const char *name;
    const char *attributes;
    uint32_t block_bytes;
    uint32_t local_bytes;
    uint32_t group_size[3];
    uint32_t argument_count;
    const kernelc_argument *arguments;
} kernelc_kernel;

typedef struct kernelc_kernels {
    uint32_t count;
    const kernelc_kernel *kernels; /* in the order of the source */
    void *memory;                  /* in which all of it lies */
} kernelc_kernels;

/* Of an image, which may be freed afterwards; it is not trusted. KERNELC_REFUSED: error holds one line. An image without the section has
 * no kernels of OpenCL, which is such an error. */
kernelc_outcome heddle_kernelc_kernels(const void *image, size_t bytes, kernelc_kernels *kernels, char *error,
                                       size_t error_bytes);
void heddle_kernelc_kernels_free(kernelc_kernels *kernels);

#endif
