/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* getrandom */
#include "temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/types.h>
#include <unistd.h>

#define FILES_MAX 4096u /* more than one process has at a time; the others are removed by who made them only */
#define ATTEMPTS 64

static char *_Atomic files[FILES_MAX];
static atomic_uint used; /* of the list: nothing is behind */
static _Atomic pid_t owner;

static void enlist(char *path)
{
    atomic_store(&owner, getpid());
    for (unsigned i = 0; i < FILES_MAX; i++) {
        char *none = NULL;
        if (!atomic_compare_exchange_strong(&files[i], &none, path))
            continue;
        unsigned before = atomic_load(&used);
        while (before <= i && !atomic_compare_exchange_weak(&used, &before, i + 1))
            ;
        return;
    }
}

static void forget(char *path)
{
    for (unsigned i = 0, count = atomic_load(&used); i < count; i++) {
        char *found = path;
        if (atomic_compare_exchange_strong(&files[i], &found, NULL))
            break;
    }
    free(path);
}

/* "FOLDER/.heddle-0123456789abcdef" */
static char *random_name(const char *beside)
{
    const char *slash = strrchr(beside, '/');
    const size_t folder = slash ? (size_t)(slash + 1 - beside) : 0, bytes = folder + 32;
    uint64_t number;
    char *name = malloc(bytes);
    if (!name)
        abort();
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        number = (uint64_t)getpid() << 32 ^ (uint64_t)(uintptr_t)name;
    snprintf(name, bytes, "%.*s.heddle-%016llx", (int)folder, beside, (unsigned long long)number);
    return name;
}

int temporary_file_create(const char *beside, char **path)
{
    int file = -1;
    for (int i = 0; i < ATTEMPTS && file < 0; i++) {
        *path = random_name(beside);
        enlist(*path);
        file = open(*path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file >= 0)
            break;
        const int why = errno;
        forget(*path);
        *path = NULL;
        errno = why;
        if (why != EEXIST)
            break;
    }
    return file;
}

int temporary_file_rename(char *path, const char *name)
{
    if (rename(path, name))
        return 0;
    forget(path);
    return 1;
}

static void remove_one(const char *path)
{
    if (unlink(path))
        rmdir(path);
}

void temporary_file_remove(char *path)
{
    const int why = errno;
    if (!path)
        return;
    remove_one(path);
    forget(path);
    errno = why;
}

char *temporary_file_note(const char *path)
{
    char *copy = strdup(path);
    if (!copy)
        abort();
    enlist(copy);
    return copy;
}

void temporary_file_keep(char *path)
{
    forget(path);
}

void temporary_files_remove(void)
{
    const int why = errno;
    for (unsigned i = getpid() == atomic_load(&owner) ? atomic_load(&used) : 0; i-- > 0;) {
        const char *path = atomic_exchange(&files[i], NULL);
        if (path)
            remove_one(path);
    }
    errno = why;
}
