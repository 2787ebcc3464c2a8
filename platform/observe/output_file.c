/* SPDX-License-Identifier: MIT */
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "input_file.h"
#include "temporary_file.h"
#include "write_all.h"

#define BUFFER_BYTES 65536u
#define READER_LOOKS 500u /* for 5 s */
#define READER_LOOK_NS 10000000

struct output_file {
    char *path;      /* NULL: it is to have none */
    char *temporary; /* NULL: the path itself is written to */
    int descriptor;
    int error;
    uint64_t bytes;
    size_t buffered;
    char buffer[BUFFER_BYTES];
};

static output_file *create(const char *path)
{
    output_file *file = calloc(1, sizeof *file);
    if (!file || (path && !(file->path = strdup(path))))
        abort();
    file->descriptor = -1;
    return file;
}

/* A pipe that nobody reads yet is waited for, but not for ever: whoever waits in open() does not hear of a signal either. */
static int open_special(const char *path)
{
    const struct timespec moment = {.tv_nsec = READER_LOOK_NS};
    int descriptor;
    for (uint32_t looks = READER_LOOKS;; looks--) {
        descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK);
        if (descriptor >= 0 || errno != ENXIO || !looks)
            break;
        nanosleep(&moment, NULL);
    }
    if (descriptor >= 0)
        fcntl(descriptor, F_SETFL, O_APPEND);
    else if (errno == ENXIO)
        errno = OUTPUT_FILE_IS_NOT_READ;
    return descriptor;
}

output_file *output_file_open(const char *path)
{
    output_file *file = create(path);
    if (input_file_is(path)) {
        file->error = OUTPUT_FILE_IS_READ;
        return file;
    }
    file->descriptor =
        output_file_is_special(path) ? open_special(path) : temporary_file_create(path, &file->temporary);
    if (file->descriptor < 0)
        file->error = errno;
    return file;
}

output_file *output_file_open_unnamed(const char *beside)
{
    output_file *file = create(NULL);
    file->descriptor = temporary_file_create(beside, &file->temporary);
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
    temporary_file_remove(file->temporary);
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
    if (!file->error && file->temporary && file->path) {
        if (temporary_file_rename(file->temporary, file->path))
            file->temporary = NULL;
        else
            file->error = errno;
    }
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
