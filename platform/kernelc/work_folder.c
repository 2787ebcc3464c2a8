/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr */
#include "work_folder.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "temporary_file.h"
#include "text.h"

#define LIBRARY "library.bc"

/* From the folder of a program or library upwards: build/lib, lib/x86_64-linux-gnu, ... */
static const char *files_above(arena *memory, const char *loaded)
{
    static const char *const places[] = {"opencl", "share/heddle/opencl"};
    char path[PATH_MAX];
    if (!realpath(loaded, path))
        return NULL;
    for (char *slash; (slash = strrchr(path, '/'));) {
        *slash = '\0';
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            if (!access(arena_format(memory, "%s/%s/" LIBRARY, path, places[i]), R_OK))
                return arena_format(memory, "%s/%s", path, places[i]);
    }
    return NULL;
}

const char *own_file(void)
{
    static const char here;
    Dl_info loaded;
    return dladdr(&here, &loaded) && loaded.dli_fname ? loaded.dli_fname : "";
}

/* The name of what this code is in may be relative to a folder that is no longer the current one. */
const char *opencl_files(arena *memory)
{
    const char *files = files_above(memory, own_file());
    return files ? files : files_above(memory, "/proc/self/exe");
}

const char *cuda_files(arena *memory, const char *opencl)
{
    return arena_format(memory, "%.*scuda", (int)(strrchr(opencl, '/') + 1 - opencl), opencl);
}

char *work_folder_make(void)
{
    const char *temporary = getenv("TMPDIR");
    char *beside = hd_text_format("%s/", temporary && *temporary ? temporary : "/tmp");
    char *folder = temporary_folder_create(beside);
    free(beside);
    return folder;
}

void work_folder_remove(char *folder)
{
    temporary_folder_remove(folder);
}

int file_write(const char *path, const void *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return 0;
    const int is_written = fwrite(data, 1, bytes, file) == bytes;
    return !fclose(file) && is_written;
}

char *file_read(arena *memory, const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    char *data = NULL;
    if (file && !fstat(fileno(file), &status) && S_ISREG(status.st_mode)) {
        data = arena_alloc(memory, (size_t)status.st_size + 1);
        *bytes = fread(data, 1, (size_t)status.st_size, file);
        if (*bytes != (size_t)status.st_size)
            data = NULL;
    }
    if (file)
        fclose(file);
    return data;
}
