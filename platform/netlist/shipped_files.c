/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr */
#include "shipped_files.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int netlist_is_folder(const char *path)
{
    struct stat found;
    return !stat(path, &found) && S_ISDIR(found.st_mode);
}

const char *netlist_next_folder(arena *memory, const char **folders)
{
    *folders += strspn(*folders, ":");
    const size_t length = strcspn(*folders, ":");
    const char *folder = length ? arena_copy(memory, *folders, length) : NULL;
    *folders += length;
    return folder;
}

static const char *copied(arena *memory, const char *text)
{
    return text ? arena_copy(memory, text, strlen(text)) : NULL;
}

const char *netlist_shipped_folder(arena *memory, const char *const *places)
{
    static const char here;
    Dl_info library;
    const char *found = NULL;
    if (!dladdr(&here, &library) || !library.dli_fname)
        return NULL;
    char *path = realpath(library.dli_fname, NULL), *slash = path ? strrchr(path, '/') : NULL;
    for (; slash && *places && !found; places++) {
        const char *place = arena_format(memory, "%.*s/%s", (int)(slash - path), path, *places);
        char *plain = netlist_is_folder(place) ? realpath(place, NULL) : NULL;
        found = copied(memory, plain);
        free(plain);
    }
    free(path);
    return found;
}
