/* SPDX-License-Identifier: MIT */
/* Units that a plug-in brings: chosen, described, counted, and refused as those of the program are. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"

#define MACHINE SYSTEM_MACHINES "/small.yaml"
#define SMALL_RUN "run", MACHINE, "hashtable", "--set", "app.grid=4", "--set", "app.inserts=2"

Test(units_from_outside, are_chosen_and_have_parameters)
{
    static const char *const settings[] = {"core.scheduler.youngest.patience=1", "core.scheduler.youngest.patience=64",
                                           "core.scheduler.youngest.patience=1000000"};
    char *times[3];
    for (size_t i = 0; i < 3; i++) {
        finished run = heddle(SMALL_RUN, "--plugin", TOY_UNITS, "--set", "core.scheduler=youngest", "--set", settings[i]);
        expect_code(&run, 0);
        expect_output(&run, "PASS");
        const char *at = strstr(run.out, "simulated");
        cr_assert_not_null(at);
        times[i] = strndup(at, strcspn(at, "\n"));
        finished_free(&run);
    }
    cr_expect_str_neq(times[0], times[1]);
    cr_expect_str_neq(times[1], times[2]);
    for (size_t i = 0; i < 3; i++)
        free(times[i]);
}

Test(units_from_outside, are_described)
{
    finished run = heddle("list", "simt_core/timed", "--plugin", TOY_UNITS);
    expect_code(&run, 0);
    expect_output(&run, "lrr|gto|youngest");
    expect_output(&run, "scheduler.youngest.patience");
    expect_output(&run, "youngest_yields");
    finished_free(&run);
    finished units = heddle("list", "units", "scheduler", "--plugin", TOY_UNITS);
    expect_code(&units, 0);
    expect_output(&units, "the youngest first, until it has to yield");
    expect_output(&units, "is only for warps with a stack");
    finished_free(&units);
}

Test(units_from_outside, require_what_they_say)
{
    finished run = heddle(SMALL_RUN, "--plugin", TOY_UNITS, "--set", "core.scheduler=youngest", "--set",
                          "core.reconvergence=mimd");
    expect_code(&run, 2);
    expect_error(&run, "scheduler 'youngest' is only for warps with a stack");
    expect_error(&run, "'reconvergence' of block 'core' is mimd here");
    finished_free(&run);
}

Test(units_from_outside, are_not_there_without_the_plugin)
{
    finished run = heddle(SMALL_RUN, "--set", "core.scheduler=youngest");
    expect_code(&run, 2);
    expect_error(&run, "'scheduler' of block 'core' cannot be 'youngest'");
    finished_free(&run);
}
