/* SPDX-License-Identifier: MIT */
/* Folders: where the files lie that compiling takes, and one for what is between source and result. */
#ifndef KERNELC_WORK_FOLDER_H
#define KERNELC_WORK_FOLDER_H

#include <stddef.h>

#include "arena.h"

/* The program or library that this code is in, as it was loaded. */
const char *own_file(void);
/* Where Heddle's files for OpenCL lie, in the build folder or installed; NULL: they are not there. */
const char *opencl_files(arena *memory);
/* Those for CUDA lie beside them. */
const char *cuda_files(arena *memory, const char *opencl_files);

/* A new folder of this process alone, which a signal that ends it removes too; NULL and errno. */
char *work_folder_make(void);
/* With all that is in it. */
void work_folder_remove(char *folder);

/* Returns 1, or 0 and errno. */
int file_write(const char *path, const void *data, size_t bytes);
/* In the arena, with a terminating zero; NULL and errno. */
char *file_read(arena *memory, const char *path, size_t *bytes);

#endif
