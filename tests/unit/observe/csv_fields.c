/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "csv.h"

static void expect_field(const char *text, const char *expected)
{
    char *written;
    size_t bytes;
    FILE *out = open_memstream(&written, &bytes);
    csv_put_field(out, text);
    fclose(out);
    cr_expect_str_eq(written, expected);
    free(written);
}

Test(csv, fields_are_quoted_where_they_need_it)
{
    expect_field("", "");
    expect_field("plain text", "plain text");
    expect_field("a,b", "\"a,b\"");
    expect_field("say \"x\"", "\"say \"\"x\"\"\"");
    expect_field("two\nlines", "\"two\nlines\"");
    expect_field("a\rb", "\"a\rb\"");
}

Test(csv, no_text_is_a_formula)
{
    expect_field("=1+1", "'=1+1");
    expect_field("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0");
    expect_field("=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\"");
    expect_field("+1+1", "'+1+1");
    expect_field("-1+1", "'-1+1");
    expect_field("@SUM(A1)", "'@SUM(A1)");
    expect_field("\t=1", "'\t=1");
    expect_field("\r=1", "\"'\r=1\"");
    expect_field("-", "'-");
    expect_field("a=1", "a=1");
}

Test(csv, numbers_stay_numbers)
{
    expect_field("-1", "-1");
    expect_field("+1.5e-3", "+1.5e-3");
    expect_field("-18446744073709551615", "-18446744073709551615");
    expect_field("0", "0");
}
