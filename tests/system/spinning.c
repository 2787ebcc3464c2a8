/* SPDX-License-Identifier: MIT */
/* Machines that find spinning and hold warps back, and that make no sense: one error each, where it stands. */
#include <criterion/criterion.h>
#include <string.h>

#include "process.h"

#define BOWS HEDDLE_MACHINES "/../variants/gtx480_bows.yaml"

static void expect_refused(const char *set, const char *why)
{
    finished run = heddle("check", BOWS, "--set", set);
    expect_code(&run, 2);
    expect_error(&run, why);
    expect_error(&run, ":1");
    const char *first = strstr(run.err, "error[");
    cr_expect(first && !strstr(first + 1, "error["), "%s", run.err);
    finished_free(&run);
}

Test(spinning, tables_of_no_size_and_hashes_out_of_range_are_refused)
{
    expect_refused("core.spin.ddos.entries=0", "'0'; it must be between 1 and 256");
    expect_refused("core.spin.ddos.length=0", "'0'; it must be between 1 and 32");
    expect_refused("core.spin.ddos.length=33", "'33'; it must be between 1 and 32");
    expect_refused("core.spin.ddos.path_bits=1", "'1'; it must be between 2 and 11");
    expect_refused("core.spin.ddos.value_bits=12", "'12'; it must be between 2 and 11");
    expect_refused("core.spin.ddos.threshold=0", "'0'; it must be between 1 and 255");
    expect_refused("core.spin.ddos.epoch=0 cycles", "it must be between 1");
    expect_refused("core.back_off.bows.window=0 cycles", "it must be between 1");
    expect_refused("core.back_off.bows.minimum=16384 cycles", "it must be between 0 cycles and 16383 cycles");
}

Test(spinning, back_off_is_on_top_of_a_scheduler_and_of_no_other_back_off)
{
    expect_refused("core.scheduler=bows", "'scheduler' of block 'core' cannot be 'bows'");
    expect_refused("core.back_off=gto", "'back_off' of block 'core' cannot be 'gto'");
    expect_refused("core.back_off.bows.back_off=bows", "unknown parameter 'back_off.bows.back_off'");
    expect_refused("core.spin=none", "core.spin must not be none");
}
