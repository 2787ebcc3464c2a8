/* SPDX-License-Identifier: MIT */
#include "print_format.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ---- Values ------------------------------------------------------------------------------------------------------------ */

/* What is behind the type and the words that say how the value is passed. */
static ir_piece name_behind(ir_piece argument, size_t type)
{
    static const char *const words[] = {" noundef", " nonnull", " signext", " zeroext", " inreg"};
    ir_piece rest = ir_from(argument, argument.text + type);
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (ir_starts_with(rest, words[i])) {
            rest = ir_from(rest, rest.text + strlen(words[i]));
            i = (size_t)-1; /* from the first word again */
        }
    return rest.bytes ? ir_from(rest, rest.text + 1) : rest;
}

print_value print_value_of(ir_piece argument)
{
    const char *close = ir_starts_with(argument, "<") ? memchr(argument.text, '>', argument.bytes) : NULL;
    const char *blank = memchr(argument.text, ' ', argument.bytes);
    const size_t type = close   ? (size_t)(close + 1 - argument.text)
                        : blank ? (size_t)(blank - argument.text)
                                : argument.bytes;
    print_value value = {.type = {argument.text, type},
                         .element = {argument.text, type},
                         .name = name_behind(argument, type),
                         .count = 1};
    const ir_piece vector = close ? ir_bracketed(argument, '<') : (ir_piece){0};
    const char *times = vector.text ? ir_find(vector, " x ") : NULL;
    if (times) {
        value.count = (uint32_t)strtoul(vector.text, NULL, 10);
        value.element = ir_from(vector, times + 3);
    }
    return value;
}

static int is_vector(const print_value *value)
{
    return value->type.bytes != value->element.bytes;
}

uint32_t print_words_of(ir_piece element)
{
    static const struct {
        const char *type;
        uint32_t words;
    } rows[] = {{"double", 1}, {"float", 1}, {"ptr", 1}, {"i8", 1}, {"i16", 1}, {"i32", 1}, {"i64", 2}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (ir_equals(element, rows[i].type))
            return rows[i].words;
    return 0;
}

int print_value_is_large(const print_value *value)
{
    return is_vector(value) || print_words_of(value->element) > 1;
}

/* ---- Formats ----------------------------------------------------------------------------------------------------------- */

/* "%-8.3v4hlf": flags and numbers, the vector, the length, the letter. */
typedef struct conversion {
    const char *text;
    int head;       /* characters before the vector */
    uint32_t count; /* of the vector's elements; 0: none is said */
    char length[4];
    char letter;
    const char *end;
} conversion;

static conversion read_conversion(const char *text)
{
    conversion c = {.text = text};
    const char *at = text + 1 + strspn(text + 1, "-+ #0");
    at += strspn(at, "0123456789.");
    c.head = (int)(at - text);
    if (*at == 'v') {
        char *end;
        c.count = (uint32_t)strtoul(at + 1, &end, 10);
        at = end;
    }
    const size_t length = strspn(at, "hljzt");
    snprintf(c.length, sizeof c.length, "%.*s", (int)(length < sizeof c.length ? length : 0), at);
    at += length;
    c.letter = *at;
    c.end = *at ? at + 1 : at;
    return c;
}

static int __attribute__((format(printf, 3, 4))) refuse(char *error, size_t error_bytes, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, error_bytes, format, arguments);
    va_end(arguments);
    return -1;
}

/* A number of 64 bits in OpenCL C ("l") or CUDA, where types are those of the host. */
static int is_of_64_bits(const conversion *c)
{
    static const char *const lengths[] = {"l", "ll", "j", "z", "t"};
    for (size_t i = 0; i < COUNT_OF(lengths); i++)
        if (!strcmp(c->length, lengths[i]))
            return c->letter && strchr("diuoxX", c->letter) != NULL;
    return 0;
}

static int check(const conversion *c, const print_value *value, uint32_t number, char *error, size_t bytes)
{
    const int width = (int)(c->end - c->text);
    const int is_wide = print_words_of(value->element) > 1;
    if (is_vector(value) && c->count != value->count)
        return refuse(error, bytes, "value %u of a printf is a vector of %u: '%.*s' is none of it", number,
                      value->count, width, c->text);
    if (!is_vector(value) && c->count)
        return refuse(error, bytes, "value %u of a printf is no vector: '%.*s'", number, width, c->text);
    if (is_wide && !is_of_64_bits(c))
        return refuse(error, bytes, "value %u of a printf has 64 bits: '%.*s' is not of that many", number, width,
                      c->text);
    return 0;
}

/* Elements stand behind each other with commas. */
static void put(hd_text *out, const conversion *c, const print_value *value)
{
    const int is_wide = print_words_of(value->element) > 1;
    for (uint32_t i = 0; i < value->count; i++)
        hd_text_add(out, "%s%.*s%s%c", i ? "," : "", c->head, c->text, is_wide ? "ll" : "", c->letter);
}

static int convert(hd_text *out, const char *format, print_value *values, uint32_t count, char *error,
                   size_t error_bytes)
{
    uint32_t used = 0;
    while (*format) {
        const int plain = (int)strcspn(format, "%");
        hd_text_add(out, "%.*s", plain, format);
        format += plain;
        if (!*format)
            break;
        const conversion c = read_conversion(format);
        format = c.end;
        if (c.letter == '%') {
            hd_text_add(out, "%%%%");
        } else if (used == count) {
            return refuse(error, error_bytes, "a printf has no value for '%.*s'", (int)(c.end - c.text), c.text);
        } else {
            if (check(&c, &values[used], used + 1, error, error_bytes))
                return -1;
            values[used].is_signed = c.letter == 'd' || c.letter == 'i';
            put(out, &c, &values[used++]);
        }
    }
    return 0;
}

int print_format_of(const char *format, print_value *values, uint32_t count, char **made, char *error,
                    size_t error_bytes)
{
    hd_text out = {0};
    const int failed = convert(&out, format, values, count, error, error_bytes);
    *made = hd_text_take(&out);
    if (failed) {
        free(*made);
        *made = NULL;
    }
    return failed;
}

/* ---- Constants --------------------------------------------------------------------------------------------------------- */

static int digit(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

const char *print_constant_read(arena *memory, ir_piece definition)
{
    const char *open = ir_find(definition, " c\"");
    const char *end = definition.text + definition.bytes;
    if (!open)
        return NULL;
    char *text = arena_alloc(memory, definition.bytes + 1), *to = text;
    for (const char *at = open + 3; at < end && *at != '"'; at++) {
        if (*at == '\\' && end - at > 2 && isxdigit((unsigned char)at[1]) && isxdigit((unsigned char)at[2])) {
            *to++ = (char)(digit(at[1]) * 16 + digit(at[2]));
            at += 2;
        } else {
            *to++ = *at;
        }
    }
    return text;
}

void print_constant_add(hd_text *program, uint32_t number, const char *text)
{
    hd_text_add(program, PRINT_CONSTANT " = private unnamed_addr constant [%zu x i8] c\"", number, strlen(text) + 1);
    for (; *text; text++)
        if (isalnum((unsigned char)*text) || strchr(" %.,:;()", *text))
            hd_text_add(program, "%c", *text);
        else
            hd_text_add(program, "\\%02X", (unsigned)(unsigned char)*text);
    hd_text_add(program, "\\00\", align 1\n");
}
