/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "library.h"
#include "netlist_errors.h"
#include "plugin_internal.h"

#define SYSTEMC_SYMBOL "heddle_systemc_entry"

static uint32_t check_file(const char *path, refusal *why)
{
    struct stat file;
    if (stat(path, &file))
        return refuse(why, ERROR_PLUGIN_MISSING, "plug-in '%s': %s", path, strerror(errno));
    if (S_ISDIR(file.st_mode))
        return refuse(why, ERROR_PLUGIN_MISSING, "plug-in '%s': %s", path, strerror(EISDIR));
    if (!S_ISREG(file.st_mode))
        return refuse(why, ERROR_PLUGIN_MISSING, "plug-in '%s' is no regular file", path);
    if (access(path, R_OK))
        return refuse(why, ERROR_PLUGIN_MISSING, "plug-in '%s': %s", path, strerror(errno));
    return 1;
}

static uint32_t find_entry(shared_object *object, const char *path, refusal *why)
{
    object->plugin = dlsym(object->handle, HD_PLUGIN_SYMBOL);
    object->models = dlsym(object->handle, SYSTEMC_SYMBOL);
    if (!object->plugin && !object->models)
        return refuse(why, ERROR_PLUGIN_ENTRY,
                      "'%s' is no plug-in: it exports neither " HD_PLUGIN_SYMBOL " nor " SYSTEMC_SYMBOL, path);
    if (object->plugin && object->models)
        return refuse(why, ERROR_PLUGIN_ENTRY,
                      "plug-in '%s' exports both " HD_PLUGIN_SYMBOL " and " SYSTEMC_SYMBOL "; one shared object is one",
                      path);
    return 1;
}

/* For as long as the process: one that crashes is named, whatever it was about to do. */
#define REMEMBERED 64u
static char *remembered[REMEMBERED];

uint32_t hd_plugin_was_loaded(const char *path)
{
    for (size_t i = 0; i < REMEMBERED && remembered[i]; i++)
        if (!strcmp(remembered[i], path))
            return 1;
    return 0;
}

static void remember(const char *path)
{
    size_t i = 0;
    while (i < REMEMBERED && remembered[i])
        i++;
    if (i < REMEMBERED && !hd_plugin_was_loaded(path))
        remembered[i] = strdup(path);
}

/* The name of the entry stands in it, as in no other file: what its libraries are is known before it is opened. */
static uint32_t has_models(const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat standing;
    void *bytes = MAP_FAILED;
    if (file >= 0 && !fstat(file, &standing) && standing.st_size > 0)
        bytes = mmap(NULL, (size_t)standing.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (file >= 0)
        close(file);
    if (bytes == MAP_FAILED)
        return 0;
    const uint32_t found = memmem(bytes, (size_t)standing.st_size, SYSTEMC_SYMBOL, sizeof SYSTEMC_SYMBOL) != NULL;
    munmap(bytes, (size_t)standing.st_size);
    return found;
}

uint32_t shared_object_open(shared_object *object, const char *path, refusal *why)
{
    char *reason;
    *object = (shared_object){0};
    if (!check_file(path, why))
        return 0;
    if (has_models(path) && !systemc_entry_prepare(path, why))
        return 0;
    remember(path);
    object->handle = hd_library_open(path, &reason);
    if (!object->handle) {
        refuse(why, ERROR_PLUGIN_UNLOADABLE, "plug-in '%s' cannot be loaded: %s", path, reason);
        free(reason);
        return 0;
    }
    if (find_entry(object, path, why))
        return 1;
    shared_object_close(object);
    return 0;
}

void shared_object_close(shared_object *object)
{
    /* SystemC keeps hold of code of the modules that it has seen. */
    if (object->handle && !object->models)
        dlclose(object->handle);
    *object = (shared_object){0};
}
