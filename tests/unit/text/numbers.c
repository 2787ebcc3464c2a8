/* SPDX-License-Identifier: MIT */
/* Numbers with units at their limits: what fits in 64 bits is exact, all else is refused for the right reason. */
#include <criterion/criterion.h>
#include <inttypes.h>

#include "hd_units.h"
#include "text_value.h"

typedef struct row {
    const char *text;
    uint32_t unit;
    enum text_result result;
    uint64_t value; /* of TEXT_OK */
} row;

static void expect_rows(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t value = 0;
        cr_expect_eq(text_to_unsigned(rows[i].text, rows[i].unit, &value), rows[i].result, "%s", rows[i].text);
        if (rows[i].result == TEXT_OK)
            cr_expect_eq(value, rows[i].value, "%s is %" PRIu64, rows[i].text, value);
    }
}
#define EXPECT_ROWS(rows) expect_rows(rows, sizeof(rows) / sizeof *(rows))

Test(text_numbers, have_as_many_places_as_they_like_if_these_are_zeros)
{
    static const row rows[] = {
        {"1.5000000000000000000000000000000000000000 us", HD_UNIT_SECONDS, TEXT_OK, 1500000},
        {"0.000000000001 s", HD_UNIT_SECONDS, TEXT_OK, 1},
        {"0.0000000000010000000000000 s", HD_UNIT_SECONDS, TEXT_OK, 1},
        {"0.0000000000001 s", HD_UNIT_SECONDS, TEXT_NOT_WHOLE, 0},
        {"0.00000000000000000000001 s", HD_UNIT_SECONDS, TEXT_NOT_WHOLE, 0},
        {"0.000000000000000000000001 s", HD_UNIT_SECONDS, TEXT_NOT_WHOLE, 0},  /* 24 places */
        {"0.0000000000000000000000001 s", HD_UNIT_SECONDS, TEXT_NOT_WHOLE, 0}, /* 25 */
        {"1.00000000000000000000000000001 Hz", HD_UNIT_HERTZ, TEXT_NOT_WHOLE, 0},
        {"7.00000000000000000000000010 cycles", HD_UNIT_CYCLES, TEXT_NOT_WHOLE, 0},
    };
    EXPECT_ROWS(rows);
}

Test(text_numbers, end_where_64_bits_end)
{
    static const row rows[] = {
        {"18446744073709551615", HD_UNITLESS, TEXT_OK, UINT64_MAX},
        {"18446744073709551616", HD_UNITLESS, TEXT_TOO_LARGE, 0},
        {"99999999999999999999999999999999999999999999", HD_UNITLESS, TEXT_TOO_LARGE, 0},
        {"0xFFFFFFFFFFFFFFFF", HD_UNITLESS, TEXT_OK, UINT64_MAX},
        {"0x10000000000000000", HD_UNITLESS, TEXT_TOO_LARGE, 0},
        {"17179869183 GiB", HD_UNIT_BYTES, TEXT_OK, UINT64_C(17179869183) << 30},
        {"17179869184 GiB", HD_UNIT_BYTES, TEXT_TOO_LARGE, 0},
        {"0x3FFFFFFFF GiB", HD_UNIT_BYTES, TEXT_OK, UINT64_C(0x3FFFFFFFF) << 30},
        {"0x400000000 GiB", HD_UNIT_BYTES, TEXT_TOO_LARGE, 0},
        {"18446744.073709551615 s", HD_UNIT_SECONDS, TEXT_OK, UINT64_MAX},
        {"18446744.073709551616 s", HD_UNIT_SECONDS, TEXT_TOO_LARGE, 0},
        {"18446744.07370955161 s", HD_UNIT_SECONDS, TEXT_OK, UINT64_MAX - 5},
        {"54.9 pJ", TEXT_UNIT_FEMTOJOULES, TEXT_OK, 54900},
        {"1.5 nJ", TEXT_UNIT_FEMTOJOULES, TEXT_OK, 1500000},
        {"0.5 fJ", TEXT_UNIT_FEMTOJOULES, TEXT_NOT_WHOLE, 0},
        {"54.9 W", TEXT_UNIT_FEMTOJOULES, TEXT_UNIT_UNKNOWN, 0},
        {"-1 pJ", TEXT_UNIT_FEMTOJOULES, TEXT_NOT_A_NUMBER, 0},
        {"1.59 W", TEXT_UNIT_MICROWATTS, TEXT_OK, 1590000},
        {"330 mW", TEXT_UNIT_MICROWATTS, TEXT_OK, 330000},
        {"1.05 V", TEXT_UNIT_MILLIVOLTS, TEXT_OK, 1050},
        {"520 mm2", TEXT_UNIT_SQUARE_MICROMETRES, TEXT_OK, 520000000},
        {"18446744074 GHz", HD_UNIT_HERTZ, TEXT_TOO_LARGE, 0},
        {"18446744073.709551615 GHz", HD_UNIT_HERTZ, TEXT_OK, UINT64_MAX},
        {"18446744073.709551616 GHz", HD_UNIT_HERTZ, TEXT_TOO_LARGE, 0},
        {"18446744073.70955161500001 GHz", HD_UNIT_HERTZ, TEXT_NOT_WHOLE, 0},
        {"20000000.0000000000000000001 s", HD_UNIT_SECONDS, TEXT_TOO_LARGE, 0},
    };
    EXPECT_ROWS(rows);
}
