/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "sweep_progress.h"

static char *shown(const sweep_state *state, double seconds)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    sweep_progress progress;
    sweep_progress_begin(&progress, out, 100);
    sweep_progress_print(&progress, state, 100 + seconds);
    fclose(out);
    return text;
}

static void expect_line(sweep_state state, double seconds, const char *line)
{
    char *text = shown(&state, seconds), whole[128];
    snprintf(whole, sizeof whole, "\r\033[K%s", line);
    cr_expect_str_eq(text, whole);
    free(text);
}

Test(progress, says_how_far_it_is_and_how_long_it_takes)
{
    expect_line((sweep_state){.runs = 60, .had = 10, .running = 2}, 1, "10 of 60 runs  2 running");
    expect_line((sweep_state){.runs = 60, .had = 10, .done = 20, .running = 2}, 40,
                "30 of 60 runs  2 running  about 1:00 left");
    expect_line((sweep_state){.runs = 60, .done = 1, .failed = 1, .running = 2}, 100,
                "1 of 60 runs  2 running  1 failed  about 1:38:20 left");
}

Test(progress, shows_four_lines_a_second_and_takes_the_last_away)
{
    char *text;
    size_t bytes, before;
    FILE *out = open_memstream(&text, &bytes);
    sweep_progress progress;
    const sweep_state state = {.runs = 2};
    sweep_progress_begin(&progress, out, 100);
    sweep_progress_print(&progress, &state, 100);
    fflush(out);
    before = bytes;
    sweep_progress_print(&progress, &state, 100.2);
    fflush(out);
    cr_expect(before > 0 && bytes == before);
    sweep_progress_print(&progress, &state, 100.3);
    sweep_progress_end(&progress);
    sweep_progress_end(&progress);
    fclose(out);
    cr_expect_str_eq(text + bytes - 4, "\r\033[K");
    cr_expect_eq(text[bytes - 5], 'g');
    free(text);
}

Test(progress, is_silent_where_nobody_looks)
{
    sweep_progress progress;
    sweep_progress_begin(&progress, NULL, 0);
    sweep_progress_print(&progress, &(sweep_state){.runs = 2}, 10);
    sweep_progress_end(&progress);
    cr_expect_lt(sweep_time_left(&(sweep_state){.runs = 2}, 10), 0);
    cr_expect_float_eq(sweep_time_left(&(sweep_state){.runs = 6, .had = 2, .done = 1}, 10), 30, 1e-9);
}
