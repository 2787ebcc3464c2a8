/* SPDX-License-Identifier: MIT */
#include "kernel_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "app.h"
#include "app_build.h"
#include "app_folder.h"
#include "program_registry.h"
#include "text.h"

static char *path_of(const char *what)
{
    struct stat found;
    if (!stat(what, &found) && S_ISREG(found.st_mode))
        return hd_text_format("%s", what);
    char *folder = hd_app_folder(what);
    if (folder)
        folder = hd_app_build(folder);
    char *path = folder ? hd_text_format("%s/kernel.elf", folder) : NULL;
    free(folder);
    return path;
}

int kernel_file_open(kernel_file *file, const char *what)
{
    hd_program_registry *programs = hd_program_registry_create();
    if (!programs)
        abort();
    const int is_open = kernel_file_open_to(file, what, ISA_STEP_ANALYSE, programs);
    hd_program_registry_destroy(programs);
    return is_open;
}

int kernel_file_open_to(kernel_file *file, const char *what, enum isa_step last, const hd_program_registry *programs)
{
    char refusal[512], *error = NULL;
    size_t bytes;
    *file = (kernel_file){.path = path_of(what)};
    uint8_t *elf = file->path ? hd_app_read(file->path, &bytes, &error) : NULL;
    if (elf)
        file->program = hd_program_registry_load_to(programs, elf, bytes, last, refusal, sizeof refusal);
    if (elf && !file->program)
        error = hd_text_format("error: kernels %s: %s\n", file->path, refusal);
    if (error)
        fputs(error, stderr);
    free(error);
    free(elf);
    return file->program != NULL;
}

void kernel_file_close(kernel_file *file)
{
    isa_program_free(file->program);
    free(file->path);
    *file = (kernel_file){0};
}
