/* SPDX-License-Identifier: MIT */
/* What clang calls from the host's side of a file in CUDA. */
#ifndef CUDA_REGISTRATION_H
#define CUDA_REGISTRATION_H

#include <stddef.h>
#include <stdint.h>

#include "vector_types.h"

#pragma GCC visibility push(default)

/* What -fcuda-include-gpubinary makes of the kernel file. */
typedef struct fat_binary {
    uint32_t magic, version;
    const void *image;
    void *unused;
} fat_binary;

void **__cudaRegisterFatBinary(const fat_binary *binary);
void __cudaRegisterFatBinaryEnd(void **program);
void __cudaUnregisterFatBinary(void **program);
int __cudaRegisterFunction(void **program, const void *host, char *device, const char *mangled, int threads,
                           void *thread, void *block, void *block_size, void *grid_size, int *warp_size);
void __cudaRegisterVar(void **program, const void *host, char *device, const char *name, int is_external, size_t bytes,
                       int is_constant, int is_global);
unsigned __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void **stream);

#pragma GCC visibility pop

#endif
