/* SPDX-License-Identifier: MIT */
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "write_all.h"

#define BUFFER_BYTES 65536u

struct output_file {
    char *path;
    char *temporary; /* NULL: the path itself is written to */
    int descriptor;
    int error;
    uint64_t bytes;
    size_t buffered;
    char buffer[BUFFER_BYTES];
};

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
    return open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
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

uint32_t output_file_check(const char *path)
{
    struct stat there;
    if (!stat(path, &there) && S_ISDIR(there.st_mode)) {
        errno = EISDIR;
        return 0;
    }
    return output_file_is_special(path) ? !access(path, W_OK) : check_folder(path);
}

output_file *output_file_open(const char *path)
{
    output_file *file = calloc(1, sizeof *file);
    if (!file)
        abort();
    file->path = strdup(path);
    file->temporary = output_file_is_special(path) ? NULL : temporary_name(path);
    file->descriptor = file->temporary ? create_file(file->temporary) : open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file->descriptor < 0)
        file->error = errno;
    return file;
}

static void flush(output_file *file)
{
    if (!file->error && !hd_write_all(file->descriptor, file->buffer, file->buffered))
        file->error = errno ? errno : EIO;
    file->buffered = 0;
}

void output_file_put(output_file *file, const void *data, size_t bytes)
{
    const char *from = data;
    file->bytes += bytes;
    while (bytes) {
        const size_t room = BUFFER_BYTES - file->buffered, part = bytes < room ? bytes : room;
        memcpy(file->buffer + file->buffered, from, part);
        file->buffered += part;
        from += part;
        bytes -= part;
        if (file->buffered == BUFFER_BYTES)
            flush(file);
    }
}

uint64_t output_file_bytes(const output_file *file)
{
    return file->bytes;
}

int output_file_error(const output_file *file)
{
    return file->error;
}

static void release(output_file *file)
{
    if (file->error && file->temporary)
        unlink(file->temporary);
    free(file->temporary);
    free(file->path);
    free(file);
}

uint32_t output_file_finish(output_file *file)
{
    flush(file);
    if (!file->error && file->temporary && fsync(file->descriptor))
        file->error = errno;
    if (file->descriptor >= 0 && close(file->descriptor) && !file->error)
        file->error = errno;
    if (!file->error && file->temporary && rename(file->temporary, file->path))
        file->error = errno;
    const int error = file->error;
    release(file);
    errno = error;
    return !error;
}

void output_file_abandon(output_file *file)
{
    if (!file)
        return;
    if (file->descriptor >= 0)
        close(file->descriptor);
    file->error = ECANCELED;
    release(file);
}

void output_file_copy(output_file *from, output_file *to)
{
    char part[BUFFER_BYTES];
    ssize_t bytes = 0;
    flush(from);
    if (!from->error && lseek(from->descriptor, 0, SEEK_SET) < 0)
        from->error = errno;
    while (!from->error && (bytes = read(from->descriptor, part, sizeof part)) > 0)
        output_file_put(to, part, (size_t)bytes);
    if (bytes < 0)
        from->error = errno;
    if (from->error && !to->error)
        to->error = from->error;
}
