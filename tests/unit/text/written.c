/* SPDX-License-Identifier: MIT */
/* Tables, suggestions and YAML texts as they are written. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "diagnostics.h"
#include "table.h"
#include "yaml_text.h"

static void expect_table(const char *title, enum text_format format, const char *expected)
{
    arena memory = {0};
    static const char *const titles[] = {"name", "what"};
    table rows = {.memory = &memory, .titles = titles, .columns = 2};
    TABLE_ROW(&rows, "a", "one|two");
    TABLE_ROW(&rows,
              "b\xC3\xA4"
              "b",
              "three");
    TABLE_ROW(&rows, "c", NULL);
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    table_write(&rows, title, "    ", format, out);
    fclose(out);
    cr_expect_str_eq(text, expected);
    free(text);
    arena_free(&memory);
}

Test(text_table, columns_are_as_wide_as_their_characters)
{
    expect_table("title", TEXT_PLAIN,
                 "  title\n    a    one|two\n    b\xC3\xA4"
                 "b  three\n    c\n");
}

Test(text_table, markdown_escapes_what_it_would_read)
{
    expect_table(NULL, TEXT_MARKDOWN,
                 "| name | what |\n|---|---|\n| `a` | one\\|two |\n| `b\xC3\xA4"
                 "b` | three |\n| `c` |  |\n\n");
}

static void expect_suggested(const char *word, const char *expected, int names_all)
{
    arena memory = {0};
    candidates known = {0};
    static const char *const names[] = {"latency", "width", "lanes", "latencies"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        candidates_add(&memory, &known, names[i]);
    char *text;
    size_t bytes;
    diagnostics log = {.out = open_memstream(&text, &bytes)};
    cr_expect_eq(candidates_suggest(&log, word, &known), names_all, "%s", word);
    fclose(log.out);
    cr_expect_str_eq(text, expected);
    free(text);
    arena_free(&memory);
}

Test(text_suggest, the_nearest_names_come_first)
{
    expect_suggested("latenyc", "note: did you mean 'latency'?\n", 0);
    expect_suggested("latencie", "note: did you mean 'latencies' or 'latency'?\n", 0);
}

Test(text_suggest, all_are_named_if_none_is_near)
{
    expect_suggested("clock", "note: known here: 'latency', 'width', 'lanes', 'latencies'\n", 1);
}

static void expect_yaml(const char *text, const char *expected)
{
    char *written;
    size_t bytes;
    FILE *out = open_memstream(&written, &bytes);
    yaml_write_text(text, out);
    fclose(out);
    cr_expect_str_eq(written, expected);
    free(written);
}

Test(text_yaml, is_in_quotes_where_it_would_be_read_as_something_else)
{
    expect_yaml("plain/word 1.5", "plain/word 1.5");
    expect_yaml("", "\"\"");
    expect_yaml("null", "\"null\"");
    expect_yaml("12", "\"12\"");
    expect_yaml("ends ", "\"ends \"");
    expect_yaml("a: \"b\\\"\n", "\"a: \\\"b\\\\\\\"\\U0000000A\"");
    expect_yaml("\xE2\x80\xA8\xC3\xA4", "\"\\U00002028\xC3\xA4\"");
}
