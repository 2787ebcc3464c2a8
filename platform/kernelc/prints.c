/* SPDX-License-Identifier: MIT */
#include "prints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print_format.h"

#define FUNCTION "@printf("
#define WORDS_MAX 7u
#define WORD "%%print.%u.%u" /* of the print, and of its words */

typedef struct print {
    hd_text *out;
    uint32_t number;
    uint32_t words;        /* so far */
    uint32_t intermediate; /* names between */
} print;

int prints_is_call(ir_piece line)
{
    return ir_starts_with(line, "  ") && ir_find(line, "call ") && ir_find(line, FUNCTION);
}

/* ---- Values ------------------------------------------------------------------------------------------------------------ */

/* A 64-bit value: the lower half, then the upper one. */
static void add_halves(print *p, int bytes, const char *name)
{
    const uint32_t upper = p->intermediate++;
    hd_text_add(p->out, "  " WORD " = trunc i64 %.*s to i32\n", p->number, p->words, bytes, name);
    hd_text_add(p->out, "  %%print.%u.part.%u = lshr i64 %.*s, 32\n", p->number, upper, bytes, name);
    hd_text_add(p->out, "  " WORD " = trunc i64 %%print.%u.part.%u to i32\n", p->number, p->words + 1, p->number,
                upper);
    p->words += 2;
}

static void add_element(print *p, ir_piece type, ir_piece name, int is_signed)
{
    const int bytes = (int)name.bytes;
    const uint32_t word = p->words;
    if (ir_equals(type, "i64")) {
        add_halves(p, bytes, name.text);
        return;
    }
    if (ir_equals(type, "double")) {
        const uint32_t part = p->intermediate++;
        hd_text_add(p->out, "  %%print.%u.part.%u = fptrunc double %.*s to float\n", p->number, part, bytes, name.text);
        hd_text_add(p->out, "  " WORD " = bitcast float %%print.%u.part.%u to i32\n", p->number, word, p->number, part);
    } else if (ir_equals(type, "float")) {
        hd_text_add(p->out, "  " WORD " = bitcast float %.*s to i32\n", p->number, word, bytes, name.text);
    } else if (ir_equals(type, "ptr")) {
        hd_text_add(p->out, "  " WORD " = ptrtoint ptr %.*s to i32\n", p->number, word, bytes, name.text);
    } else if (ir_equals(type, "i32")) {
        hd_text_add(p->out, "  " WORD " = add i32 %.*s, 0\n", p->number, word, bytes, name.text);
    } else {
        hd_text_add(p->out, "  " WORD " = %s %.*s %.*s to i32\n", p->number, word, is_signed ? "sext" : "zext",
                    (int)type.bytes, type.text, bytes, name.text);
    }
    p->words++;
}

static void add_value(print *p, arena *memory, const print_value *value)
{
    if (value->type.bytes == value->element.bytes) {
        add_element(p, value->element, value->name, value->is_signed);
        return;
    }
    for (uint32_t i = 0; i < value->count; i++) {
        const uint32_t part = p->intermediate++;
        hd_text_add(p->out, "  %%print.%u.part.%u = extractelement %.*s %.*s, i32 %u\n", p->number, part,
                    (int)value->type.bytes, value->type.text, (int)value->name.bytes, value->name.text, i);
        const char *name = arena_format(memory, "%%print.%u.part.%u", p->number, part);
        add_element(p, value->element, (ir_piece){name, strlen(name)}, value->is_signed);
    }
}

/* ---- The text ---------------------------------------------------------------------------------------------------------- */

/* What is behind "@.str = "; NULL: it is defined nowhere. */
static const char *text_of(const ir_prints *prints, ir_piece name)
{
    ir_piece line;
    for (ir_piece rest = prints->program; ir_next_line(&rest, &line);)
        if (line.bytes > name.bytes && !memcmp(line.text, name.text, name.bytes) &&
            ir_starts_with(ir_from(line, line.text + name.bytes), " = "))
            return print_constant_read(prints->memory, line);
    return NULL;
}

static int is_any_large(const print_value *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (print_value_is_large(&values[i]))
            return 1;
    return 0;
}

/* The name of the text for the instruction: the program's own, or one that is made. NULL: there is an error. */
static const char *fit_text(ir_prints *prints, ir_piece name, print_value *values, uint32_t count, char *error,
                            size_t error_bytes)
{
    const char *format = text_of(prints, name), *own = ir_copy(prints->memory, name);
    char *made;
    if (!format && !is_any_large(values, count))
        return own;
    if (!format) {
        snprintf(error, error_bytes, "a printf of vectors or 64 bits has a text of its own, in its place");
        return NULL;
    }
    if (print_format_of(format, values, count, &made, error, error_bytes))
        return NULL;
    const int is_same = !strcmp(made, format);
    if (!is_same)
        print_constant_add(&prints->constants, prints->count, made);
    free(made);
    return is_same ? own : arena_format(prints->memory, PRINT_CONSTANT, prints->count);
}

/* ---- The call ---------------------------------------------------------------------------------------------------------- */

static void add_instruction(const print *p, ir_piece line, const char *text)
{
    const char *place = ir_find(line, ", !dbg ");
    hd_text_add(p->out, "  call void asm sideeffect \".insn i 0x0B, 7, x0, a0, %d\\09# %u\", \"{x10}",
                -2048 + (int)p->words, p->number);
    for (uint32_t i = 0; i < p->words; i++)
        hd_text_add(p->out, ",{x%u}", 11 + i);
    hd_text_add(p->out, "\"(ptr %s", text);
    for (uint32_t i = 0; i < p->words; i++)
        hd_text_add(p->out, ", i32 " WORD, p->number, i);
    hd_text_add(p->out, ") nounwind%.*s\n", place ? (int)ir_from(line, place).bytes : 0, place ? place : "");
    const char *result = ir_find(line, " = ");
    if (result && result < ir_find(line, "call "))
        hd_text_add(p->out, "%.*s = add i32 0, 0\n", (int)(result - line.text), line.text);
}

static int check_values(const print_value *values, uint32_t count, char *error, size_t error_bytes)
{
    uint32_t words = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t each = print_words_of(values[i].element);
        if (!each) {
            snprintf(error, error_bytes, "value %u of a printf is no number, vector of numbers or pointer", i + 1);
            return -1;
        }
        words += values[i].count < WORDS_MAX + 1 ? each * values[i].count : WORDS_MAX + 1;
    }
    if (words <= WORDS_MAX)
        return 0;
    snprintf(error, error_bytes,
             "printf has at most %u values of 32 bits: one of 64 bits is two, and each element of a vector is one",
             WORDS_MAX);
    return -1;
}

int prints_add(ir_prints *prints, hd_text *out, ir_piece line, char *error, size_t error_bytes)
{
    const ir_list arguments = ir_split(prints->memory, ir_bracketed(ir_from(line, ir_find(line, FUNCTION)), '('));
    const uint32_t count = arguments.count ? arguments.count - 1 : 0;
    print_value *values = arena_alloc(prints->memory, (count + 1) * sizeof *values);
    for (uint32_t i = 0; i < count; i++)
        values[i] = print_value_of(arguments.items[i + 1]);
    if (check_values(values, count, error, error_bytes))
        return -1;
    const ir_piece name = arguments.count ? print_value_of(arguments.items[0]).name : (ir_piece){"null", 4};
    const char *text = fit_text(prints, name, values, count, error, error_bytes);
    if (!text)
        return -1;
    print p = {.out = out, .number = prints->count++};
    for (uint32_t i = 0; i < count; i++)
        add_value(&p, prints->memory, &values[i]);
    add_instruction(&p, line, text);
    return 0;
}
