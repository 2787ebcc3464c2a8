/* SPDX-License-Identifier: MIT */
/*
 * What a kernel file made of OpenCL C or CUDA says of its kernels: section .heddle.kernels, and how a launch passes arguments.
 *
 * The section is not loaded. Records lie one behind the other, in 32-bit little-endian words; texts are at the end of the record that
 * names them, each ended by a 0. Whoever sets up a launch fills an argument block of `block_bytes`:
 *
 *     0   kernelc_launch_header
 *     16  the arguments, each at its offset
 *
 * An argument is what OpenCL says, of `bytes`: a value, a struct, or for pointers to global and constant memory a device address. For
 * a pointer to local memory it is the address of a place in the scratchpad, which is the launch's to choose: KERNELC_LOCAL_BASE plus an
 * offset that is a multiple of KERNELC_LOCAL_ALIGNMENT and not below `local_bytes`. The launch asks for as much scratchpad as all that takes.
 * Global sizes are what the hardware knows: blocks times threads of a block.
 *
 * Of a program in CUDA the attributes are the name that the host's compiler has for the kernel, work_dimensions the lanes of a warp, and
 * pointers have 8 bytes, of which the first 4 count; what a launch adds to local_bytes is extern __shared__ memory.
 */
#ifndef KERNELC_KERNEL_FORMAT_H
#define KERNELC_KERNEL_FORMAT_H

#include <stdint.h>

#define KERNELC_SECTION ".heddle.kernels"
#define KERNELC_FORMAT 1u

#define KERNELC_LOCAL_BASE UINT32_C(0x01000000) /* HD_SCRATCHPAD_BASE */
#define KERNELC_LOCAL_ALIGNMENT 128u            /* of the largest type, double16 */

typedef struct kernelc_launch_header {
    uint32_t work_dimensions;  /* 1 to 3 */
    uint32_t global_offset[3]; /* of clEnqueueNDRangeKernel */
} kernelc_launch_header;

/* Where an argument points to; a value is private. The numbers are those of address spaces of SPIR. */
#define KERNELC_PRIVATE 0u
#define KERNELC_GLOBAL 1u
#define KERNELC_CONSTANT 2u
#define KERNELC_LOCAL 3u

/* Access qualifiers are for images, which are refused: that of all others is none. */
#define KERNELC_ACCESS_NONE 0u

/* Type qualifiers, or-ed. */
#define KERNELC_CONST 1u
#define KERNELC_RESTRICT 2u
#define KERNELC_VOLATILE 4u

typedef struct kernelc_argument_record {
    uint32_t space;      /* KERNELC_PRIVATE ... */
    uint32_t offset;     /* in the argument block */
    uint32_t bytes;      /* there */
    uint32_t alignment;  /* of the argument, as the block has it */
    uint32_t access;     /* KERNELC_ACCESS_* */
    uint32_t qualifiers; /* KERNELC_CONST ... */
    uint32_t type;       /* where in the record its text is: "float*" */
    uint32_t name;       /* likewise */
} kernelc_argument_record;

typedef struct kernelc_kernel_record {
    uint32_t record_bytes; /* to the next one; a multiple of 4 */
    uint32_t format;       /* KERNELC_FORMAT */
    uint32_t name;         /* where in the record its text is */
    uint32_t attributes;   /* likewise: as CL_KERNEL_ATTRIBUTES */
    uint32_t block_bytes;
    uint32_t local_bytes;   /* of its own variables in local memory, from KERNELC_LOCAL_BASE on */
    uint32_t group_size[3]; /* reqd_work_group_size; 0: any */
    uint32_t argument_count;
    /* kernelc_argument_record [argument_count], then the texts */
} kernelc_kernel_record;

#endif
