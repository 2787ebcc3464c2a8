/* SPDX-License-Identifier: MIT */
#include "print.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CONVERSION_BYTES 32u
#define DIGITS "0123456789"
#define MOST_DIGITS 3u /* snprintf takes its time for a line of a billion blanks, and fails beyond */

typedef struct printer {
    const isa_program *program;
    const uint32_t *registers; /* of the lane: argument i is registers[i * lanes] */
    uint32_t lanes;
    uint32_t given; /* arguments */
    uint32_t used;
    char *text;
    size_t bytes;
    size_t length; /* without the final 0; less than bytes */
} printer;

/* One conversion: "%-8.3lx". */
typedef struct conversion {
    char format[CONVERSION_BYTES]; /* without its length modifier, unless that is ll */
    char letter;
    uint32_t is_wide; /* ll: of 64 bits, two arguments */
    uint32_t length;  /* in the program's text */
} conversion;

const char *isa_program_text(const isa_program *program, uint32_t address)
{
    for (uint32_t i = 0; i < program->segment_count; i++) {
        const isa_segment *segment = &program->segments[i];
        uint32_t offset = address - segment->address;
        if (offset >= segment->file_bytes || segment->flags & ISA_SEGMENT_WRITE)
            continue;
        const char *text = (const char *)segment->data + offset;
        return memchr(text, 0, segment->file_bytes - offset) ? text : NULL;
    }
    return NULL;
}

/* The message replaces what has been printed. */
__attribute__((format(printf, 2, 3))) static int refuse(printer *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->text, p->bytes, format, arguments);
    va_end(arguments);
    return 1;
}

static void append(printer *p, const char *from, size_t length)
{
    size_t room = p->bytes - 1 - p->length;
    length = length < room ? length : room;
    memcpy(p->text + p->length, from, length);
    p->length += length;
    p->text[p->length] = 0;
}

/* As snprintf with this format. */
#define APPEND(p, conversion, value)                                                                                   \
    appended(p, snprintf((p)->text + (p)->length, (p)->bytes - (p)->length, (conversion)->format, value))

static void appended(printer *p, int length)
{
    size_t room = p->bytes - 1 - p->length;
    p->length += (size_t)length < room ? (size_t)length : room;
}

/* Length of "12.3" at text; MOST_DIGITS bounds both numbers, or it is none. */
static int measure_numbers(const char *text, size_t *length)
{
    size_t width = strspn(text, DIGITS), point = text[width] == '.';
    size_t precision = point ? strspn(text + width + 1, DIGITS) : 0;
    *length = width + point + precision;
    return width <= MOST_DIGITS && precision <= MOST_DIGITS;
}

/* Reads the conversion at text, which begins with %. Returns 0 if there is none of that form. */
static int read_conversion(const char *text, conversion *found)
{
    size_t flags = 1 + strspn(text + 1, "-+ #0"), numbers;
    if (!measure_numbers(text + flags, &numbers))
        return 0;
    size_t head = flags + numbers;
    size_t modifier = strspn(text + head, "hlqjzt");
    char letter = text[head + modifier];
    const uint32_t is_wide = modifier == 2 && !strncmp(text + head, "ll", 2) && letter && strchr("diuoxX", letter);
    const uint32_t is_odd = modifier > 1 && text[head] != 'h' && !is_wide;
    if (head + 4 > CONVERSION_BYTES || is_odd || text[head] == 'q' || !letter || !strchr("diuoxXcspaAeEfFgG%", letter))
        return 0;
    memcpy(found->format, text, head);
    strcpy(found->format + head, is_wide ? "ll" : "");
    strncat(found->format, &text[head + modifier], 1);
    found->letter = letter;
    found->is_wide = is_wide;
    found->length = (uint32_t)(head + modifier + 1);
    return 1;
}

static int print_text(printer *p, const conversion *c, uint32_t address)
{
    const char *text = isa_program_text(p->program, address);
    if (!text)
        return refuse(p, "printf: argument %u, 0x%08x, of '%s' is no constant text", p->used, address, c->format);
    APPEND(p, c, text);
    return 0;
}

/* That of 0 would end the line: it takes the place of an empty text. */
static void print_character(printer *p, conversion c, uint32_t word)
{
    if ((uint8_t)word) {
        APPEND(p, &c, (int32_t)word);
        return;
    }
    c.format[strlen(c.format) - 1] = 's';
    APPEND(p, &c, "");
}

static uint32_t next_word(printer *p)
{
    return p->registers[p->used++ * p->lanes];
}

/* The lower half comes first. */
static int print_wide(printer *p, const conversion *c)
{
    if (p->given - p->used < 2)
        return refuse(p, "printf: no two arguments for '%s': there are %u", c->format, p->given);
    const uint64_t low = next_word(p), value = low | (uint64_t)next_word(p) << 32;
    APPEND(p, c, value);
    return 0;
}

static int print_argument(printer *p, const conversion *c)
{
    if (c->is_wide)
        return print_wide(p, c);
    if (p->used == p->given)
        return refuse(p, "printf: no argument for '%s': there are %u", c->format, p->given);
    const uint32_t word = next_word(p);
    float number;
    memcpy(&number, &word, sizeof number);
    if (c->letter == 's')
        return print_text(p, c, word);
    if (strchr("aAeEfFgG", c->letter))
        APPEND(p, c, (double)number);
    else if (c->letter == 'c')
        print_character(p, *c, word);
    else if (c->letter == 'p')
        appended(p, snprintf(p->text + p->length, p->bytes - p->length, "0x%08" PRIx32, word));
    else if (c->letter == 'd' || c->letter == 'i')
        APPEND(p, c, (int32_t)word);
    else
        APPEND(p, c, word);
    return 0;
}

static int print_format(printer *p, const char *format)
{
    while (*format) {
        size_t plain = strcspn(format, "%");
        conversion c;
        append(p, format, plain);
        format += plain;
        if (!*format)
            break;
        if (!read_conversion(format, &c))
            return refuse(p, "printf: no conversion of this kind: '%.8s'", format);
        format += c.length;
        if (c.letter == '%')
            append(p, "%", 1);
        else if (print_argument(p, &c))
            return 1;
    }
    if (p->used != p->given)
        return refuse(p, "printf: %u arguments, the text uses %u", p->given, p->used);
    return 0;
}

int isa_print(const isa_program *program, const isa_instruction *instruction, const isa_lanes *lanes, uint32_t lane,
              char *text, size_t bytes)
{
    uint32_t address = lanes->registers[ISA_PRINT_TEXT * lanes->lanes + lane];
    printer p = {
        .program = program,
        .registers = lanes->registers + (ISA_PRINT_TEXT + 1) * lanes->lanes + lane,
        .lanes = lanes->lanes,
        .given = (uint32_t)instruction->immediate,
        .text = text,
        .bytes = bytes,
    };
    *text = 0;
    const char *format = isa_program_text(program, address);
    if (!format)
        return refuse(&p, "printf: 0x%08x is no constant text", address);
    if (print_format(&p, format))
        return 1;
    if (p.length && text[p.length - 1] == '\n')
        text[p.length - 1] = 0;
    return 0;
}
