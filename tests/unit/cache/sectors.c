/* SPDX-License-Identifier: MIT */
#include "cache_sectors.h"

#include <criterion/criterion.h>

Test(cache_sectors, of_a_line)
{
    cr_expect_eq(cache_sectors_of_line(128, 5), 0xF);
    cr_expect_eq(cache_sectors_of_line(128, 7), 1);
    cr_expect_eq(cache_sectors_of_line(64, 5), 3);
    cr_expect_eq(cache_sectors_of_line(128, 4), 0xFF);
}

/* Byte by byte. */
Test(cache_sectors, of_bytes)
{
    for (uint32_t shift = 4; shift <= 7; shift++)
        for (uint32_t offset = 0; offset < 128; offset++)
            for (uint32_t bytes = 1; offset + bytes <= 128; bytes++) {
                uint32_t touched = 0;
                for (uint32_t byte = offset; byte < offset + bytes; byte++)
                    touched |= 1u << (byte >> shift);
                cr_assert_eq(cache_sectors_of_bytes(offset, bytes, shift), touched);
            }
}

/* Of every set: the runs are its sectors from the lowest up, and no two of them touch. */
Test(cache_sectors, are_taken_in_runs_of_neighbours)
{
    for (uint32_t set = 1; set < 256; set++) {
        uint8_t left = (uint8_t)set, taken = 0;
        uint32_t next = 0;
        while (left) {
            const cache_run run = cache_take_run(&left);
            cr_assert_geq(run.first, next);
            cr_assert_gt(run.count, 0);
            taken |= cache_sectors_of_run(run);
            next = run.first + run.count + 1;
        }
        cr_assert_eq(taken, set);
    }
}

Test(cache_sectors, are_taken_one_by_one_from_the_lowest_up)
{
    for (uint32_t set = 1; set < 256; set++) {
        uint8_t left = (uint8_t)set, taken = 0;
        while (left) {
            const cache_run run = cache_take_sector(&left);
            cr_assert_eq(run.count, 1);
            cr_assert_lt(taken, 1u << run.first, "those before lie below");
            taken |= cache_sectors_of_run(run);
        }
        cr_assert_eq(taken, set);
    }
}
