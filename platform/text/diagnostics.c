/* SPDX-License-Identifier: MIT */
#include "diagnostics.h"

#include <stdarg.h>
#include <string.h>

#include "utf8.h"

#define SHOWN_COLUMNS 100u /* of a source line */
#define SENTENCE_COLUMNS 400u
#define SENTENCE_BYTES (4 * SENTENCE_COLUMNS + 8)
#define BEFORE_COLUMNS 60u /* of a long line, before the caret */

/* Next character of a line; a byte that cannot be shown as it is comes out as one blank. */
static const char *put_character(FILE *out, const char *at, const char *end)
{
    unsigned char first = (unsigned char)*at;
    size_t bytes = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    size_t room = (size_t)(end - at);
    size_t valid = bytes <= room && utf8_fault(at, bytes) == bytes;
    if (out && (first < 0x20 || first == 0x7F || !valid))
        fputc(' ', out);
    else if (out)
        fwrite(at, 1, bytes, out);
    if (valid)
        return at + bytes;
    at++;
    while (at < end && ((unsigned char)*at & 0xC0) == 0x80)
        at++;
    return at;
}

static void put_repeated(FILE *out, char character, uint32_t count)
{
    while (count--)
        fputc(character, out);
}

static void put_caret(FILE *out, uint32_t before, uint32_t width)
{
    put_repeated(out, ' ', before);
    fputc('^', out);
    put_repeated(out, '~', width - 1);
    fputc('\n', out);
}

static void put_source_line(FILE *out, span at)
{
    const source *text = at.source;
    if (at.line == 0 || at.line > text->line_count || at.width == 0)
        return;
    const char *start = text->text + text->line_starts[at.line - 1];
    const char *end = memchr(start, '\n', (size_t)(text->text + text->length - start));
    end = end ? end : text->text + text->length;
    if (end > start && end[-1] == '\r')
        end--;

    /* Left out: indentation, and of a long line what is far before the place. */
    uint32_t column = 1;
    while (start < end && column < at.column && (*start == ' ' || *start == '\t'))
        start++, column++;
    uint32_t cut = at.column > column + BEFORE_COLUMNS ? at.column - BEFORE_COLUMNS : column;
    for (; start < end && column < cut; column++)
        start = put_character(NULL, start, end);

    fputs("    ", out);
    uint32_t first = column;
    for (; start < end && column < first + SHOWN_COLUMNS; column++)
        start = put_character(out, start, end);
    fputs("\n    ", out);
    uint32_t before = at.column > first ? at.column - first : 0;
    uint32_t room = column > at.column ? column - at.column : 1;
    put_caret(out, before, at.width < room ? at.width : room);
}

static void put_place(FILE *out, span at)
{
    if (at.line)
        fprintf(out, "%s:%u:%u", at.source->name, at.line, at.column);
    else
        fprintf(out, "%s:1:1", at.source->name);
}

static void put_chain(FILE *out, const source *text)
{
    for (; text->extended_from.source; text = text->extended_from.source) {
        if (text->named_by)
            fprintf(out, "note: named by %s in ", text->named_by);
        else
            fputs("note: extended from ", out);
        put_place(out, text->extended_from);
        fputc('\n', out);
    }
}

/* One line, whatever the words in it are: they come from the file. */
static void put_sentence(FILE *out, const char *format, va_list arguments)
{
    char text[SENTENCE_BYTES];
    vsnprintf(text, sizeof text, format, arguments);
    const char *at = text, *end = text + strlen(text);
    uint32_t columns = 0;
    for (; at < end && columns < SENTENCE_COLUMNS; columns++)
        at = put_character(out, at, end);
    fputs(at < end ? "...\n" : "\n", out);
}

void report_word(FILE *out, const char *word)
{
    for (const char *end = word + strlen(word); word < end;)
        word = put_character(out, word, end);
}

static int is_within_limit(const diagnostics *log)
{
    return log->errors <= REPORTED_ERRORS_MAX;
}

void report_error(diagnostics *log, uint32_t number, span at, const char *format, ...)
{
    log->errors++;
    if (!is_within_limit(log))
        return;
    put_place(log->out, at);
    int is_sweep = number >= REPORTED_SWEEP_ERROR;
    fprintf(log->out, ": error[%c%02u]: ", is_sweep ? 'S' : 'N', is_sweep ? number - REPORTED_SWEEP_ERROR : number);
    va_list arguments;
    va_start(arguments, format);
    put_sentence(log->out, format, arguments);
    va_end(arguments);
    put_source_line(log->out, at);
    put_chain(log->out, at.source);
}

void report_note(diagnostics *log, const char *format, ...)
{
    if (!is_within_limit(log))
        return;
    fputs("note: ", log->out);
    va_list arguments;
    va_start(arguments, format);
    put_sentence(log->out, format, arguments);
    va_end(arguments);
}

void report_note_at(diagnostics *log, span at, const char *format, ...)
{
    if (!is_within_limit(log))
        return;
    put_place(log->out, at);
    fputs(": note: ", log->out);
    va_list arguments;
    va_start(arguments, format);
    put_sentence(log->out, format, arguments);
    va_end(arguments);
    put_source_line(log->out, at);
}

void report_rest(diagnostics *log)
{
    if (log->errors > REPORTED_ERRORS_MAX)
        fprintf(log->out, "note: %u more errors are not shown\n", log->errors - REPORTED_ERRORS_MAX);
}
