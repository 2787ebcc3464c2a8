/* SPDX-License-Identifier: MIT */
/* The text of a printf, which knows vectors and 64 bits, becomes one of the instruction that prints (models/isa/print.h). */
#ifndef KERNELC_PRINT_FORMAT_H
#define KERNELC_PRINT_FORMAT_H

#include "ir_text.h"
#include "text.h"

/* A value as LLVM's text has it: "<4 x float> noundef %3". */
typedef struct print_value {
    ir_piece type;    /* "<4 x float>" */
    ir_piece element; /* "float"; of a value that is no vector, its type */
    ir_piece name;    /* "%3" */
    uint32_t count;   /* of elements */
    int is_signed;    /* its conversion says so */
} print_value;

print_value print_value_of(ir_piece argument);
/* Registers of 32 bits that an element takes; 0: it cannot be printed. */
uint32_t print_words_of(ir_piece element);
/* It needs the format below: it is a vector, or has 64 bits and is no double. */
int print_value_is_large(const print_value *value);

/* The format, without escapes, with a conversion of its own for each element. 0, or -1 and one line in error: a conversion is not that of
 * its value. Fills is_signed. made is to be freed. */
int print_format_of(const char *format, print_value *values, uint32_t count, char **made, char *error,
                    size_t error_bytes);

/* "c\"text\\0A\\00\"" of a constant to the text, which is in the arena; NULL: it is none. */
const char *print_constant_read(arena *memory, ir_piece definition);
/* A definition of a constant with that text. */
void print_constant_add(hd_text *program, uint32_t number, const char *text);
#define PRINT_CONSTANT "@heddle.print.text.%u"

#endif
