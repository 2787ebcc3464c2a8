/* SPDX-License-Identifier: MIT */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

source *netlist_source(arena *memory, const char *name, const char *text, size_t length)
{
    source *result = netlist_alloc(memory, sizeof *result);
    *result = (source){.name = name, .text = text, .length = length, .line_count = 1};
    for (size_t i = 0; i < length; i++)
        result->line_count += text[i] == '\n';
    uint32_t *starts = netlist_alloc(memory, result->line_count * sizeof *starts);
    uint32_t line = 1;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n')
            starts[line++] = (uint32_t)(i + 1);
    }
    result->line_starts = starts;
    return result;
}

/* Bytes of the character that starts here, or 0 if it is not UTF-8 (surrogates and overlong forms are not). */
static size_t character_bytes(const unsigned char *text, size_t length)
{
    if (text[0] < 0x80)
        return 1;
    size_t bytes = text[0] >= 0xF0 ? 4 : text[0] >= 0xE0 ? 3 : 2;
    if (text[0] < 0xC2 || text[0] > 0xF4 || bytes > length)
        return 0;
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    }
    if ((text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xED && text[1] > 0x9F) ||
        (text[0] == 0xF0 && text[1] < 0x90) || (text[0] == 0xF4 && text[1] > 0x8F))
        return 0;
    return bytes;
}

size_t netlist_utf8_fault(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length) {
        size_t bytes = character_bytes((const unsigned char *)text + at, length - at);
        if (!bytes)
            return at;
        at += bytes;
    }
    return length;
}

uint32_t netlist_utf8_columns(const char *text, size_t length)
{
    uint32_t columns = 0;
    for (size_t i = 0; i < length; i++)
        columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    return columns;
}

span netlist_span_at(const source *text, size_t offset)
{
    uint32_t line = text->line_count;
    while (line > 1 && text->line_starts[line - 1] > offset)
        line--;
    size_t start = text->line_starts[line - 1];
    return (span){text, line, netlist_utf8_columns(text->text + start, offset - start) + 1, 1};
}

static const char *read_open_file(arena *memory, int file, const char **text, size_t *length, int *too_large)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        return strerror(errno);
    if (S_ISDIR(status.st_mode))
        return strerror(EISDIR);
    size_t room = S_ISREG(status.st_mode) && status.st_size < NETLIST_FILE_BYTES_MAX ? (size_t)status.st_size + 1
                                                                                     : NETLIST_FILE_BYTES_MAX + 1;
    char *buffer = netlist_alloc(memory, room + 1);
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
    *too_large = used > NETLIST_FILE_BYTES_MAX;
    buffer[used] = 0;
    *text = buffer;
    *length = used;
    return NULL;
}

const char *netlist_read_file(arena *memory, const char *path, const char **text, size_t *length, int *too_large)
{
    *too_large = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return strerror(errno);
    const char *reason = read_open_file(memory, file, text, length, too_large);
    close(file);
    return reason;
}
