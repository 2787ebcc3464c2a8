/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* syscall, struct dirent64 */
#include "folders.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int folder_make(const char *path)
{
    char *copy = strdup(path);
    int is_made = copy != NULL;
    for (char *slash = copy ? strchr(copy + 1, '/') : NULL; slash && is_made; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        is_made = !mkdir(copy, 0777) || errno == EEXIST;
        *slash = '/';
    }
    is_made = is_made && (!mkdir(path, 0777) || errno == EEXIST);
    free(copy);
    return is_made;
}

/* ---- Removal --------------------------------------------------------------------------------------------------------- */

#define LISTED_BYTES 1024
#define ATTEMPTS 1000 /* against others that make files there */

static void remove_folder(int above, const char *name);

/* One part of the list of names. 0: there are no more. */
static int remove_some(int folder)
{
    _Alignas(struct dirent64) char listed[LISTED_BYTES];
    const long bytes = syscall(SYS_getdents64, folder, listed, sizeof listed); /* readdir allocates */
    for (long at = 0; at < bytes;) {
        const struct dirent64 *entry = (const struct dirent64 *)(listed + at);
        at += entry->d_reclen;
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") && unlinkat(folder, entry->d_name, 0))
            remove_folder(folder, entry->d_name);
    }
    return bytes > 0;
}

static void remove_contents(int above, const char *name)
{
    const int folder = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    while (folder >= 0 && remove_some(folder))
        ;
    if (folder >= 0)
        close(folder);
}

/* A program that is still at work may put a file there in between. */
static void remove_folder(int above, const char *name)
{
    int is_left = unlinkat(above, name, AT_REMOVEDIR);
    for (int i = 0; i < ATTEMPTS && is_left && (errno == ENOTEMPTY || errno == EEXIST); i++) {
        remove_contents(above, name);
        is_left = unlinkat(above, name, AT_REMOVEDIR);
    }
}

void folder_remove(const char *path)
{
    const int why = errno;
    remove_folder(AT_FDCWD, path);
    errno = why;
}
