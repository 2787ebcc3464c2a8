/* SPDX-License-Identifier: MIT */
/* The kernels that a command is about: a file, or those of an app. */
#ifndef HD_KERNEL_FILE_H
#define HD_KERNEL_FILE_H

#include "loading.h"

typedef struct kernel_file {
    char *path;
    isa_program *program;
} kernel_file;

#define KERNEL_FILE_USAGE "KERNEL.elf|APP"

/* Loads KERNEL.elf if `what` is a file, else the kernels of the app of that name or folder. Returns 0 after it has said on
 * stderr what is wrong; to be closed in any case. */
int kernel_file_open(kernel_file *file, const char *what);
/* The same, loaded as programs of this registry are, and no further than this step. */
struct hd_program_registry;
int kernel_file_open_to(kernel_file *file, const char *what, enum isa_step last,
                        const struct hd_program_registry *programs);
void kernel_file_close(kernel_file *file);

#endif
