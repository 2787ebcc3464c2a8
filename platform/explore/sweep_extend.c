/* SPDX-License-Identifier: MIT */
/* Texts of sweeps, and the file of another one, which a sweep extends. */
#include <string.h>

#include "sweep_reader.h"
#include "utf8.h"

size_t sweep_mark_bytes(const char *text)
{
    static const char mark[] = "\xEF\xBB\xBF";
    return strncmp(text, mark, strlen(mark)) ? 0 : strlen(mark);
}

const node *sweep_parse_file(sweep_reader *reader, const source *file)
{
    const size_t fault = utf8_fault(file->text, file->length);
    if (fault == file->length)
        return netlist_parse(reader->memory, &reader->log, file, file->text, file->length, 0);
    report_error(&reader->log, ERROR_ENCODING, span_at(file, fault), "byte 0x%02X is not UTF-8 text",
                 (unsigned char)file->text[fault]);
    return NULL;
}

const char *sweep_path_beside(arena *memory, const node *value)
{
    const char *path = value->text, *file = value->at.source->name, *slash = strrchr(file, '/');
    if (path[0] == '/' || !slash)
        return path;
    return arena_format(memory, "%.*s/%s", (int)(slash - file), file, path);
}

const node *sweep_read_extended(sweep_reader *reader, const node *extended)
{
    const char *path = sweep_path_beside(reader->memory, extended), *text;
    size_t length;
    int too_large;
    const char *reason = source_read_file(reader->memory, path, &text, &length, &too_large);
    if (reason || too_large) {
        report_error(&reader->log, ERROR_UNREADABLE, extended->at, "cannot read '%s': %s", path,
                     reason ? reason : "it is too large");
        return NULL;
    }
    const size_t skipped = sweep_mark_bytes(text);
    source *file = source_of_text(reader->memory, path, text + skipped, length - skipped);
    file->extended_from = extended->at;
    return sweep_parse_file(reader, file);
}
