/* SPDX-License-Identifier: MIT */
#include "csv.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void expect_field(const char *text, const char *written)
{
    char *all = NULL;
    size_t bytes;
    FILE *out = open_memstream(&all, &bytes);
    csv_put_field(out, text);
    fclose(out);
    cr_expect_str_eq(all, written, "%s instead of %s", all, written);
    free(all);
}

/* RFC 4180 §2. */
Test(csv, a_field_is_quoted_if_it_must_be)
{
    expect_field("", "");
    expect_field("plain text", "plain text");
    expect_field("a,b", "\"a,b\"");
    expect_field("say \"so\"", "\"say \"\"so\"\"\"");
    expect_field("\"", "\"\"\"\"");
    expect_field("two\nlines", "\"two\nlines\"");
    expect_field("two\r", "\"two\r\"");
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
