/* SPDX-License-Identifier: MIT */
/* What print says: the C library's own snprintf is the oracle of every conversion. */
#include "assemble.h"
#include "print.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define WRITABLE (TEXT + 0x1000)
#define LANE 3u

static char constants[256], variables[] = "variable";
static isa_segment segments[2];
static const isa_program program = {.segments = segments, .segment_count = COUNT_OF(segments)};
static warp w;

static void place(const char *format)
{
    memset(constants, 0, sizeof constants);
    strcpy(constants, format);
    strcpy(constants + 200, "constant");
    segments[0] = (isa_segment){.address = TEXT,
                                .file_bytes = sizeof constants,
                                .memory_bytes = sizeof constants,
                                .data = (const uint8_t *)constants,
                                .flags = ISA_SEGMENT_READ | ISA_SEGMENT_EXECUTE};
    segments[1] = (isa_segment){.address = WRITABLE,
                                .file_bytes = sizeof variables,
                                .memory_bytes = sizeof variables,
                                .data = (const uint8_t *)variables,
                                .flags = ISA_SEGMENT_READ | ISA_SEGMENT_WRITE};
    warp_init(&w, 32);
    *warp_register(&w, 10, LANE) = TEXT;
}

static int print(uint32_t arguments, char *text, size_t bytes)
{
    isa_instruction instruction = isa_decode(WORD(PRINT, .immediate = (int32_t)arguments));
    return isa_print(&program, &instruction, &w.lanes, LANE, text, bytes);
}

static void expect_print(const char *format, uint32_t word, const char *expected)
{
    char text[128];
    place(format);
    *warp_register(&w, 11, LANE) = word;
    cr_expect_eq(print(1, text, sizeof text), 0, "%s: %s", format, text);
    cr_expect_str_eq(text, expected, "%s of 0x%08x: \"%s\", expected \"%s\"", format, word, text, expected);
}

Test(print, converts_integers_as_c_does)
{
    static const char *const formats[] = {"%d", "%i", "%5d|", "%-7d|", "%+d", "% d", "%05d", "%.3d", "%c"};
    static const char *const unsigned_formats[] = {"%u", "%x", "%#X", "%o", "%08x", "%-12u|"};
    static const uint32_t words[] = {1, 42, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x41424344};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        char expected[64];
        for (size_t j = 0; j < COUNT_OF(formats); j++) {
            snprintf(expected, sizeof expected, formats[j], (int)words[i]);
            expect_print(formats[j], words[i], expected);
        }
        for (size_t j = 0; j < COUNT_OF(unsigned_formats); j++) {
            snprintf(expected, sizeof expected, unsigned_formats[j], words[i]);
            expect_print(unsigned_formats[j], words[i], expected);
        }
    }
}

Test(print, converts_single_precision_as_c_does)
{
    static const char *const formats[] = {"%f", "%g", "%e", "%.3f", "%10.2e|", "%a", "%G", "%+.1f"};
    static const float values[] = {0.0f, -0.0f, 1.0f, 0.1f, -3.25e20f, 1e-42f, 3.4028235e38f};
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        uint32_t word;
        memcpy(&word, &values[i], sizeof word);
        for (size_t j = 0; j < COUNT_OF(formats); j++) {
            char expected[64];
            snprintf(expected, sizeof expected, formats[j], (double)values[i]);
            expect_print(formats[j], word, expected);
        }
    }
}

Test(print, takes_length_modifiers_for_32_bits)
{
    expect_print("%ld %%", 0xFFFFFFFF, "-1 %");
    expect_print("%hhu", 300, "300");
    expect_print("%zx", 0xABC, "abc");
}

Test(print, takes_two_arguments_for_64_bits)
{
    static const uint64_t values[] = {0, 1, UINT64_C(0x8000000000000000), UINT64_MAX, UINT64_C(1234567890123456789)};
    static const char *const formats[] = {"%lld %u", "%-25llu| %u", "%#llx %u", "%025lli %u", "%llo %u", "%.20llX %u"};
    for (size_t i = 0; i < COUNT_OF(values); i++)
        for (size_t j = 0; j < COUNT_OF(formats); j++) {
            char text[128], expected[128];
            place(formats[j]);
            *warp_register(&w, 11, LANE) = (uint32_t)values[i];
            *warp_register(&w, 12, LANE) = (uint32_t)(values[i] >> 32);
            *warp_register(&w, 13, LANE) = 7;
            snprintf(expected, sizeof expected, formats[j], (unsigned long long)values[i], 7u);
            cr_expect_eq(print(3, text, sizeof text), 0, "%s", text);
            cr_expect_str_eq(text, expected);
        }
}

Test(print, prints_pointers_and_constant_texts)
{
    expect_print("%p", 0x10, "0x00000010");
    expect_print("<%10s>", TEXT + 200, "<  constant>");
    expect_print("<%.3s>", TEXT + 200, "<con>");
}

Test(print, drops_one_newline_at_the_end)
{
    expect_print("a %u\n", 1, "a 1");
    expect_print("a %u\n\n", 1, "a 1\n");
}

Test(print, takes_arguments_from_a1_on_of_its_own_lane)
{
    char text[128];
    place("%u %u %u %u %u %u %u");
    for (uint32_t i = 0; i < 7; i++)
        *warp_register(&w, 11 + i, LANE) = 100 + i;
    cr_expect_eq(print(7, text, sizeof text), 0);
    cr_expect_str_eq(text, "100 101 102 103 104 105 106");
}

Test(print, goes_on_behind_a_character_of_0)
{
    expect_print("<%c>", 0, "<>");
    expect_print("<%3c>", 0x100, "<   >");
    expect_print("<%3c>", 0x141, "<  A>");
}

Test(print, takes_widths_and_precisions_larger_than_the_line)
{
    static const char *const formats[] = {"%999u", "%-999c", "%.999d", "%999.999f", "%999s"};
    char text[16];
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        memset(text, '!', sizeof text);
        place(formats[i]);
        *warp_register(&w, 11, LANE) = TEXT + 200;
        cr_expect_eq(print(1, text, sizeof text), 0, "%s", formats[i]);
        cr_expect_eq(strnlen(text, sizeof text), sizeof text - 1, "%s", formats[i]);
    }
}

Test(print, cuts_what_is_too_long)
{
    char text[8];
    place("0123456789 %u");
    cr_expect_eq(print(1, text, sizeof text), 0);
    cr_expect_str_eq(text, "0123456");
    place("01234%9u and so on");
    cr_expect_eq(print(1, text, sizeof text), 0);
    cr_expect_eq(strlen(text), 7);
}

static void expect_refusal(const char *format, uint32_t arguments, const char *expected)
{
    char text[128];
    place(format);
    *warp_register(&w, 11, LANE) = WRITABLE;
    cr_expect_neq(print(arguments, text, sizeof text), 0, "%s: %s", format, text);
    cr_expect_str_eq(text, expected);
}

Test(print, says_what_makes_no_sense)
{
    expect_refusal("a %u", 0, "printf: no argument for '%u': there are 0");
    expect_refusal("a %u", 2, "printf: 2 arguments, the text uses 1");
    expect_refusal("a %n", 1, "printf: no conversion of this kind: '%n'");
    expect_refusal("a %*d", 2, "printf: no conversion of this kind: '%*d'");
    expect_refusal("a %lld", 1, "printf: no two arguments for '%lld': there are 1");
    expect_refusal("a %llld", 2, "printf: no conversion of this kind: '%llld'");
    expect_refusal("a %llf", 2, "printf: no conversion of this kind: '%llf'");
    expect_refusal("%1000u", 1, "printf: no conversion of this kind: '%1000u'");
    expect_refusal("%2147483648d", 1, "printf: no conversion of this kind: '%2147483'");
    expect_refusal("%.2147483647f", 1, "printf: no conversion of this kind: '%.214748'");
    expect_refusal("%5-3d", 1, "printf: no conversion of this kind: '%5-3d'");
    expect_refusal("%1.2.3d", 1, "printf: no conversion of this kind: '%1.2.3d'");
    expect_refusal("a %", 1, "printf: no conversion of this kind: '%'");
    expect_refusal("%s", 1, "printf: argument 1, 0x10001000, of '%s' is no constant text");
    char text[128];
    place("a");
    *warp_register(&w, 10, LANE) = WRITABLE;
    cr_expect_neq(print(0, text, sizeof text), 0);
    cr_expect_str_eq(text, "printf: 0x10001000 is no constant text");
}

Test(print, a_text_without_an_end_is_none)
{
    place("x");
    memset(constants, 'x', sizeof constants);
    cr_expect_null(isa_program_text(&program, TEXT));
    cr_expect_null(isa_program_text(&program, TEXT + sizeof constants));
    cr_expect_null(isa_program_text(&program, TEXT - 1));
}

Test(print, needs_a0_and_its_arguments)
{
    isa_instruction instruction = isa_decode(WORD(PRINT, .immediate = 3));
    cr_expect_eq(instruction.reads, UINT64_C(0xF) << 10);
    cr_expect_eq(instruction.writes, 0);
    cr_expect_eq(isa_decode(WORD(PRINT, .immediate = 0)).reads, UINT64_C(1) << 10);
    cr_expect_eq(isa_decode(WORD(ASSERT_FAIL)).reads, UINT64_C(1) << 10);
}
