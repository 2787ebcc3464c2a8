/* SPDX-License-Identifier: MIT */
/* What the time of an app went into: on a native host none of it is the host's own, on firmware most of it. */
#include <criterion/criterion.h>

#include "folder.h"
#include "machine_run.h"
#include "stats.h"

static machine_run run_vecadd(const char *machine)
{
    static const char *const sets[] = {"app.n=2000", NULL};
    machine_run run = run_machine(
        &(run_request){.netlist = machine, .app = HEDDLE_APPS "/vecadd", .sets = (const char *const *)sets});
    cr_assert_eq(run.outcome, HD_OUTCOME_PASS, "%s", run.message);
    return run;
}

static json_int_t part(const machine_run *run, const char *name)
{
    return json_integer_value(stats_at(stats_at(run->results, "time"), name));
}

Test(time_split, says_what_the_time_of_an_app_went_into)
{
    machine_run native = run_vecadd(SYSTEM_MACHINES "/small.yaml");
    machine_run firmware = run_vecadd(SYSTEM_MACHINES "/firmware.yaml");
    cr_expect_lt(part(&native, "host_ps"), part(&native, "total_ps") / 10);
    cr_expect_gt(part(&firmware, "host_ps"), part(&firmware, "total_ps") / 2);
    cr_expect_gt(part(&firmware, "transfer_ps"), part(&native, "transfer_ps"));
    cr_expect_gt(part(&native, "transfer_ps"), 0);
    cr_expect_gt(part(&native, "launch_ps"), 1000000 * 1000 / 1400, "1000 cycles of settling");
    cr_expect_eq(part(&native, "kernel_ps"), part(&firmware, "kernel_ps"));
    cr_expect_eq(part(&native, "overlap_ps"), 0);
    run_free(&native);
    run_free(&firmware);
}
