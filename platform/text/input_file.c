/* SPDX-License-Identifier: MIT */
#include "input_file.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Names and not identities: a number of a file that is gone may be another's. */
typedef struct input_file {
    struct input_file *next;
    char *path; /* absolute, without links */
} input_file;

static input_file *_Atomic files;

static int is_noted(const char *path)
{
    for (const input_file *file = atomic_load(&files); file; file = file->next)
        if (!strcmp(file->path, path))
            return 1;
    return 0;
}

void input_file_note(const char *path)
{
    char *whole = realpath(path, NULL);
    if (!whole || is_noted(whole)) {
        free(whole);
        return;
    }
    input_file *file = malloc(sizeof *file);
    if (!file)
        abort();
    *file = (input_file){.next = atomic_load(&files), .path = whole};
    while (!atomic_compare_exchange_weak(&files, &file->next, file))
        ;
}

int input_file_is(const char *path)
{
    struct stat there, other;
    if (stat(path, &there) || !S_ISREG(there.st_mode))
        return 0;
    for (const input_file *file = atomic_load(&files); file; file = file->next)
        if (!stat(file->path, &other) && other.st_dev == there.st_dev && other.st_ino == there.st_ino)
            return 1;
    return 0;
}
