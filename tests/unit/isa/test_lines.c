/* SPDX-License-Identifier: MIT */
/* The table of source lines, from .debug_line sections written here byte by byte (DWARF 5, 6.2). */
#include "assemble.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 12u

/* Line numbers advance by -3..8 in special opcodes, which start behind the standard ones. */
#define LINE_BASE (-3)
#define LINE_RANGE 12
#define OPCODE_BASE 13
#define SPECIAL(bytes, lines) (uint8_t)(OPCODE_BASE + (lines)-LINE_BASE + (bytes)*LINE_RANGE)

#define COPY 1
#define ADVANCE_PC 2
#define ADVANCE_LINE 3
#define SET_FILE 4
#define SET_COLUMN 5
#define CONST_ADD_PC 8
#define FIXED_ADVANCE_PC 9
#define SET_ADDRESS(word) 0, 5, 2, (uint8_t)(4 * (word)), 0, 0, 0x10
#define SET_ADDRESS_0 0, 5, 2, 0, 0, 0, 0
#define END_SEQUENCE 0, 1, 1

#define FIXED_HEADER 1, 1, 1, (uint8_t)LINE_BASE, LINE_RANGE, OPCODE_BASE, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1

typedef struct buffer {
    uint8_t bytes[512];
    uint32_t count;
} buffer;

static void put(buffer *b, const void *data, size_t bytes)
{
    cr_assert(b->count + bytes <= sizeof b->bytes);
    memcpy(b->bytes + b->count, data, bytes);
    b->count += (uint32_t)bytes;
}

static void put_length(buffer *b, size_t bytes)
{
    const uint32_t length = (uint32_t)bytes;
    put(b, &length, sizeof length);
}

/* A unit of DWARF 5 with directory 0 "work" and 1 "include", and files 0, 1 "k.c" in 0, 2 "simt.h" in 1. */
static void put_unit(buffer *b, const uint8_t *program, size_t bytes)
{
    static const uint8_t lists[] = "\1\1\x1F\2\0\0\0\0\5\0\0\0\2\1\x1F\2\x0B\3\x0D\0\0\0\0\x0D\0\0\0\0\x11\0\0\0\1";
    static const uint8_t fixed[] = {FIXED_HEADER};
    const size_t header = sizeof fixed + sizeof lists - 1;
    put_length(b, 8 + header + bytes);
    put(b, "\5\0\4\0", 4);
    put_length(b, header);
    put(b, fixed, sizeof fixed);
    put(b, lists, sizeof lists - 1);
    put(b, program, bytes);
}

static const char line_strings[] = "work\0include\0k.c\0simt.h";

static isa_program *load_section(const buffer *lines)
{
    uint32_t words[WORDS];
    const test_function functions[] = {{"kernel", 0}, {"helper", 8}};
    const test_section sections[] = {{".debug_line", lines->bytes, lines->count},
                                     {".debug_line_str", line_strings, sizeof line_strings}};
    char error[256] = "";
    size_t bytes;
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = RETURN_WORD;
    uint8_t *file = add_sections(make_elf(words, WORDS, functions, 2, &bytes), &bytes, sections, 2);
    isa_program *program = isa_program_load(file, bytes, error, sizeof error);
    cr_assert(program, "%s", error);
    free(file);
    return program;
}

#define LOAD(...)                                                                                                      \
    ({                                                                                                                 \
        const uint8_t opcodes[] = {__VA_ARGS__};                                                                       \
        buffer lines = {0};                                                                                            \
        put_unit(&lines, opcodes, sizeof opcodes);                                                                     \
        load_section(&lines);                                                                                          \
    })

/* file NULL: no line. */
static void expect_line(const isa_program *program, uint32_t word, const char *file, uint32_t line)
{
    uint32_t found = 0;
    const char *path = isa_program_line(program, TEXT + 4 * word, &found);
    if (file && path)
        cr_expect(!strcmp(path, file) && found == line, "word %u: %s:%u, not %s:%u", word, path, found, file, line);
    else
        cr_expect(!file && !path, "word %u: %s, not %s", word, path ? path : "no line", file ? file : "no line");
}

Test(lines, of_each_kind_of_opcode_are_found_by_address)
{
    isa_program *program = LOAD(SET_ADDRESS(0), ADVANCE_LINE, 9, COPY, SPECIAL(4, 2), SET_COLUMN, 7, ADVANCE_PC, 4,
                                ADVANCE_LINE, 0x7F, SET_FILE, 2, COPY, CONST_ADD_PC, SET_FILE, 1, SPECIAL(0, 0),
                                FIXED_ADVANCE_PC, 4, 0, SPECIAL(0, 8), ADVANCE_PC, 4, END_SEQUENCE);
    const uint32_t const_add = (255 - OPCODE_BASE) / LINE_RANGE / 4;
    expect_line(program, 0, "work/k.c", 10);
    expect_line(program, 1, "work/k.c", 12);
    for (uint32_t word = 2; word < 2 + const_add; word++)
        expect_line(program, word, "include/simt.h", 11);
    expect_line(program, 2 + const_add, "work/k.c", 11);
    expect_line(program, 3 + const_add, "work/k.c", 19);
    expect_line(program, 4 + const_add, NULL, 0);
    isa_program_free(program);
}

Test(lines, hold_until_the_next_row_and_not_outside_the_code)
{
    isa_program *program = LOAD(SET_ADDRESS(2), COPY, ADVANCE_PC, 200, 1, END_SEQUENCE);
    uint32_t line;
    expect_line(program, 1, NULL, 0);
    expect_line(program, WORDS - 1, "work/k.c", 1);
    cr_expect_null(isa_program_line(program, TEXT + 4 * WORDS, &line));
    cr_expect_null(isa_program_line(program, TEXT - 4, &line));
    cr_expect_null(isa_program_line(program, 0, &line));
    isa_program_free(program);
}

Test(lines, of_the_last_of_several_rows_at_one_address_hold)
{
    isa_program *program = LOAD(SET_ADDRESS(0), COPY, SPECIAL(0, 3), SPECIAL(0, 1), SPECIAL(8, 1), END_SEQUENCE);
    expect_line(program, 0, "work/k.c", 5);
    isa_program_free(program);
}

Test(lines, of_a_sequence_are_not_ended_by_the_end_of_the_one_before)
{
    isa_program *program =
        LOAD(SET_ADDRESS(4), ADVANCE_LINE, 49, COPY, ADVANCE_PC, 16, END_SEQUENCE, SET_ADDRESS(0), COPY, ADVANCE_PC, 16,
             END_SEQUENCE, SET_ADDRESS_0, ADVANCE_LINE, 20, COPY, END_SEQUENCE);
    expect_line(program, 3, "work/k.c", 1);
    expect_line(program, 4, "work/k.c", 50);
    expect_line(program, 8, NULL, 0);
    cr_expect_eq(program->line_count, 3, "rows about dropped code are not kept");
    isa_program_free(program);
}

Test(lines, of_line_zero_and_of_files_that_are_not_there_are_unknown)
{
    isa_program *program = LOAD(SET_ADDRESS(0), ADVANCE_LINE, 0x7F, COPY, SPECIAL(4, 2), SET_FILE, 3, SPECIAL(4, 1),
                                ADVANCE_PC, 4, END_SEQUENCE);
    expect_line(program, 0, NULL, 0);
    expect_line(program, 1, "work/k.c", 2);
    expect_line(program, 2, NULL, 0);
    isa_program_free(program);
}

Test(lines, are_read_in_the_older_format)
{
    static const uint8_t fixed[] = {FIXED_HEADER};
    static const uint8_t lists[] = "include\0\0k.c\0\0\0\0simt.h\0\1\5\6\0";
    const uint8_t opcodes[] = {SET_ADDRESS(0), SPECIAL(0, 4), SET_FILE, 2, SPECIAL(4, 1), ADVANCE_PC, 4, END_SEQUENCE};
    const size_t header = sizeof fixed + sizeof lists - 1;
    buffer lines = {0};
    put_length(&lines, 6 + header + sizeof opcodes);
    put(&lines, "\4\0", 2);
    put_length(&lines, header);
    put(&lines, fixed, sizeof fixed);
    put(&lines, lists, sizeof lists - 1);
    put(&lines, opcodes, sizeof opcodes);
    isa_program *program = load_section(&lines);
    expect_line(program, 0, "k.c", 5);
    expect_line(program, 1, "include/simt.h", 6);
    isa_program_free(program);
}

Test(lines, of_one_unit_are_kept_when_another_is_damaged)
{
    const uint8_t good[] = {SET_ADDRESS(0), COPY, ADVANCE_PC, 4, END_SEQUENCE};
    const uint8_t cut[] = {SET_ADDRESS(1), COPY, ADVANCE_PC, 0x80};
    buffer lines = {0};
    put_unit(&lines, cut, sizeof cut);
    uint32_t unknown = lines.count + 4;
    put_unit(&lines, good, sizeof good);
    put_unit(&lines, good, sizeof good);
    lines.bytes[unknown] = 6; /* version */
    isa_program *program = load_section(&lines);
    expect_line(program, 0, "work/k.c", 1);
    expect_line(program, 1, NULL, 0);
    isa_program_free(program);
}

Test(lines, are_named_in_places_by_file_name)
{
    char text[128];
    isa_program *program = LOAD(SET_ADDRESS(0), ADVANCE_LINE, 11, COPY, ADVANCE_PC, 20, END_SEQUENCE);
    isa_program_place(program, TEXT + 16, text, sizeof text);
    cr_expect_str_eq(text, "0x10000010 (kernel+0x10, k.c:12)");
    isa_program_place(program, TEXT + 36, text, sizeof text);
    cr_expect_str_eq(text, "0x10000024 (helper+0x4)");
    isa_program_place(program, TEXT + 4 * WORDS, text, sizeof text);
    cr_expect_str_eq(text, "0x10000030");
    isa_program_free(program);
}

Test(lines, with_any_damage_are_no_error)
{
    const uint8_t opcodes[] = {SET_ADDRESS(0),
                               COPY,
                               SET_FILE,
                               2,
                               SPECIAL(4, 1),
                               CONST_ADD_PC,
                               FIXED_ADVANCE_PC,
                               4,
                               0,
                               ADVANCE_LINE,
                               0x80,
                               1,
                               COPY,
                               ADVANCE_PC,
                               4,
                               END_SEQUENCE};
    buffer lines = {0};
    put_unit(&lines, opcodes, sizeof opcodes);
    for (uint32_t at = 0; at < lines.count; at++) {
        buffer copy = lines;
        for (uint32_t value = 0; value < 256; value++) {
            copy.bytes[at] = (uint8_t)value;
            isa_program *program = load_section(&copy);
            for (uint32_t word = 0; word < WORDS; word++) {
                char text[128];
                isa_program_place(program, TEXT + 4 * word, text, sizeof text);
            }
            isa_program_free(program);
        }
        copy = lines;
        copy.count = at + 1;
        isa_program_free(load_section(&copy));
    }
}
