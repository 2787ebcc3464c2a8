/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input_file.h"
#include "output_file.h"
#include "temporary_file.h"

const char *output_file_reason(int error)
{
    switch (error) {
    case OUTPUT_FILE_IS_READ: return "it is one of the files that are read";
    case OUTPUT_FILE_IS_NOT_READ: return "it is a pipe that nobody reads";
    default: return strerror(error);
    }
}

/* It is written to; it must not be replaced by a file. */
uint32_t output_file_is_special(const char *path)
{
    struct stat there;
    if (!strncmp(path, "/dev/", 5) ||
        !strncmp(path, "/proc/", 6)) /* also /dev/stdout, which leads to whatever that is */
        return 1;
    return !stat(path, &there) && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode);
}

/* A name that is too long shows only when it is looked up. */
static uint32_t check_name(const char *path)
{
    struct stat there;
    if (*path && (!lstat(path, &there) || errno == ENOENT))
        return 1;
    if (!*path)
        errno = ENOENT;
    return 0;
}

static uint32_t check_folder(const char *path)
{
    char *name;
    int file = check_name(path) ? temporary_file_create(path, &name) : -1;
    if (file < 0)
        return 0;
    close(file);
    temporary_file_remove(name);
    return 1;
}

uint32_t output_file_check(const char *path)
{
    struct stat there;
    if (!stat(path, &there) && S_ISDIR(there.st_mode)) {
        errno = EISDIR;
        return 0;
    }
    if (input_file_is(path)) {
        errno = OUTPUT_FILE_IS_READ;
        return 0;
    }
    return output_file_is_special(path) ? !access(path, W_OK) : check_folder(path);
}

/* ---- One file by two names ------------------------------------------------------------------------------------------- */

static int is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static int stat_folder(const char *path, struct stat *about)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    if (!folder)
        abort();
    const int result = stat(folder, about);
    free(folder);
    return result;
}

static const char *last_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int is_one_file(const char *a, const char *b)
{
    struct stat of_a, of_b, null;
    if (!stat(a, &of_a) && !stat(b, &of_b))
        return is_same(&of_a, &of_b) && (stat("/dev/null", &null) || !is_same(&of_a, &null));
    return !strcmp(last_of(a), last_of(b)) && !stat_folder(a, &of_a) && !stat_folder(b, &of_b) && is_same(&of_a, &of_b);
}

static char *refusal_of(const output_name *names, size_t count)
{
    char *text = NULL;
    for (size_t i = 0; i < count; i++) {
        if (names[i].path && input_file_is(names[i].path) &&
            asprintf(&text, "error: %s %s: %s\n", names[i].option, names[i].path,
                     output_file_reason(OUTPUT_FILE_IS_READ)) < 0)
            abort();
        for (size_t j = 0; !text && names[i].path && j < i; j++)
            if (names[j].path && is_one_file(names[i].path, names[j].path) &&
                asprintf(&text, "error: %s and %s both write to %s\n", names[j].option, names[i].option,
                         names[i].path) < 0)
                abort();
        if (text)
            return text;
    }
    return NULL;
}

uint32_t output_names_check(const output_name *names, size_t count, char **error)
{
    *error = refusal_of(names, count);
    return !*error;
}
