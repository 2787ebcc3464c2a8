/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "results.h"

#define expect_text(text, expression)                                                                                  \
    do {                                                                                                               \
        char buffer[HD_QUANTITY_BYTES];                                                                                \
        cr_expect_str_eq((expression), text);                                                                          \
    } while (0)

Test(quantities, times_have_three_digits_and_the_nearest_unit)
{
    expect_text("0 ps", hd_print_time(buffer, 0));
    expect_text("999 ps", hd_print_time(buffer, 999));
    expect_text("1.00 ns", hd_print_time(buffer, 1000));
    expect_text("12.3 us", hd_print_time(buffer, 12345678));
    expect_text("1.00 ms", hd_print_time(buffer, 999999999));
    expect_text("2.50 s", hd_print_time(buffer, UINT64_C(2500000000000)));
    expect_text("18446744 s", hd_print_time(buffer, UINT64_MAX));
}

Test(quantities, counts_are_grouped_by_thousands)
{
    expect_text("0", hd_print_count(buffer, 0));
    expect_text("999", hd_print_count(buffer, 999));
    expect_text("1,000", hd_print_count(buffer, 1000));
    expect_text("12,345,678", hd_print_count(buffer, 12345678));
    expect_text("18,446,744,073,709,551,615", hd_print_count(buffer, UINT64_MAX));
}

Test(quantities, bytes_and_rates_count_in_powers_of_ten)
{
    expect_text("512 B", hd_print_bytes(buffer, 512));
    expect_text("1.02 kB", hd_print_bytes(buffer, 1024));
    expect_text("177 GB", hd_print_bytes(buffer, 177408e6));
    expect_text("0", hd_print_rate(buffer, 0));
    expect_text("0.50", hd_print_rate(buffer, 0.5));
    expect_text("456 k", hd_print_rate(buffer, 456123));
    expect_text("3.30 M", hd_print_rate(buffer, 3299325));
}
