/* SPDX-License-Identifier: MIT */
#include "whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "write_all.h"

/* "folder/.name.PID": in the same folder, so that it can be renamed. */
static char *temporary_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - path) : 0, bytes = strlen(path) + 32;
    char *name = malloc(bytes);
    if (!name)
        abort();
    snprintf(name, bytes, "%.*s.%s.%ld", (int)folder, path, path + folder, (long)getpid());
    return name;
}

static int create_file(const char *name)
{
    return open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

/* A device or a pipe is written to; it must not be replaced by a file. */
static uint32_t is_special(const char *path)
{
    struct stat there;
    return !stat(path, &there) && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode);
}

static uint32_t check_folder(const char *path)
{
    char *name = temporary_name(path);
    int file = create_file(name);
    if (file >= 0) {
        close(file);
        unlink(name);
    }
    free(name);
    return file >= 0;
}

uint32_t hd_whole_file_check(const char *path)
{
    struct stat there;
    if (!stat(path, &there) && S_ISDIR(there.st_mode)) {
        errno = EISDIR;
        return 0;
    }
    return is_special(path) ? !access(path, W_OK) : check_folder(path);
}

static uint32_t write_special(const char *path, const char *text, size_t bytes)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    uint32_t good = file >= 0 && hd_write_all(file, text, bytes);
    int why = errno;
    if (file >= 0)
        close(file);
    errno = why;
    return good;
}

static uint32_t replace_file(const char *path, const char *text, size_t bytes)
{
    char *name = temporary_name(path);
    int file = create_file(name);
    uint32_t good = file >= 0 && hd_write_all(file, text, bytes) && !fsync(file);
    if (file >= 0)
        good = !close(file) && good && !rename(name, path);
    int why = errno;
    if (file >= 0 && !good)
        unlink(name);
    free(name);
    errno = why;
    return good;
}

uint32_t hd_whole_file_write(const char *path, const char *text, size_t bytes)
{
    return is_special(path) ? write_special(path, text, bytes) : replace_file(path, text, bytes);
}
