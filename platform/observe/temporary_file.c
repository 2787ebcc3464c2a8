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
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "folders.h"

#define FILES_MAX 4096u /* more than one process has at a time; the others are removed by who made them only */
#define ATTEMPTS 64

typedef struct list {
    char *_Atomic paths[FILES_MAX];
    atomic_uint used; /* nothing is behind */
} list;

static list files, folders; /* of folders all that is in them is temporary too */
static _Atomic pid_t owner;

static void enlist(list *to, char *path)
{
    atomic_store(&owner, getpid());
    for (unsigned i = 0; i < FILES_MAX; i++) {
        char *none = NULL;
        if (!atomic_compare_exchange_strong(&to->paths[i], &none, path))
            continue;
        unsigned before = atomic_load(&to->used);
        while (before <= i && !atomic_compare_exchange_weak(&to->used, &before, i + 1))
            ;
        return;
    }
}

static void strike(list *of, char *path)
{
    for (unsigned i = 0, count = atomic_load(&of->used); i < count; i++) {
        char *found = path;
        if (atomic_compare_exchange_strong(&of->paths[i], &found, NULL))
            return;
    }
}

static void forget(char *path)
{
    strike(&files, path);
    strike(&folders, path);
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

static int make_file(const char *path)
{
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

static int make_folder(const char *path)
{
    return mkdir(path, 0700);
}

/* What make returns for a path that is new, and in the list before it is made. */
static int create(list *in, int (*make)(const char *), const char *beside, char **path)
{
    int made = -1;
    for (int i = 0; i < ATTEMPTS && made < 0; i++) {
        *path = random_name(beside);
        enlist(in, *path);
        made = make(*path);
        if (made >= 0)
            break;
        const int why = errno;
        forget(*path);
        *path = NULL;
        errno = why;
        if (why != EEXIST)
            break;
    }
    return made;
}

int temporary_file_create(const char *beside, char **path)
{
    return create(&files, make_file, beside, path);
}

char *temporary_folder_create(const char *beside)
{
    char *path;
    create(&folders, make_folder, beside, &path);
    return path;
}

void temporary_folder_remove(char *path)
{
    folder_remove(path);
    forget(path);
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
    enlist(&files, copy);
    return copy;
}

void temporary_file_keep(char *path)
{
    forget(path);
}

static void remove_all(list *of, void (*remove)(const char *))
{
    for (unsigned i = getpid() == atomic_load(&owner) ? atomic_load(&of->used) : 0; i-- > 0;) {
        const char *path = atomic_exchange(&of->paths[i], NULL);
        if (path)
            remove(path);
    }
}

void temporary_files_remove(void)
{
    const int why = errno;
    remove_all(&files, remove_one);
    remove_all(&folders, folder_remove);
    errno = why;
}
