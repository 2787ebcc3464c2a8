/* SPDX-License-Identifier: MIT */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input_file.h"
#include "utf8.h"

source *source_of_text(arena *memory, const char *name, const char *text, size_t length)
{
    source *result = arena_alloc(memory, sizeof *result);
    *result = (source){.name = name, .text = text, .length = length, .line_count = 1};
    for (size_t i = 0; i < length; i++)
        result->line_count += text[i] == '\n';
    uint32_t *starts = arena_alloc(memory, result->line_count * sizeof *starts);
    uint32_t line = 1;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n')
            starts[line++] = (uint32_t)(i + 1);
    }
    result->line_starts = starts;
    return result;
}

span span_at(const source *text, size_t offset)
{
    uint32_t line = text->line_count;
    while (line > 1 && text->line_starts[line - 1] > offset)
        line--;
    size_t start = text->line_starts[line - 1];
    return (span){text, line, utf8_columns(text->text + start, offset - start) + 1, 1};
}

static const char *read_open_file(arena *memory, int file, const char **text, size_t *length, int *too_large)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        return strerror(errno);
    if (S_ISDIR(status.st_mode))
        return strerror(EISDIR);
    size_t room = S_ISREG(status.st_mode) && status.st_size < SOURCE_BYTES_MAX ? (size_t)status.st_size + 1
                                                                               : SOURCE_BYTES_MAX + 1;
    char *buffer = arena_alloc(memory, room + 1);
    size_t used = 0;
    while (used < room) {
        ssize_t got = read(file, buffer + used, room - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return strerror(errno);
        if (got == 0)
            break;
        used += (size_t)got;
    }
    *too_large = used > SOURCE_BYTES_MAX;
    buffer[used] = 0;
    *text = buffer;
    *length = used;
    return NULL;
}

const char *source_look_into_file(arena *memory, const char *path, const char **text, size_t *length, int *too_large)
{
    *too_large = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return strerror(errno);
    const char *reason = read_open_file(memory, file, text, length, too_large);
    close(file);
    return reason;
}

const char *source_read_file(arena *memory, const char *path, const char **text, size_t *length, int *too_large)
{
    const char *reason = source_look_into_file(memory, path, text, length, too_large);
    if (!reason)
        input_file_note(path);
    return reason;
}
