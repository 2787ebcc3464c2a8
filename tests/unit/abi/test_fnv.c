/* SPDX-License-Identifier: MIT */
/* FNV-1a against published values (draft-eastlake-fnv, appendix C). */
#include <criterion/criterion.h>
#include <string.h>

#include "hd_fnv.h"

Test(fnv, has_the_published_values)
{
    static const struct {
        const char *text;
        uint64_t hash;
    } rows[] = {
        {"", UINT64_C(0xCBF29CE484222325)},
        {"a", UINT64_C(0xAF63DC4C8601EC8C)},
        {"foobar", UINT64_C(0x85944171F73967E8)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(hd_fnv_add(HD_FNV_START, rows[i].text, strlen(rows[i].text)), rows[i].hash, "%s", rows[i].text);
}

Test(fnv, goes_on_where_it_was)
{
    cr_expect_eq(hd_fnv_add(hd_fnv_add(HD_FNV_START, "foo", 3), "bar", 3), hd_fnv_add(HD_FNV_START, "foobar", 6));
}
