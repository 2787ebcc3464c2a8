/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"

Test(progress_line, comes_four_times_a_second)
{
    hd_progress progress;
    hd_progress_begin(&progress, stderr, 10);
    cr_expect_not(hd_progress_due(&progress, 10.2));
    cr_expect(hd_progress_due(&progress, 10.25));
}

Test(progress_line, is_silent_without_a_terminal)
{
    hd_progress progress;
    hd_progress_begin(&progress, NULL, 0);
    cr_expect_not(hd_progress_due(&progress, 1000));
    hd_progress_end(&progress);
}

Test(progress_line, says_how_far_the_run_is_and_how_long_it_will_take)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    hd_progress progress;
    hd_progress_begin(&progress, out, 100);
    hd_progress_print(&progress, &(hd_progress_state){.simulated = 1000000}, 101);
    fflush(out);
    cr_expect_not_null(strstr(text, "1.00 us  0 warp instructions/s  0 of 0 blocks"));
    cr_expect_null(strstr(text, "left"));
    hd_progress_print(&progress, &(hd_progress_state){.simulated = 5000000, .warp_instructions = 3000, .blocks = 40},
                      102);
    /* Blocks began to run at 101 s; 10 of 40 took 9 s. */
    hd_progress_print(
        &progress,
        &(hd_progress_state){.simulated = 9000000, .warp_instructions = 11000, .blocks_done = 10, .blocks = 40}, 110);
    fflush(out);
    cr_expect_not_null(strstr(text, "3.00 k warp instructions/s  0 of 40 blocks"));
    cr_expect_not_null(strstr(text, "1.00 k warp instructions/s  10 of 40 blocks  about 0:27 left"), "%s", text);
    cr_expect_null(strchr(text, '\n'));
    fclose(out);
    free(text);
}

Test(progress_line, leaves_nothing_behind)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    hd_progress progress;
    hd_progress_begin(&progress, out, 0);
    hd_progress_end(&progress);
    fflush(out);
    cr_expect_eq(bytes, 0, "nothing was shown, nothing is erased");
    hd_progress_print(&progress, &(hd_progress_state){.simulated = 1}, 1);
    hd_progress_end(&progress);
    fflush(out);
    cr_expect_str_eq(text + bytes - 4, "\r\033[K");
    fclose(out);
    free(text);
}
