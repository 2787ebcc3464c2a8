/* SPDX-License-Identifier: MIT */
/* Texts of build options as words for clang. */
#include <criterion/criterion.h>
#include <string.h>

#include "options.h"

static void expect_words(const char *text, const char *joined)
{
    arena memory = {0};
    build_options options;
    char error[256] = "", words[512] = "";
    cr_expect_eq(build_options_read(&memory, text, &options, error, sizeof error), 0, "%s: %s", text, error);
    for (uint32_t i = 0; i < options.count; i++) {
        strcat(words, i ? "|" : "");
        strcat(words, options.words[i]);
    }
    cr_expect_str_eq(words, joined, "%s: %s", text, words);
    arena_free(&memory);
}

static void expect_error(const char *text, const char *expected)
{
    arena memory = {0};
    build_options options;
    char error[256] = "";
    cr_expect_eq(build_options_read(&memory, text, &options, error, sizeof error), -1, "%s", text);
    cr_expect_str_eq(error, expected);
    arena_free(&memory);
}

Test(options, are_words)
{
    expect_words(NULL, "");
    expect_words("  ", "");
    expect_words("-DA=1  -D B=2\t-I /tmp/x -Iy", "-DA=1|-D|B=2|-I|/tmp/x|-Iy");
    expect_words("-D'A=b c' -D \"T=\\\"x\\\"\" -DP=a\\ b", "-DA=b c|-D|T=\"x\"|-DP=a b");
}

Test(options, are_those_of_the_standard)
{
    expect_words("-cl-fast-relaxed-math -w -Werror -cl-std=CL1.1", "-cl-fast-relaxed-math|-w|-Werror|-cl-std=CL1.1");
    expect_words("-cl-kernel-arg-info -cl-strict-aliasing -O3", "");
}

Test(options, that_are_wrong_are_named)
{
    expect_error("-DX -cl-std=CL2.0", "build option '-cl-std=CL2.0' is not known");
    expect_error("-cl-fastest", "build option '-cl-fastest' is not known");
    expect_error("x.cl", "build option 'x.cl' is not known");
    expect_error("-D", "build option '-D' lacks its value");
    expect_error("-D \"A=1", "build options: a quotation mark is not closed: A=1");
    expect_error("'-DA", "build options: a quotation mark is not closed: -DA");
}

Test(options, tell_whether_to_optimise)
{
    arena memory = {0};
    build_options options;
    char error[256];
    build_options_read(&memory, "-DA", &options, error, sizeof error);
    cr_expect(options.is_fast);
    build_options_read(&memory, "-cl-opt-disable", &options, error, sizeof error);
    cr_expect_not(options.is_fast);
    arena_free(&memory);
}
