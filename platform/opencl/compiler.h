/* SPDX-License-Identifier: MIT */
/* What the runtime needs of the compiler, and what an image says of its kernels. compiler_kernelc.c makes it of platform/kernelc. */
#ifndef OPENCL_COMPILER_H
#define OPENCL_COMPILER_H

#include <stddef.h>
#include <stdint.h>

typedef enum compiler_error {
    COMPILER_OK,
    COMPILER_REFUSED,   /* the program is wrong; the log says why */
    COMPILER_OPTIONS,   /* the options are */
    COMPILER_MISSING,   /* there is no compiler, or it cannot do this; the log says so */
    COMPILER_NO_MEMORY, /* of the process */
} compiler_error;

typedef struct compiler_header {
    const char *name; /* as #include says it */
    const char *text;
} compiler_header;

typedef struct compiler_input {
    const void *data; /* OpenCL C, or SPIR-V */
    size_t bytes;
    int is_il;
    const char *options;
    const compiler_header *headers;
    size_t header_count;
} compiler_input;

/* To be freed, both of them. */
typedef struct compiler_output {
    uint8_t *image; /* NULL: none */
    size_t bytes;
    char *log; /* NULL: nothing to say */
} compiler_output;

compiler_error compiler_build(const compiler_input *input, compiler_output *output);

typedef enum argument_space { SPACE_PRIVATE, SPACE_GLOBAL, SPACE_CONSTANT, SPACE_LOCAL } argument_space;

enum { ARGUMENT_CONST = 1, ARGUMENT_RESTRICT = 2, ARGUMENT_VOLATILE = 4 };

typedef struct kernel_argument {
    argument_space space;
    uint32_t offset;     /* in the argument block */
    uint32_t bytes;      /* there */
    uint32_t qualifiers; /* ARGUMENT_*, of what it points to */
    const char *type;
    const char *name;
} kernel_argument;

typedef struct kernel_signature {
    const char *name;
    const char *attributes;
    uint32_t argument_count;
    const kernel_argument *arguments;
    uint32_t block_bytes; /* of arguments, with what precedes them: dimensions and the three offsets */
    uint32_t local_bytes; /* of its own __local variables */
    uint32_t group[3];    /* that it demands; 0: any */
} kernel_signature;

typedef struct kernel_signatures {
    uint32_t count;
    kernel_signature *kernels;
} kernel_signatures;

/* COMPILER_REFUSED: the image has no kernels, or is not one. */
compiler_error signatures_read(const void *image, size_t bytes, kernel_signatures *read);
void signatures_free(kernel_signatures *gone);

/* The address that a pointer to local memory has that many bytes behind its beginning. */
uint32_t compiler_local_address(uint32_t offset);

#endif
