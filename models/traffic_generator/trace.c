/* SPDX-License-Identifier: MIT */
#include "trace.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_address.h"
#include "hd_message.h"

#define WORDS 5u
#define ALL UINT64_MAX /* generators */

typedef struct word {
    const char *text;
    size_t length;
} word;

typedef struct reader {
    trace *trace;
    size_t capacity;
    const char *name;
    uint64_t line;
    uint32_t index, count;
    uint64_t *last_cycle; /* of each generator */
    char *error;
    size_t error_bytes;
} reader;

__attribute__((format(printf, 2, 3))) static int refuse(reader *from, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length =
        snprintf(from->error, from->error_bytes, "%s:%llu: ", from->name, (unsigned long long)from->line);
    if (length >= 0 && (size_t)length < from->error_bytes)
        vsnprintf(from->error + length, from->error_bytes - (size_t)length, format, arguments);
    va_end(arguments);
    return 0;
}

/* A word for people: printable and not endless. */
static const char *for_people(const word *from, char text[32])
{
    size_t i = 0;
    for (; i < from->length && i < 24; i++)
        text[i] = from->text[i] > 0x20 && from->text[i] < 0x7F ? from->text[i] : '?';
    strcpy(text + i, i < from->length ? "..." : "");
    return text;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Returns the number of words before a comment, counted up to one too many. */
static uint32_t split(const char *line, size_t length, word words[WORDS])
{
    uint32_t count = 0;
    for (size_t i = 0; i < length && line[i] != '#';) {
        if (is_blank(line[i])) {
            i++;
            continue;
        }
        const size_t first = i;
        while (i < length && !is_blank(line[i]) && line[i] != '#')
            i++;
        if (count == WORDS)
            return WORDS + 1;
        words[count++] = (word){line + first, i - first};
    }
    return count;
}

static int read_number(const word *from, uint64_t *value)
{
    const int is_hex = from->length > 2 && from->text[0] == '0' && (from->text[1] == 'x' || from->text[1] == 'X');
    const uint64_t base = is_hex ? 16 : 10;
    *value = 0;
    for (size_t i = is_hex ? 2 : 0; i < from->length; i++) {
        const char c = from->text[i];
        const uint64_t digit = c >= '0' && c <= '9'             ? (uint64_t)(c - '0')
                               : is_hex && c >= 'a' && c <= 'f' ? (uint64_t)(c - 'a' + 10)
                               : is_hex && c >= 'A' && c <= 'F' ? (uint64_t)(c - 'A' + 10)
                                                                : base;
        if (digit == base || *value > (UINT64_MAX - digit) / base)
            return 0;
        *value = *value * base + digit;
    }
    return from->length > 0;
}

static int read_operation(const word *from, uint32_t *operation)
{
    static const char *const names[] = {"load", "store", "atomic"};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i]) == from->length && !memcmp(names[i], from->text, from->length)) {
            *operation = i;
            return 1;
        }
    }
    return 0;
}

static int check_place(reader *from, const trace_access *access, uint64_t bytes)
{
    if (bytes < 1 || bytes > HD_LINE_BYTES)
        return refuse(from, "%llu bytes; an access has 1 to 128", (unsigned long long)bytes);
    if (access->address < HD_GLOBAL_BASE || access->address > HD_PHYSICAL_CONTEXT_BASE - bytes)
        return refuse(from, "address 0x%llx is outside of global memory, 0x%x to 0x%llx",
                      (unsigned long long)access->address, HD_GLOBAL_BASE,
                      (unsigned long long)HD_PHYSICAL_CONTEXT_BASE - 1);
    if (access->address % HD_LINE_BYTES + bytes > HD_LINE_BYTES)
        return refuse(from, "%llu bytes at 0x%llx leave their line of 128 bytes", (unsigned long long)bytes,
                      (unsigned long long)access->address);
    if (access->operation == OPERATION_ATOMIC && (bytes != 4 || access->address % 4))
        return refuse(from, "an atomic has 4 bytes at a multiple of 4");
    return 1;
}

static int check_order(reader *from, uint64_t generator, uint64_t cycle)
{
    const uint64_t first = generator == ALL ? 0 : generator, end = generator == ALL ? from->count : generator + 1;
    for (uint64_t i = first; i < end; i++) {
        if (cycle < from->last_cycle[i])
            return refuse(from, "cycle %llu comes after cycle %llu of generator %llu", (unsigned long long)cycle,
                          (unsigned long long)from->last_cycle[i], (unsigned long long)i);
        from->last_cycle[i] = cycle;
    }
    return 1;
}

static int keep(reader *from, const trace_access *access)
{
    trace *to = from->trace;
    if (to->count == from->capacity) {
        const size_t capacity = from->capacity ? 2 * from->capacity : 64;
        trace_access *grown = realloc(to->accesses, capacity * sizeof *grown);
        if (!grown)
            return refuse(from, "out of memory");
        to->accesses = grown;
        from->capacity = capacity;
    }
    to->accesses[to->count++] = *access;
    return 1;
}

static int read_line(reader *from, const char *line, size_t length)
{
    word words[WORDS];
    char text[32];
    trace_access access;
    uint64_t generator = ALL, bytes;
    const uint32_t count = split(line, length, words);
    if (!count)
        return 1;
    if (count != WORDS)
        return refuse(from, "it must be GENERATOR CYCLE load|store|atomic ADDRESS BYTES");
    const int is_all = words[0].length == 1 && words[0].text[0] == '*';
    if (!is_all && (!read_number(&words[0], &generator) || generator >= from->count))
        return refuse(from, "generator '%s'; it must be * or a number below %u", for_people(&words[0], text),
                      from->count);
    if (!read_number(&words[1], &access.cycle) || access.cycle > UINT64_MAX / 2)
        return refuse(from, "cycle '%s'; it must be a number below 2^63", for_people(&words[1], text));
    if (!read_operation(&words[2], &access.operation))
        return refuse(from, "operation '%s'; it must be load, store or atomic", for_people(&words[2], text));
    if (!read_number(&words[3], &access.address))
        return refuse(from, "address '%s'; it must be a number such as 0x10000000", for_people(&words[3], text));
    if (!read_number(&words[4], &bytes))
        return refuse(from, "size '%s'; it must be a number of bytes", for_people(&words[4], text));
    if (!check_place(from, &access, bytes) || !check_order(from, generator, access.cycle))
        return 0;
    access.bytes = (uint32_t)bytes;
    return (generator != ALL && generator != from->index) || keep(from, &access);
}

int trace_parse(trace *trace, const char *name, const char *text, size_t length, uint32_t index, uint32_t count,
                char *error, size_t error_bytes)
{
    reader from = {.trace = trace,
                   .name = name,
                   .index = index,
                   .count = count,
                   .last_cycle = calloc(count, sizeof *from.last_cycle),
                   .error = error,
                   .error_bytes = error_bytes};
    int is_good = from.last_cycle != NULL || refuse(&from, "out of memory");
    *trace = (struct trace){0};
    for (size_t at = 0; is_good && at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        const size_t line = end ? (size_t)(end - text) - at : length - at;
        from.line++;
        is_good = read_line(&from, text + at, line);
        at += line + 1;
    }
    free(from.last_cycle);
    return is_good;
}

static char *read_text(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t capacity = 0;
    *length = 0;
    if (!file)
        return NULL;
    do {
        capacity = capacity ? 2 * capacity : 1 << 16;
        char *grown = realloc(text, capacity);
        if (!grown)
            break;
        text = grown;
        *length += fread(text + *length, 1, capacity - *length, file);
    } while (*length == capacity);
    if (!text || ferror(file) || *length == capacity) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

int trace_read(trace *trace, const char *path, uint32_t index, uint32_t count, char *error, size_t error_bytes)
{
    size_t length;
    errno = 0;
    *trace = (struct trace){0};
    char *text = read_text(path, &length);
    if (!text) {
        snprintf(error, error_bytes, "trace %s: %s", path, strerror(errno ? errno : ENOMEM));
        return 0;
    }
    const int is_good = trace_parse(trace, path, text, length, index, count, error, error_bytes);
    free(text);
    return is_good;
}

void trace_free(trace *trace)
{
    free(trace->accesses);
    *trace = (struct trace){0};
}
